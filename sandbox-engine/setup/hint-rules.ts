// The kinds of failure that hints know, in the order they are tried: what is certain first, what only remains last.
// A cause stands before what tools make of it: a closed network before "no such package", a missing compiler before "build failed".
import { aptListRules, aptStateRules, unsignedRepository } from './hint-apt.ts';
import { gitRules } from './hint-git.ts';
import { crashed, ended, type HintRule, outOfMemory, takenAway, timedOut, when } from './hint-kinds.ts';
import { quietDownload, reachRules, serverRules, trustRules } from './hint-network.ts';
import { partRules, startRules } from './hint-programs.ts';
import { answeredNo, answeredNoInPipe, rightsRules, shellRules, unreadableRules } from './hint-shell.ts';
import { pythonRules, toolRules } from './hint-tools.ts';

const diskFull = when(
  'disk_full',
  /No space left on device|ENOSPC(?!: System limit)|Disk quota exceeded|not enough free space/i,
  'The disk is full.',
  'Remove unused Sandlot images (sandlot prune) or raise disk_gib, then test setup again.',
);

/** In the order they are tried; the first that fits wins. */
export const hintRules: HintRule[] = [
  timedOut,
  takenAway,
  answeredNo,
  ...unreadableRules,
  ...pythonRules,
  diskFull,
  ...aptStateRules,
  outOfMemory,
  crashed,
  ...reachRules,
  unsignedRepository,
  ...trustRules,
  ...gitRules,
  ...toolRules,
  ...aptListRules,
  ...startRules,
  ...serverRules,
  ...rightsRules,
  ...shellRules,
  ...partRules,
  quietDownload,
  ended,
  answeredNoInPipe,
];
