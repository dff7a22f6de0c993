// The nouns that cross the wire, as zod schemas; the TypeScript types come from them. Field names are those of SPEC.md.
// Times are ISO 8601 in UTC ending in Z; durations are milliseconds; sizes are bytes unless the name says GiB.
// One file a noun; this one puts them together, so that everybody else names one place.
export * from './model/access.ts';
export * from './model/activity.ts';
export * from './model/agent.ts';
export * from './model/audit.ts';
export * from './model/build.ts';
export * from './model/changes.ts';
export * from './model/egress.ts';
export * from './model/environment.ts';
export * from './model/folder.ts';
export * from './model/id.ts';
export * from './model/image.ts';
export * from './model/network.ts';
export * from './model/recipe.ts';
export * from './model/runtime.ts';
export * from './model/secret.ts';
export * from './model/session.ts';
export * from './model/setup-run.ts';
export * from './model/string-map.ts';
export * from './model/template.ts';
export { isoTime } from './model/time.ts';
