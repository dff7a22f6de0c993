import { expect, test } from 'vitest';
import { groupOf } from '../../../sandbox-engine/container/group-counters.ts';

const id = 'a'.repeat(64);

test.each<[string, string, string, string | null]>([
  ['version 1', `4:memory:/docker/${id}\n2:cpu,cpuacct:/docker/${id}\n0::/docker/${id}\n`, 'memory', `/sys/fs/cgroup/memory/docker/${id}`],
  [
    'version 1, joint controllers',
    `4:memory:/docker/${id}\n2:cpu,cpuacct:/docker/${id}\n`,
    'cpuacct',
    `/sys/fs/cgroup/cpuacct/docker/${id}`,
  ],
  ['version 2', `0::/system.slice/docker-${id}.scope\n`, 'memory', `/sys/fs/cgroup/system.slice/docker-${id}.scope`],
  ['a process of another container', `0::/docker/${'b'.repeat(64)}\n`, 'memory', null],
  ['a process of this machine that has the number by chance', '0::/user.slice\n', 'memory', null],
  ['a path that leads out', `0::/../${id}\n`, 'memory', null],
  ['nothing', '', 'memory', null],
])('%s', (_name, lines, controller, folder) => {
  expect(groupOf(lines, id)?.folderOf(controller as 'memory') ?? null).toBe(folder);
});
