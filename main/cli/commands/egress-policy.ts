// `sandlot egress test|access|resolve`: what the policy of an environment says. Nothing is contacted but by `resolve`.
import type { Command } from 'commander';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { AccessPreset, AccessRow, Explanation, LastSeen } from '../../../sandbox-engine/contract/model.ts';
import { counted } from '../../../sandbox-engine/index.ts';
import { defineCommand, firstWord } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findEnvironment } from '../find-by-name.ts';
import { toFacts, toTable } from '../print.ts';
import { warningLines } from '../warning-lines.ts';

const describeExplanation = (said: Explanation, ruleCount: number): string => {
  const { destination, verdict, reason, rule, how_to_allow, insert_at, sentence, instead } = said;
  const place = insert_at === null || insert_at >= ruleCount ? 'after the other rules' : `before rule ${insert_at + 1}`;
  return toFacts({
    Destination: destination,
    Verdict: verdict,
    Reason: reason,
    Rule: rule === null ? 'none' : rule + 1,
    Why: sentence,
    ...(instead === undefined ? {} : { 'What helps': instead }),
    ...(how_to_allow === null ? {} : { 'To allow it': `add ${place}: ${JSON.stringify(how_to_allow)}` }),
  });
};

const addTest = (group: Command): void =>
  defineCommand(group, {
    usage: 'test <environment> <destination>',
    does: 'Say what the network policy of an environment does with a URL, host:port or host; exit 0 when it is allowed, else 1. Nothing is contacted',
    examples: ['egress test web https://api.github.com/repos', 'egress test web db.example.com:5432 -o json'],
    act: async (given) => {
      const { id, network_policy: policy } = await findEnvironment(given.context, firstWord(given));
      const said = await given.context.ask('egress.test', { environment_id: id, destination: given.args[1] ?? '' });
      given.context.print.result(said, () => describeExplanation(said, 'rules' in policy ? policy.rules.length : 0));
      return said.verdict === 'allowed' ? exitCodes.ok : exitCodes.failed;
    },
  });

const inspection = {
  tls_name: 'TLS name',
  http_name: 'HTTP name',
  tls_or_http_name: 'TLS or HTTP name',
  not_inspected: 'not inspected',
} as const;

const seenWords = {
  last_allowed_at: 'allowed',
  last_blocked_at: 'blocked',
  last_not_found_at: 'not found',
  last_not_reached_at: 'not reached',
};

const lastSeenText = (seen: LastSeen): string => {
  const keys = Object.keys(seenWords) as (keyof LastSeen)[];
  const newest = keys.reduce((best, key) => ((seen[key] ?? '') > (seen[best] ?? '') ? key : best));
  return seen[newest] === null ? 'never' : `${seenWords[newest]} ${seen[newest]}`;
};

const hostsOf =
  ({ rows, denials }: CallOutput<'egress.access'>) =>
  (rule: number): string[] =>
    [...rows, ...denials].filter((one) => one.rule === rule).map(({ host }) => host);

const rowCells = (row: AccessRow & LastSeen): string[] => {
  const { host, ports, from, preset, marks, shadowed, cut_by, note } = row;
  const remarks = [
    ...(shadowed ? ['never reached'] : []),
    ...ports
      .filter(({ decided_by }) => !shadowed && decided_by !== null)
      .map(({ port, decided_by }) => `port ${port} is decided by rule ${(decided_by ?? 0) + 1}`),
    ...cut_by.map((rule) => `cut by rule ${rule + 1}`),
    ...marks.map((mark) => mark.replaceAll('_', ' ')),
    ...(note === null ? [] : [note]),
  ];
  const looked = [...new Set(ports.map(({ inspected }) => inspection[inspected]))].join(', ');
  return [
    host,
    ports.map(({ port }) => port).join(', '),
    looked,
    preset === null || from.startsWith('preset ') ? from : `preset ${preset}: ${from}`,
    lastSeenText(row),
    remarks.join('; ') || '-',
  ];
};

const presetTable = (presets: readonly AccessPreset[]): string =>
  toTable(
    ['PRESET', 'HOSTS', 'STATE', 'SOURCE', 'NOTES'],
    presets.map(({ id, hosts, state, source, notes, newer }) => {
      const drift =
        newer === null
          ? []
          : [`revision ${newer.revision} has ${counted(newer.added.length, 'host')} more and ${newer.removed.length} fewer`];
      return [id, hosts, state.replaceAll('_', ' '), source, [...drift, ...notes].join(' ') || '-'];
    }),
  );

const block = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title}\n${lines.map((line) => `  ${line}`).join('\n')}`];

const describeAccess = (access: CallOutput<'egress.access'>): string => {
  const { headline, revision, sessions_on_older_revisions: older, rows, denials, presets, warnings, always_blocked, not_governed } = access;
  const denied = denials.map(({ host, ports, rule, cuts, shadowed, last_blocked_at: last }) => {
    const what = shadowed ? 'never reached' : cuts.length === 0 ? 'cuts nothing' : `cuts ${cuts.join(', ')}`;
    return `${host} (${ports === null ? 'every port' : ports.join(', ')}), rule ${rule + 1}: ${what}; ${last === null ? 'never tried' : `last blocked ${last}`}`;
  });
  return [
    `${headline} (revision ${revision}${older === 0 ? '' : `, running sessions on older revisions: ${older}`})`,
    ...(rows.length === 0 ? [] : [toTable(['HOST', 'PORTS', 'INSPECTED', 'FROM', 'LAST SEEN', 'REMARKS'], rows.map(rowCells))]),
    ...block('Denied', denied),
    ...(presets.length === 0 ? [] : [presetTable(presets)]),
    ...block('Warnings', warningLines(warnings, hostsOf(access))),
    ...block('Always blocked', always_blocked),
    ...block('Not governed by this policy', not_governed),
  ].join('\n\n');
};

const addAccess = (group: Command): void =>
  defineCommand(group, {
    usage: 'access <environment>',
    does: 'List everything that the sandboxes of an environment can reach, rule by rule, presets expanded',
    examples: ['egress access web', 'egress access web -o json'],
    act: async (given) => {
      const { id } = await findEnvironment(given.context, firstWord(given));
      const access = await given.context.ask('egress.access', { environment_id: id });
      given.context.print.result(access, () => describeAccess(access));
      return undefined;
    },
  });

const addResolve = (group: Command): void =>
  defineCommand(group, {
    usage: 'resolve <environment>',
    does: 'Ask the package managers in the image, and their registries once, which hosts the presets of the policy stand for',
    examples: ['egress resolve web'],
    act: async (given) => {
      const { id } = await findEnvironment(given.context, firstWord(given));
      const answer = await given.context.ask('egress.resolve_presets', { environment_id: id });
      given.context.print.result(answer, () =>
        answer.presets.length === 0 ? 'The policy names no presets.' : presetTable(answer.presets),
      );
      return undefined;
    },
  });

/** Adds to `egress` what is about the policy. */
export const addEgressPolicyCommands = (program: Command): void => {
  const known = program.commands.find((command) => command.name() === 'egress');
  const group = known ?? program.command('egress').description('The network of sandboxes: what was tried, what is allowed');
  addTest(group);
  addAccess(group);
  addResolve(group);
};
