// The calls about what a policy says: one destination, everything, a draft, its presets. Decides nothing itself: the egress room does.
// Source: NETWORK.md 1.10.
import type { CallArguments, CallOutput } from '../contract/calls.ts';
import type { AccessRow, EnvironmentView, NetworkPolicy, ResolvedPresets } from '../contract/model.ts';
import { checkPolicy } from '../egress/check-policy.ts';
import { effectiveAccess } from '../egress/effective-access.ts';
import { lastSeenIn } from '../egress/last-seen.ts';
import { openPresets, openPresetsSentence } from '../egress/open-presets.ts';
import { compilePolicy } from '../egress/policy.ts';
import { builtInPresets } from '../egress/presets.ts';
import type { PrepareDefaultBase } from './default-base.ts';
import type { EnvironmentViews } from './environment-views.ts';
import { explainWithPast } from './explain-with-past.ts';
import { findEnvironment, type Handlers, type House } from './house.ts';
import type { PresetBook } from './preset-book.ts';
import { readPolicy } from './read-policy.ts';
import { toolImage } from './recipe-presets.ts';
import { keepsOtherRules } from './session-rules.ts';

type PolicyCalls = 'egress.test' | 'egress.access' | 'egress.check' | 'egress.resolve_presets';

interface Rooms {
  house: Pick<House, 'registry' | 'sessions' | 'egress'>;
  views: EnvironmentViews;
  presets: PresetBook;
  defaultBase: PrepareDefaultBase;
}

interface Subject {
  view: EnvironmentView;
  policy: NetworkPolicy;
  presets: ResolvedPresets;
}

/** The environment with the policy that is asked about: a draft when one is given. @throws not_found @throws invalid_request */
const subjectOf = async (
  { house, views, presets }: Rooms,
  asked: { environment_id: string; network_policy?: unknown },
): Promise<Subject> => {
  const view = await views.of(await findEnvironment(house, asked.environment_id));
  const resolved = await presets.of(view);
  const { network_policy: draft } = asked;
  const policy = draft === undefined ? view.network_policy : readPolicy(draft, { stored: view.network_policy, presets: resolved });
  return { view, policy, presets: resolved };
};

/** How many sessions go on under other rules than these. */
const sessionsBehind = async ({ house: { sessions, registry, egress } }: Rooms, view: EnvironmentView): Promise<number> => {
  const rooms = { registry, livePolicy: egress.policies.livePolicy };
  const alive = (await sessions.list(view.id)).filter(({ status }) => status === 'starting' || status === 'running');
  const isBehind = await Promise.all(alive.map((session) => keepsOtherRules(rooms, session, view)));
  return isBehind.filter(Boolean).length;
};

const access = async (rooms: Rooms, asked: CallArguments<'egress.access'>): Promise<CallOutput<'egress.access'>> => {
  const { view, policy, presets } = await subjectOf(rooms, asked);
  const older = await sessionsBehind(rooms, view);
  const effective = effectiveAccess(policy, presets, rooms.house.egress.own);
  const lastSeen = lastSeenIn(await rooms.house.registry.egressLog.tallies({ environmentId: view.id }));
  const portsOf = (row: AccessRow): number[] => row.ports.filter(({ decided_by }) => decided_by === null).map(({ port }) => port);
  return {
    ...effective,
    rows: effective.rows.map((row) => ({ ...row, ...lastSeen({ host: row.host, ports: portsOf(row) }) })),
    denials: effective.denials.map((denial) => ({ ...denial, ...lastSeen(denial) })),
    environment_id: view.id,
    revision: view.revision,
    sessions_on_older_revisions: older,
  };
};

const check = async ({ house, presets }: Rooms, asked: CallArguments<'egress.check'>): Promise<CallOutput<'egress.check'>> => {
  const known =
    asked.environment_id === undefined ? builtInPresets() : await presets.of(await findEnvironment(house, asked.environment_id));
  const checked = checkPolicy(asked.network_policy, known);
  if (checked.ok) return { policy: checked.policy, errors: [], warnings: checked.warnings };
  return { policy: null, errors: checked.errors, warnings: [] };
};

const minutes = 10;

const resolvePresets = async (rooms: Rooms, environmentId: string): Promise<CallOutput<'egress.resolve_presets'>> => {
  const view = await rooms.views.of(await findEnvironment(rooms.house, environmentId));
  const signal = AbortSignal.timeout(minutes * 60_000);
  const resolved = await rooms.presets.resolve(view, await toolImage(view, rooms.defaultBase, signal), signal);
  rooms.views.tell(view.id);
  return { presets: effectiveAccess(view.network_policy, resolved).presets };
};

/** Makes the handlers of these calls. */
export const createEgressPolicyCalls = (rooms: Rooms): Pick<Handlers, PolicyCalls> => ({
  'egress.test': async (asked) => {
    const { view, policy, presets } = await subjectOf(rooms, asked);
    const said = await explainWithPast(rooms.house.registry, view.id, {
      compiled: compilePolicy(policy, presets, rooms.house.egress.own),
      asked: asked.destination,
    });
    const open_presets = openPresets(policy, presets, said);
    return { ...said, open_presets, sentence: `${said.sentence}${openPresetsSentence(open_presets)}` };
  },
  'egress.access': (asked) => access(rooms, asked),
  'egress.check': (asked) => check(rooms, asked),
  'egress.resolve_presets': ({ environment_id }) => resolvePresets(rooms, environment_id),
});
