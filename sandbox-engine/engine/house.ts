// Everything that one host owns, opened once by engine.ts and handed to the calls. No logic lives here.
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { EventBus } from '../base/event-bus.ts';
import type { NewId } from '../base/ids.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { Runtimes } from '../container/runtimes.ts';
import type { CallArguments, CallName, CallOutput } from '../contract/calls.ts';
import type { Environment } from '../contract/model.ts';
import type { BaseImages } from '../image/base-image.ts';
import type { Builds } from '../image/build-image.ts';
import type { ImagePresence } from '../image/image-presence.ts';
import type { Pins } from '../image/pin.ts';
import type { Registry } from '../registry/registry.ts';
import type { Sessions } from '../session/sessions.ts';
import type { SetupRuns } from '../setup/run-setup.ts';
import type { StreamStore } from '../stream/stream.ts';
import type { Activity } from './activity.ts';
import type { EgressDesk } from './egress-desk.ts';
import type { PresetBook } from './preset-book.ts';
import type { EngineNetworks } from './sandbox-networks.ts';
import type { SecretKeeper } from './secret-keeper.ts';

/** The resources and what identifies this host. */
export interface Ground {
  dataFolder: string;
  version: string;
  /** What one types to call the command line. */
  commandLine: string;
  /** Labels of this data folder: what carries them is ours. */
  homeId: string;
  clock: Clock;
  newId: NewId;
  makeLabels: MakeLabels;
  bus: EventBus;
  registry: Registry;
  runtimes: Runtimes;
  /** Masks what it keeps. */
  streams: StreamStore;
  secrets: SecretKeeper;
  /** What the presets of a network policy stand for. */
  presets: PresetBook;
  /** @throws runtime_not_found @throws runtime_unavailable */
  runtimeOf: (id: string) => ContainerRuntime;
  architectureOf: (id: string) => Promise<string>;
  /** Variables of the person's own shell, for what must find programs there. */
  env: NodeJS.ProcessEnv;
}

export interface ImageRooms {
  presence: ImagePresence;
  bases: BaseImages;
  builds: Builds;
  pins: Pins;
}

export interface House extends Ground, ImageRooms {
  /** What sandboxes try and may reach. */
  egress: EgressDesk;
  /** The networks of sandboxes that are not open. */
  networks: EngineNetworks;
  sessions: Sessions;
  /** What goes on in sessions. */
  activity: Activity;
  setupRuns: SetupRuns;
}

export type Handlers = { [N in CallName]: (input: CallArguments<N>) => Promise<CallOutput<N>> };

/** The handlers of the calls whose names begin with one of the given words. */
export type HandlersOf<Prefix extends string> = Pick<Handlers, Extract<CallName, `${Prefix}.${string}`>>;

/** The environment of this id. @throws not_found */
export const findEnvironment = async ({ registry }: { registry: Pick<Registry, 'environments'> }, id: string): Promise<Environment> => {
  const environment = await registry.environments.find(id);
  if (environment === null) {
    throw new SandlotError('not_found', `There is no environment "${id}".`, { nextAction: 'List them with: sandlot env list' });
  }
  return environment;
};
