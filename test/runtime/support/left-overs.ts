// What there is of one host: in its runtime, in its data folder and in its registry. Compared before and after, it shows what was left behind.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContainerRuntime } from '../../../sandbox-engine/container/container-runtime.ts';
import { labelKeys } from '../../../sandbox-engine/container/labels.ts';
import { openDatabase } from '../../../sandbox-engine/registry/database.ts';

const list = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** How many rows each table has; what was tried on the network and what a person did is history, and stays. */
const rowsOf = async (file: string): Promise<Record<string, number>> => {
  const database = await openDatabase(file, { readOnly: true });
  try {
    const counts: [string, number][] = [];
    for (const table of ['sessions', 'terminals', 'execs', 'egress_grants', 'secret_uses'])
      counts.push([table, (await database.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))?.count ?? -1]);
    return Object.fromEntries(counts);
  } finally {
    await database.close();
  }
};

/** All of it but the gate that stands ready for whoever comes next. */
export const leftOvers = async (runtime: ContainerRuntime, folder: string, home: string) => {
  const mine = { [labelKeys.managed]: 'true', [labelKeys.home]: home };
  const [containers, volumes, networks] = await Promise.all([
    runtime.listContainers(mine),
    runtime.listVolumes(mine),
    runtime.listNetworks(mine),
  ]);
  const isGate = (labels: Record<string, string>): boolean => labels[labelKeys.role] === 'gate';
  const idOf = (labels: Record<string, string>): string => labels[labelKeys.session] ?? labels[labelKeys.setupRun] ?? '';
  const sandboxes = new Set(containers.filter(({ labels }) => !isGate(labels)).map(({ labels }) => idOf(labels)));
  const ready = new Set(
    containers.filter(({ labels }) => isGate(labels) && !sandboxes.has(idOf(labels))).map(({ labels }) => idOf(labels)),
  );
  const isTheirs = ({ labels }: { labels: Record<string, string> }): boolean => !ready.has(idOf(labels));
  const folders = (await list(join(folder, 'gates'))).filter((name) => ![...ready].some((id) => id.endsWith(name)));
  return {
    containers: containers
      .filter(isTheirs)
      .map(({ name }) => name)
      .toSorted(),
    volumes: volumes
      .filter(isTheirs)
      .map(({ name }) => name)
      .toSorted(),
    networks: networks.map(({ name }) => name).toSorted(),
    gates: folders.toSorted(),
    streams: (await list(join(folder, 'streams'))).toSorted(),
    rows: await rowsOf(join(folder, 'registry.db')),
  };
};
