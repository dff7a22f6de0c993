// All that an agent can reach: the union of what its environments open. A rule that denies takes something out of its own environment only.
// Source: SPEC.md 6 and 8; seed kora ("An agent can use the hosts of every environment attached to it").
import { counted } from '../base/counted.ts';
import type { AccessRow, AgentAccess, AgentAccessRow, EffectiveAccess, PresetId } from '../contract/model.ts';
import { effectiveAccess } from '../egress/effective-access.ts';

/** What one environment opens. */
export interface EnvironmentAccess {
  environment_id: string;
  environment_name: string;
  access: EffectiveAccess;
}

type Giver = AgentAccessRow['given_by'][number];

const livePorts = ({ ports }: AccessRow): number[] => ports.filter(({ decided_by }) => decided_by === null).map(({ port }) => port);

const exceptions = (row: AccessRow, { denials }: EffectiveAccess): string[] =>
  denials
    .filter(({ rule, cuts }) => row.cut_by.includes(rule) && cuts.includes(row.host))
    .map(({ host, ports }) => (ports === null ? host : `${host}:${ports.join(',')}`));

const giverOf = ({ environment_id, environment_name, access }: EnvironmentAccess, row: AccessRow): Giver => ({
  ...{ environment_id, environment_name, rule: row.rule, preset: row.preset, from: row.from, note: row.note },
  except: exceptions(row, access),
});

/** Rows of the same host and ports are one, given by several. In order of the environments and their rules. */
const unite = (environments: readonly EnvironmentAccess[]): AgentAccessRow[] => {
  const united = new Map<string, AgentAccessRow>();
  for (const environment of environments) {
    for (const row of environment.access.rows) {
      const ports = livePorts(row);
      if (row.shadowed || ports.length === 0 || row.marks.includes('this_computer')) continue;
      const key = `${row.host} ${[...ports].sort((left, right) => left - right).join(',')}`;
      const before = united.get(key) ?? { host: row.host, ports, marks: [], given_by: [] };
      united.set(key, {
        ...before,
        marks: [...new Set([...before.marks, ...row.marks])],
        given_by: [...before.given_by, giverOf(environment, row)],
      });
    }
  }
  return [...united.values()];
};

const openPresetsOf = ({ environment_id, environment_name, access }: EnvironmentAccess) =>
  access.presets
    .filter(({ hosts, state }) => hosts === 0 && state === 'unresolved')
    .map(({ id: preset }): { environment_id: string; environment_name: string; preset: PresetId } => ({
      ...{ environment_id, environment_name, preset },
    }));

const headlineOf = (openBy: readonly string[], hosts: number, wildcards: number): string => {
  if (openBy.length > 0) return `Unrestricted, by ${openBy.map((name) => `"${name}"`).join(', ')}`;
  if (hosts + wildcards === 0) return 'No access';
  return [...(hosts > 0 ? [counted(hosts, 'host')] : []), ...(wildcards > 0 ? [counted(wildcards, 'wildcard')] : [])].join(' and ');
};

const wordOf = (openBy: readonly string[], rows: readonly AgentAccessRow[]): AgentAccess['access'] => {
  if (openBy.length > 0) return 'unrestricted';
  return rows.length === 0 ? 'none' : 'limited';
};

/** The union over an agent's environments, in their order. Pure. */
export const agentAccessOf = (environments: readonly EnvironmentAccess[]): Omit<AgentAccess, 'agent_id' | 'revision'> => {
  const open = environments.filter(({ access }) => access.access === 'unrestricted');
  const openBy = open.map(({ environment_name }) => environment_name);
  const rows = unite(environments);
  const named = new Set(rows.map(({ host }) => host));
  const wildcards = [...named].filter((host) => host.startsWith('*')).length;
  const hosts = named.size - wildcards;
  return {
    access: wordOf(openBy, rows),
    headline: headlineOf(openBy, hosts, wildcards),
    unrestricted_by: open.map(({ environment_id, environment_name }) => ({ environment_id, environment_name })),
    ...{ hosts, wildcards, rows },
    open_presets: environments.flatMap(openPresetsOf),
    // What no rule can open is the same everywhere; an open environment opens more of it.
    always_blocked: (open[0] ?? environments[0])?.access.always_blocked ?? [
      ...effectiveAccess({ version: 'v1', rules: [] }, {}).always_blocked,
    ],
  };
};
