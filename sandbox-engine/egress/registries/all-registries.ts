// The package managers that can be asked, by the preset that each makes.
import type { RegistryPresetId } from '../presets.ts';
import { aptRegistry } from './apt-registry.ts';
import { cargoRegistry } from './cargo-registry.ts';
import { gemRegistry } from './gem-registry.ts';
import { goRegistry } from './go-registry.ts';
import { mavenRegistry } from './maven-registry.ts';
import { npmRegistry } from './npm-registry.ts';
import { pipRegistry } from './pip-registry.ts';
import type { RegistryManager } from './registry-manager.ts';

/** One manager a preset. */
export const allRegistries: Readonly<Record<RegistryPresetId, RegistryManager>> = {
  npm: npmRegistry,
  pip: pipRegistry,
  go: goRegistry,
  cargo: cargoRegistry,
  gem: gemRegistry,
  apt: aptRegistry,
  maven: mavenRegistry,
};
