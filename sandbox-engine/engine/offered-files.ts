// Environment files that are offered: looked for in a folder of this machine, and told in sentences before anybody agrees to one.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import { readSmallFile } from '../base/read-small-file.ts';
import type { UncheckedCreate } from '../contract/calls.ts';
import { parseEnvironmentFile } from '../recipe/environment-file.ts';
import { parseRecipe } from '../recipe/parse.ts';
import type { Handlers } from './house.ts';

const names = ['.sandlot.yml', '.sandlot.yaml', 'sandlot.yml', 'sandlot.yaml'];
const mostBytes = 262_144;

const findFile = async (folder: string) => {
  const found = await lstat(folder).catch(() => null);
  if (found?.isDirectory() !== true) {
    throw new SandlotError('not_found', `There is no folder ${folder} on this machine.`, {
      nextAction: 'Give its whole path, without links in it.',
    });
  }
  const is_repository = (await lstat(join(folder, '.git')).catch(() => null)) !== null;
  for (const name of names) {
    const contents = await readSmallFile(join(folder, name), mostBytes);
    if (contents !== null) return { file: { name, contents }, is_repository };
  }
  return { file: null, is_repository };
};

/** A rule as somebody wrote it: the policy is checked when the environment is made, not when it is told. */
interface OfferedRule {
  action?: unknown;
  hosts?: unknown;
  presets?: unknown;
  allow_private?: unknown;
}

const textsIn = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);

const networkOf = (policy: unknown): string | null => {
  if (policy === undefined) return null;
  const { rules, ...others } = (typeof policy === 'object' && policy !== null ? policy : {}) as { rules?: unknown };
  if (!Array.isArray(rules))
    return Object.keys(others).length === 0 ? 'It reaches every public address.' : 'It has a network policy of its own.';
  const opening = (rules as (OfferedRule | null)[]).filter((rule) => rule !== null && rule.action === 'allow') as OfferedRule[];
  const places = opening.flatMap(({ hosts, presets }) => [...textsIn(hosts), ...textsIn(presets).map((preset) => `preset ${preset}`)]);
  if (places.length === 0) return null;
  const more = places.length > 12 ? ` and ${places.length - 12} more` : '';
  const own = opening.some(({ allow_private }) => allow_private === true) ? ', also at addresses of your own network' : '';
  return `It reaches ${places.slice(0, 12).join(', ')}${more}${own}.`;
};

const repoAsks = (repo: UncheckedCreate['repo']): string[] => {
  if (repo === null || repo === undefined) return [];
  return [
    repo.source.startsWith('/') ? `It copies ${repo.source} into its sessions.` : `It clones ${repo.source}.`,
    ...(repo.logins ?? []).map(({ host, secret }) => `It logs in to ${host} with ${secret}.`),
  ];
};

/** What the file opens and is given. Pure. */
const asksOf = (body: Partial<UncheckedCreate>): string[] => {
  const { mounts = [], mcp_servers = {} } = body;
  const secrets = [...new Set([...(body.secrets ?? []), ...(body.secret_files ?? [])])];
  const steps = body.session_start?.length ?? (body.recipe_yaml === undefined ? 0 : parseRecipe(body.recipe_yaml).sessionStart.length);
  const asks: (string | null)[] = [
    networkOf(body.network_policy),
    secrets.length === 0 ? null : `Its sessions are given the secrets ${secrets.join(', ')}.`,
    mounts.length === 0
      ? null
      : `It wants folders of this machine: ${mounts.map(({ source, read_only: isRead }) => `${source}${isRead === false ? ' (to write)' : ''}`).join(', ')}.`,
    ...repoAsks(body.repo),
    body.privileged === true ? 'It is privileged: its sandboxes can reach past their walls.' : null,
    Object.keys(mcp_servers).length === 0 ? null : `It brings MCP servers: ${Object.keys(mcp_servers).join(', ')}.`,
    steps === 0 ? null : `It runs ${steps} ${steps === 1 ? 'step' : 'steps'} at the start of each session.`,
  ];
  return asks.filter((ask) => ask !== null);
};

/** Makes the calls about offered files. */
export const createOfferedFileCalls = (): Pick<Handlers, 'environments.preview_file' | 'environments.find_file'> => ({
  'environments.preview_file': async ({ contents, file_name }) => {
    const { name, ...body } = parseEnvironmentFile(contents, file_name);
    return { name, asks: asksOf(body) };
  },
  'environments.find_file': async ({ folder }) => await findFile(folder),
});
