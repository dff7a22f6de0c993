// The only door into the engine. Doors and entries import from here and from the contract.
export { createEngine, type Engine, type EngineOptions } from './engine.ts';
export type { Handlers } from './engine/house.ts';
export { SandlotError, toErrorBody } from './base/errors.ts';
export type { EventBus } from './base/event-bus.ts';
