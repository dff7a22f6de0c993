// Opens the book of presets of one host: the tools are asked in a container of an environment's image, the registries from this computer.
import { networkInterfaces } from 'node:os';
import { createHostCertificates } from '../base/host-certificates.ts';
import type { Environment } from '../contract/model.ts';
import { createFetchChecked } from '../egress/fetch-checked.ts';
import type { RegistryPresetId } from '../egress/presets.ts';
import { allRegistries } from '../egress/registries/all-registries.ts';
import { createResolve } from '../egress/resolve.ts';
import { askImage } from './ask-image.ts';
import type { Ground } from './house.ts';
import { createPresetBook, type PresetBook } from './preset-book.ts';

const lookUpMs = 5000;
const askMs = 10_000;

type Rooms = Pick<Ground, 'registry' | 'clock' | 'newId' | 'makeLabels' | 'runtimeOf' | 'env'>;

const ownAddresses = (): string[] => Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));

const scriptsOf = (managers: readonly RegistryPresetId[]): Record<string, readonly string[]> =>
  Object.fromEntries(managers.map((id) => [id, allRegistries[id].commands]));

/** Makes the book. Environment variables of the environment take part, since they may name a registry. */
export const openPresets = ({ registry, clock, newId, makeLabels, runtimeOf, env }: Rooms): PresetBook =>
  createPresetBook({
    store: registry.presets,
    now: clock.iso,
    askTools: async (environment: Environment, imageId, managers, signal) =>
      await askImage({
        runtime: runtimeOf(environment.runtime),
        imageId,
        name: `sandlot-probe-${newId('run').slice(4)}`,
        labels: makeLabels('probe', { environment: environment.id }),
        env: Object.entries(environment.env_vars).map(([name, value]) => `${name}=${value}`),
        scripts: scriptsOf(managers),
        signal,
      }),
    fetchChecked: createFetchChecked({
      resolve: createResolve(lookUpMs),
      own: () => ({ interfaces: ownAddresses(), gateways: [], ownPorts: [] }),
      limitMs: askMs,
      authorities: createHostCertificates(env),
    }),
  });
