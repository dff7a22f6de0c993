// Failures of apt and dpkg.
import { type HintRule, when } from './hint-kinds.ts';

const asksToGoOn = /\bapt(?:-get)?\b[^|;&\n]*\s(?:install|remove|purge|upgrade|dist-upgrade|full-upgrade|autoremove|build-dep)\b/;
const saysYes = /\s(?:-[a-zA-Z]*y|--yes|--assume-yes|-qq)\b/;

/** Its question and its "Abort." are on stdout, so that only the command tells. */
const needsYes: HintRule = ({ exitCode, failedCommand, stderrTail }) =>
  exitCode === 1 && asksToGoOn.test(failedCommand ?? '') && !saysYes.test(failedCommand ?? '') && !/^E: /m.test(stderrTail)
    ? {
        code: 'apt_needs_yes',
        hint: 'apt asked whether to go on, and nobody was there to answer.',
        nextAction: 'Add `-y` to the command, as in: sudo apt-get install -y …',
      }
    : null;

/** A name that is on no list; without a network there is no other list to be had. */
const unknownPackage: HintRule = ({ network, stderrTail }) => {
  const found = /E: Unable to locate package (\S+)|E: Package '?([^'\s]+)'? has no installation candidate/.exec(stderrTail);
  if (found === null) return null;
  const name = found[1] ?? found[2] ?? '';
  return {
    code: 'apt_update_first',
    hint: `apt does not know the package "${name}": its lists are empty or old, or the name is wrong.`,
    nextAction:
      network === 'none'
        ? `Add "${name}" to the recipe's apt packages: this environment has no network for \`apt-get update\`. Check the name, too.`
        : 'Put `sudo apt-get update` before this line and check the name.',
  };
};

/** What apt says of its own state, whether there is a network or not. */
export const aptStateRules: HintRule[] = [
  when(
    'apt_locked',
    /Could not get lock ([^\s.]+)|is another process using it/,
    'Another apt is at work in the sandbox and holds its lock.',
    'Run one apt at a time; wait for one in the background before the next.',
  ),
  when(
    'dpkg_interrupted',
    /dpkg was interrupted/,
    'An installation was broken off before, and dpkg wants to finish it first.',
    'Put this before the line: sudo dpkg --configure -a',
  ),
  when(
    'apt_conflict',
    /dependency problems - leaving unconfigured|dependency problems prevent configuration/,
    'The package needs others that are not installed, and dpkg fetches none.',
    'Let apt install the file, which fetches them: sudo apt-get install -y ./FILE.deb',
  ),
  when(
    'package_script',
    /error processing package|Sub-process \/usr\/bin\/dpkg returned an error code/,
    "A package's own install script failed.",
    'Read in the log what it says. Packages that start a service often cannot be installed in a sandbox as they are.',
  ),
  needsYes,
];

/** What apt says of a source that it cannot check; of one that it could not even reach it says the same, so that is asked first. */
export const unsignedRepository: HintRule = when(
  'unsigned_repository',
  /is not signed|NO_PUBKEY|signatures couldn't be verified|EXPKEYSIG/,
  'apt does not trust this package source: its key is missing.',
  "Add the publisher's key to /etc/apt/keyrings and name it with `signed-by=` in the source.",
);

/** What apt says when its lists do not fit; a network that is closed explains it better, and is asked first. */
export const aptListRules: HintRule[] = [
  unknownPackage,
  when(
    'apt_conflict',
    /E: Version '([^']+)' for '([^']+)' was not found/,
    'The package sources have no version $1 of "$2".',
    'See which there are with `apt-cache policy $2`, or leave the version away.',
  ),
  when(
    'apt_conflict',
    /unmet dependencies|held broken packages/,
    'These packages do not go together: one needs what no package source has, or another version of it.',
    'Read in the log which one. Update everything first, or leave foreign package sources away.',
  ),
  when(
    'apt_source',
    /The repository '([^']+)' (?:does not have|no longer has) a Release file/,
    'This is no package source: $1.',
    "Check its address, and whether it knows this Debian's name (see /etc/os-release).",
  ),
  when(
    'apt_fetch',
    /E: Failed to fetch \S+\s+404|E: Unable to fetch some archives/,
    'A package is no longer on the mirror: the lists of apt are old.',
    'Put `sudo apt-get update` before this line.',
  ),
];
