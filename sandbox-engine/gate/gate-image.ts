// The image that gates are made of: plain Debian with a relay, a firewall's tool and our own few files. Made once per runtime and
// version, from what Debian's package mirror has; no image registry is asked.
import { createHash } from 'node:crypto';
import { SandlotError } from '../base/errors.ts';
import { createTurns } from '../base/take-turns.ts';
import type { BuildEvent, ContainerRuntime, ImageDetails } from '../container/container-runtime.ts';
import { labelKeys, type MakeLabels } from '../container/labels.ts';
import { packContext } from '../container/pack-context.ts';
import { relayUser, socketTarget } from './addresses.ts';
import { captureRules, gateFolder, paceRules, relayConfig, startScript } from './capture-files.ts';
import { carrierConfig, carrierScript } from './carrier-files.ts';
import { carrierTestProgram } from './carrier-test.ts';
import { relayProgram } from './relay-program.ts';
import { selfTestProgram } from './self-test.ts';
import { socketWords } from './socket-words.ts';

export interface GateImages {
  /**
   * The id of the gate's image on this runtime, made when it is not there. One that was there is not looked for again until it was
   * forgotten: some runtimes take long to answer. @throws build_failed @throws cancelled
   */
  ensure: (runtimeId: string, signal: AbortSignal, onLine: (line: string) => void) => Promise<string>;
  /** To be called when a runtime says that the image is missing. */
  forget: (runtimeId: string) => void;
  /** Looks for it, but never makes it: null where it is missing. */
  find: (runtimeId: string) => Promise<string | null>;
  /** Takes away the images of other versions that no gate stands on any more. */
  removeOlder: (runtimeId: string) => Promise<void>;
}

export interface GateImageDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
  /** A tag of the plain Debian that the gate is built from. */
  baseFor: (runtimeId: string, signal: AbortSignal, onLine: (line: string) => void) => Promise<string>;
}

const files = [
  { path: 'gate/start', mode: 0o755, contents: startScript },
  { path: 'gate/capture.nft', mode: 0o644, contents: captureRules },
  { path: 'gate/capture-at-pace.nft', mode: 0o644, contents: `${captureRules}${paceRules}` },
  { path: 'gate/relay.cfg', mode: 0o644, contents: relayConfig },
  { path: 'gate/relay.pl', mode: 0o644, contents: relayProgram.trimStart() },
  { path: 'gate/socket-words.pl', mode: 0o644, contents: socketWords.trimStart() },
  { path: 'gate/carrier', mode: 0o755, contents: carrierScript },
  { path: 'gate/carrier.cfg', mode: 0o644, contents: carrierConfig },
  { path: 'gate/carrier-test.pl', mode: 0o644, contents: carrierTestProgram.trimStart() },
  { path: 'gate/self-test.pl', mode: 0o644, contents: selfTestProgram.trimStart() },
];

// Programs that lend their owner's rights have no place in a gate. The sockets' folder is the relay's: a carrier's volume is made like it.
const instructions = `USER 0
RUN ["/bin/sh", "-ec", "export DEBIAN_FRONTEND=noninteractive; echo 'Acquire::Retries 3;' >/etc/apt/apt.conf.d/90retries; apt-get update; apt-get install -y --no-install-recommends haproxy nftables iproute2; apt-get clean; rm -rf /var/lib/apt/lists/*; find / -xdev -type f -perm /6000 -exec chmod a-s {} +; mkdir -p ${socketTarget}; chown ${relayUser}:${relayUser} ${socketTarget}"]
COPY gate/ ${gateFolder}/
ENTRYPOINT []
CMD ["${gateFolder}/start", "gate"]
`;

/** Short hash of all that the image adds to its base. */
export const gateVersion: string = createHash('sha256')
  .update(JSON.stringify([files, instructions]))
  .digest('hex')
  .slice(0, 12);

const gateTag = `sandlot/gate:${gateVersion}`;

const tell =
  (onLine: (line: string) => void) =>
  (event: BuildEvent): void => {
    if (event.kind === 'step') onLine(event.text);
    else if (event.kind === 'log') onLine(event.bytes.toString('utf8').trimEnd());
  };

const notMade = (cause: SandlotError): SandlotError =>
  new SandlotError('build_failed', `The gate for restricted networks could not be made: ${cause.message}`, {
    cause,
    nextAction: "Look whether Debian's package mirror can be reached, then start again. It is needed once per runtime.",
  });

const build = async (deps: GateImageDeps, runtimeId: string, signal: AbortSignal, onLine: (line: string) => void): Promise<string> => {
  onLine('Making the gate that restricted sandboxes stand behind');
  const from = await deps.baseFor(runtimeId, signal, onLine);
  const request = {
    context: packContext({ dockerfile: `FROM ${from}\n${instructions}`, files }),
    dockerfile: 'Dockerfile',
    tag: gateTag,
    labels: deps.makeLabels('gate-image', { gateVersion }),
    onEvent: tell(onLine),
    signal,
  };
  try {
    return await deps.runtimeOf(runtimeId).buildImage(request);
  } catch (cause) {
    if (!(cause instanceof SandlotError) || cause.code !== 'build_failed') throw cause;
    throw notMade(cause);
  }
};

const removeOlder = async (deps: GateImageDeps, runtimeId: string): Promise<void> => {
  const runtime = deps.runtimeOf(runtimeId);
  const mine = deps.makeLabels('gate-image');
  const wanted = { [labelKeys.home]: mine[labelKeys.home] ?? '-', [labelKeys.role]: 'gate-image' };
  const isOlder = (image: ImageDetails) => image.labels[labelKeys.gateVersion] !== gateVersion;
  for (const image of (await runtime.listImages(wanted)).filter(isOlder)) {
    // By its id and not by force: a runtime keeps what is in use.
    await runtime.removeImage(image.id).catch(() => undefined);
  }
};

/** Makes the provider; on one runtime nothing is made twice at a time. */
export const createGateImages = (deps: GateImageDeps): GateImages => {
  const inTurn = createTurns();
  const known = new Map<string, string>();
  const find = async (runtimeId: string): Promise<string | null> => (await deps.runtimeOf(runtimeId).inspectImage(gateTag))?.id ?? null;
  const findOrBuild = async (runtimeId: string, signal: AbortSignal, onLine: (line: string) => void): Promise<string> => {
    const there = known.get(runtimeId) ?? (await find(runtimeId));
    signal.throwIfAborted();
    const imageId = there ?? (await build(deps, runtimeId, signal, onLine));
    known.set(runtimeId, imageId);
    return imageId;
  };
  return {
    find,
    forget: (runtimeId) => void known.delete(runtimeId),
    removeOlder: (runtimeId) => removeOlder(deps, runtimeId),
    ensure: (runtimeId, signal, onLine) => inTurn(runtimeId, () => findOrBuild(runtimeId, signal, onLine)),
  };
};
