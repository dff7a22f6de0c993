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
  const given = { secrets: secrets?.names ?? [], secret_files: secrets?.files ?? [] };
  const { container_id: containerId } = before;
  if (containerId !== null && before.config?.['files'] !== config?.['files']) {
    const place = { runtime: deps.runtimeOf(before.runtime), containerId };
    await inject(place.runtime, containerId, environment);
    await linkMcp(place, environment.repo?.path ?? workspace).catch(() => undefined);
  }
  if (containerId !== null) await writeSecretFiles(deps, { ...before, ...given }, containerId);
  // Last: what could not be given is still told as a difference, and is given another time.
  return await book.change(id, {
    environment_name: environment.name,
    environment_revision: environment.revision,
    ...given,
    ...(config === undefined ? {} : { config }),
  });
};
