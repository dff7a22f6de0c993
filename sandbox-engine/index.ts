// The only door into the engine. Doors and entries import from here and from the contract.
import type { Engine, EngineOptions } from './engine.ts';
import type { KeyProtector } from './secrets/vault-key.ts';
import type { PackedFolder } from './session/pack-folder.ts';

export { counted } from './base/counted.ts';
export { SandlotError, toErrorBody } from './base/errors.ts';
export type { EventBus } from './base/event-bus.ts';
export { sizeText } from './base/size-text.ts';
export type { Handlers } from './engine/house.ts';
export type { Engine, EngineOptions, KeyProtector };

/** Opens the engine. It is loaded only then: the command line comes through this door for every command and rarely needs it. */
export const createEngine = async (options: EngineOptions): Promise<Engine> => {
  const engine = await import('./engine.ts');
  return await engine.createEngine(options);
};

/** Packs a folder of this machine for a session, as a tar stream. Loaded only then, too. */
export const packFolder = async (from: string): Promise<PackedFolder> => {
  const packing = await import('./session/pack-folder.ts');
  return packing.packFolder(from);
};
