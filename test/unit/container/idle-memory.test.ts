import { expect, test } from 'vitest';
import { memoryStatOf } from '../../../sandbox-engine/container/idle-memory.ts';

test.each([
  ['cgroup v1', '9:pids:/a\n6:memory:/machine/b\n0::/c', '/sys/fs/cgroup/memory/machine/b/memory.stat'],
  ['cgroup v1 with joined controllers', '4:cpu,memory:/b', '/sys/fs/cgroup/memory/b/memory.stat'],
  ['cgroup v2', '0::/user.slice/c', '/sys/fs/cgroup/user.slice/c/memory.stat'],
  ['none', '', null],
  ['another controller', '3:cpu:/x', null],
])('the memory of a process under %s is told at its place', (_name, lines, wanted) => expect(memoryStatOf(lines)).toBe(wanted));
