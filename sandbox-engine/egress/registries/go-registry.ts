// Go's module proxy and checksum database. A proxy may send the reader of a module's archive elsewhere.
// Source: Go docs, "Go Modules Reference", GOPROXY protocol and GOSUMDB.
import { below, type ConfiguredPlace, placesOf, type RegistryManager } from './registry-manager.ts';

const wellKnown = 'github.com/google/uuid/@v/v1.6.0.zip';

/** `off`, `name`, `name+key` or either with an address behind a blank. */
const checksumDatabase = (text: string): string | undefined => {
  const [name = '', address] = text.trim().split(/\s+/);
  if (name === '' || name === 'off') return undefined;
  return address ?? `https://${name.split('+')[0]}`;
};

/** How Go is asked. */
export const goRegistry: RegistryManager = {
  id: 'go',
  commands: ['command -v go >/dev/null && go env GOPROXY', 'command -v go >/dev/null && go env GOSUMDB'],
  configured: ([proxy = '', sums = '']): ConfiguredPlace[] => [
    ...placesOf(proxy.trim().split(/[,|]/), "Go's module proxy", false),
    ...placesOf([checksumDatabase(sums)], "Go's checksum database", false),
  ],
  followUp: ({ url, from }) => (from === "Go's module proxy" ? { url: below(url, wellKnown) } : null),
  files: () => [],
  filesFrom: "Go's module archives",
};
