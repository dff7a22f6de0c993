// Saves the container of a passed run as the prepared image and looks at what was saved: nothing of the run may be in it.
// Source: SPEC.md 5 (Commit); cases I-07 and J-01.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ImageDetails } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';

interface PreparedRequest {
  runtime: ContainerRuntime;
  containerId: string;
  image: ImageDetails;
  runId: string;
  environmentId: string;
  makeLabels: MakeLabels;
  signal: AbortSignal;
}

/** The tag of a run's prepared image. */
const preparedTag = (runId: string): string => `sandlot/prepared:${runId}`;

const configChanges = ({ user, workdir, entrypoint, cmd }: ImageDetails): string[] => [
  `USER ${user === '' ? sandboxUser : user}`,
  `WORKDIR ${workdir === '' ? workspace : workdir}`,
  `ENTRYPOINT ${JSON.stringify(entrypoint ?? [])}`,
  `CMD ${JSON.stringify(cmd ?? ['bash'])}`,
];

const sorted = (names: string[]): string => [...names].sort().join('\n');

/** Commits, checks and answers id and size; half an image is removed. @throws disk_full, cancelled, runtime_error */
export const commitPrepared = async (request: PreparedRequest): Promise<{ id: string; size: number }> => {
  const { runtime, containerId, image, runId, environmentId, makeLabels, signal } = request;
  const tag = preparedTag(runId);
  try {
    const labels = makeLabels('prepared', { environment: environmentId, setupRun: runId });
    await runtime.commitContainer({ containerId, tag, changes: configChanges(image), env: image.env, labels, pause: true, signal });
    const saved = await runtime.inspectImage(tag);
    if (saved === null) throw new SandlotError('runtime_error', `The prepared image ${tag} is not there after it was saved.`);
    if (sorted(saved.env) !== sorted(image.env)) {
      throw new SandlotError('runtime_error', 'The prepared image carries variables that are not of the recipe, so it was thrown away.');
    }
    return { id: saved.id, size: saved.size };
  } catch (thrown) {
    await runtime.removeImage(tag, { force: true }).catch(() => undefined);
    throw thrown;
  }
};
