// Maven keeps its central repository inside itself and names it, or the mirror in its place, when it cannot reach it.
// Source: Maven docs, "Guide to Mirror Settings".
import { below, type ConfiguredPlace, groupsIn, placesOf, type RegistryManager } from './registry-manager.ts';

// Artifacts that nobody has here, so that it has to ask.
const tryToGet = `
command -v mvn >/dev/null || exit 0
cd "$(mktemp -d)" && mvn --batch-mode -Dmaven.repo.local="$PWD/repository" dependency:get -Dartifact=sandlot:asks:1 2>&1`;

/** How Maven is asked. */
export const mavenRegistry: RegistryManager = {
  id: 'maven',
  commands: [tryToGet],
  configured: ([tried = '']): ConfiguredPlace[] => placesOf(groupsIn(tried, /[\w.-]+ \((https?:[^)\s,]+)/g), "Maven's repositories", true),
  followUp: ({ url }) => ({ url: below(url, 'org/apache/maven/plugins/maven-metadata.xml') }),
  files: () => [],
  filesFrom: "Maven's files",
};
