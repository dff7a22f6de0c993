// What a session has otherwise once it runs as another plan says: secrets, network, image and the rest, a sentence each. Pure.
import type { Environment, Session } from '../contract/model.ts';
import type { LaunchPlan } from '../session/session-parts.ts';
import { serverHosts } from './launch-plan.ts';

type Before = Pick<Session, 'secrets' | 'secret_files' | 'network' | 'observed' | 'image_source' | 'config'>;

const sources: Record<Session['image_source'], string> = {
  default: 'the default base',
  active: 'the pinned image',
  prepared: 'the image of a setup run',
};

const named = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.toSorted().join(', '));

const fromTo = (what: string, before: string, after: string): string[] => (before === after ? [] : [`${what}: from ${before} to ${after}`]);

const isOther = (part: string, before: Before, plan: Pick<LaunchPlan, 'config'>): boolean =>
  before.config !== undefined && plan.config !== undefined && before.config[part] !== plan.config[part];

// The words of the Network tab.
const policyWord = (policy: Environment['network_policy']): string => {
  if (!('rules' in policy)) return 'Unrestricted';
  return policy.rules.length === 0 ? 'No access' : 'By rules';
};

const networkWord = ({ network, observed, config }: Before): string => {
  if (observed) return 'Observed: everything public';
  if (network === 'unrestricted') return 'Unrestricted';
  return network === 'none' || config?.['network rules'] === 'closed' ? 'No access' : 'By rules';
};

const networkChange = (before: Before, plan: LaunchPlan): string[] => {
  const [was, will] = [networkWord(before), policyWord(plan.environment.network_policy)];
  if (was !== will) return [`Network: from ${was} to ${will}`];
  if (isOther('network rules', before, plan)) return ['Network: other rules'];
  // A session from before they were told of has none written down.
  const isKnown = before.config?.[serverHosts] !== undefined;
  return isKnown && isOther(serverHosts, before, plan) ? ['Network: other hosts of MCP servers'] : [];
};

const imageChange = (before: Before, plan: LaunchPlan): string[] => {
  const changed = fromTo('Image', sources[before.image_source], sources[plan.imageSource]);
  if (changed.length > 0) return changed;
  return isOther('image', before, plan) ? [`Image: another one, ${sources[plan.imageSource]} of “${plan.environment.name}”`] : [];
};

const rest = ['variables', 'resources', 'mounts', 'privileges', 'files'] as const;
const restWords: Record<(typeof rest)[number], string> = {
  variables: 'variables',
  resources: 'resources',
  mounts: 'folders',
  privileges: 'privileges',
  files: 'knowledge, skills and MCP servers',
};

/** The sentences; none where nothing is known to change. */
export const replacementChanges = (before: Before, plan: LaunchPlan): string[] => {
  const { names = [], files = [] } = plan.secrets ?? {};
  const others = rest.filter((part) => isOther(part, before, plan)).map((part) => restWords[part]);
  return [
    ...imageChange(before, plan),
    ...networkChange(before, plan),
    ...fromTo('Secrets', named(before.secrets), named(names)),
    ...fromTo('Secret files', named(before.secret_files), named(files)),
    ...(others.length === 0 ? [] : [`Also: other ${others.join(', ')}`]),
  ];
};
