// Gives a running sandbox those parts of a newer configuration that need no other sandbox: secrets, and the files that are carried in.
import { workspace } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import { inject } from './inject.ts';
import { linkMcp } from './link-mcp.ts';
import { writeSecretFiles } from './secret-files.ts';
import type { SessionBook } from './session-book.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';

/** Answers the session as it is then; the rules of its network are not part of this. */
export const adapt = async (deps: SessionDeps, book: SessionBook, id: string, plan: LaunchPlan): Promise<Session> => {
  const { environment, config, secrets } = plan;
  const before = await book.get(id);
  const session = await book.change(id, {
    environment_name: environment.name,
    environment_revision: environment.revision,
    secrets: secrets?.names ?? [],
    secret_files: secrets?.files ?? [],
    ...(config === undefined ? {} : { config }),
  });
  if (session.container_id === null) return session;
  if (before.config?.['files'] !== config?.['files']) {
    const place = { runtime: deps.runtimeOf(session.runtime), containerId: session.container_id };
    await inject(place.runtime, place.containerId, environment);
    await linkMcp(place, environment.repo?.path ?? workspace).catch(() => undefined);
  }
  if (session.secret_files.length > 0) await writeSecretFiles(deps, session, session.container_id);
  return session;
};
