// npm and the tools that read its configuration. The registry says in each package's description where its archive is.
// Source: npm docs, "npm config"; the registry's package metadata, `dist.tarball`.
import { below, type ConfiguredPlace, groupsIn, placesOf, type RegistryManager, readJson, textAt } from './registry-manager.ts';

// An old, small package without dependencies, which public registries and their mirrors have.
const wellKnown = 'isarray/latest';

const registriesIn = (output: string): string[] => {
  const config = readJson(output);
  if (config === null || typeof config !== 'object') return [];
  return Object.entries(config).flatMap(([key, value]) =>
    (key === 'registry' || key.endsWith(':registry')) && typeof value === 'string' ? [value] : [],
  );
};

/** How npm, pnpm and yarn are asked. */
export const npmRegistry: RegistryManager = {
  id: 'npm',
  commands: [
    'command -v npm >/dev/null && npm config list --long --json',
    'command -v pnpm >/dev/null && pnpm config get registry',
    'command -v yarn >/dev/null && { yarn config get npmRegistryServer; yarn config get registry; }',
  ],
  configured: ([npm = '', pnpm = '', yarn = '']): ConfiguredPlace[] => [
    ...placesOf(registriesIn(npm), 'npm config', true),
    ...placesOf(groupsIn(pnpm, /^(https?:\S+)$/gm), 'pnpm config', true),
    ...placesOf(groupsIn(yarn, /^(https?:\S+)$/gm), 'yarn config', true),
  ],
  followUp: ({ url }) => ({ url: below(url, wellKnown), accept: 'application/json' }),
  files: (body) => [textAt(readJson(body), 'dist', 'tarball') ?? ''],
  filesFrom: "npm's archives",
};
