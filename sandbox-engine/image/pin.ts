// The pin ledger: which build an environment boots from, what was there before, and what was refused.
// Source: SPEC.md 3 (Pin): a failing image is rejected at pin time and the previous Active Image stays.
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { Build, Environment, ImageState, Pin } from '../contract/model.ts';
import type { BuildStore, PinStore } from '../registry/registry.ts';
import type { ImagePresence } from './image-presence.ts';
import type { SecretGate } from './secret-gate.ts';

interface PinDeps {
  pins: PinStore;
  builds: BuildStore;
  presence: ImagePresence;
  secretGate: SecretGate;
  newId: NewId;
  clock: Clock;
  emit: (pin: Pin) => void;
}

export interface Pins {
  /**
   * Where the very image is pinned already it adds no line, and answers the one that is there.
   * @throws not_found @throws build_not_pinnable @throws BootTestFailed @throws image_missing @throws secret_in_image
   */
  pin: (buildId: string) => Promise<Pin>;
  /** Without a pin it still writes the line, so that the ledger says it was asked. */
  unpin: (environmentId: string) => Promise<Pin>;
  list: (environmentId: string) => Promise<Pin[]>;
  /** What a session would boot from now. */
  imageState: (environment: Environment) => Promise<ImageState>;
}

const refusal = async (build: Build, presence: ImagePresence): Promise<SandlotError | null> => {
  if (build.status !== 'succeeded' || build.image_id === null) {
    return new SandlotError('build_not_pinnable', `Build ${build.id} is ${build.status}; only a build that succeeded can be pinned.`, {
      nextAction: 'Pin a succeeded build, or build again.',
    });
  }
  if (build.boot_test?.passed !== true) {
    const failed = build.boot_test?.checks.filter((check) => !check.passed).map((check) => `${check.name}: ${check.message}`) ?? [];
    return new SandlotError(
      'BootTestFailed',
      `The image of build ${build.id} did not pass its boot test (${failed.join('; ') || 'it was not run'}).`,
      {
        nextAction: 'Mend the recipe and build again; the environment keeps its previous image.',
        details: { checks: build.boot_test?.checks ?? [] },
      },
    );
  }
  if ((await presence.of(build.runtime, build.image_id)) === 'missing') {
    return new SandlotError('image_missing', `The image of build ${build.id} is no longer on "${build.runtime}".`, {
      nextAction: 'Build again, then pin the new build.',
    });
  }
  return null;
};

/** The line that pins what this build made; null when it is another image, recipe or base, or its build is gone. */
const pinOf = async (
  { pins, builds }: Pick<PinDeps, 'pins' | 'builds'>,
  { environment_id, image_id, fingerprint, recipe_digest }: Build,
): Promise<Pin | null> => {
  const current = await pins.current(environment_id);
  if (current?.image_id !== image_id || current.fingerprint !== fingerprint || current.build_id === null) return null;
  return (await builds.find(current.build_id))?.recipe_digest === recipe_digest ? current : null;
};

/** Makes the pins of one registry. */
export const createPins = ({ pins, builds, presence, secretGate, newId, clock, emit }: PinDeps): Pins => {
  const append = async (line: Omit<Pin, 'id' | 'at'>): Promise<Pin> => {
    const pin: Pin = { id: newId('pin'), at: clock.iso(), ...line };
    await pins.append(pin);
    emit(pin);
    return pin;
  };

  const describe = async (environment: Environment, build: Build | null, pin: Pin): Promise<ImageState> => {
    const known = { build_id: pin.build_id, image_id: pin.image_id };
    if (build === null || pin.image_id === null || (await presence.of(environment.runtime, pin.image_id)) === 'missing') {
      return { ...known, state: 'missing', message: 'The pinned image is missing from the runtime. Build again and pin the new build.' };
    }
    if (build.recipe_digest !== environment.recipe_digest) {
      return { ...known, state: 'stale', message: 'The recipe changed since the pinned build. Build again and pin the new build.' };
    }
    return { ...known, state: 'active', message: 'Sessions boot from the pinned image.' };
  };

  return {
    pin: async (buildId) => {
      const build = await builds.find(buildId);
      if (build === null)
        throw new SandlotError('not_found', `There is no build "${buildId}".`, { nextAction: 'List the builds of the environment.' });
      const refused = (await refusal(build, presence)) ?? (await secretGate(build));
      const line = { environment_id: build.environment_id, build_id: build.id, image_id: build.image_id, fingerprint: build.fingerprint };
      if (refused !== null) {
        await append({ ...line, action: 'rejected', reason: refused.message });
        throw refused;
      }
      return (await pinOf({ pins, builds }, build)) ?? (await append({ ...line, action: 'pinned', reason: null }));
    },
    unpin: async (environmentId) => {
      const current = await pins.current(environmentId);
      return await append({
        environment_id: environmentId,
        action: 'unpinned',
        build_id: current?.build_id ?? null,
        image_id: current?.image_id ?? null,
        fingerprint: current?.fingerprint ?? null,
        reason: null,
      });
    },
    list: (environmentId) => pins.list(environmentId),
    imageState: async (environment) => {
      const current = await pins.current(environment.id);
      if (current === null) {
        return { state: 'none', build_id: null, image_id: null, message: 'Nothing is pinned yet: sessions boot from the default base.' };
      }
      return await describe(environment, current.build_id === null ? null : await builds.find(current.build_id), current);
    },
  };
};
