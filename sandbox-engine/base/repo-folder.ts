// Whether a repository is a folder of this machine, or is cloned from elsewhere.
import type { Environment } from '../contract/model.ts';

/** The path of that folder; null for one that is cloned, and where there is none. Pure. */
export const repoFolder = (repo: Environment['repo'] | undefined): string | null => (repo?.source.startsWith('/') ? repo.source : null);
