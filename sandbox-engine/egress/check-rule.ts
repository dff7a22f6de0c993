// Checks one rule of a policy, field by field, and answers it in its one spelling. Every problem is named, not only the first.
// Source: NETWORK.md 1.1 and 1.7.
import { type NetworkRule, type PresetId, presetIds } from '../contract/model.ts';
import { checkHost, type RuleContext } from './check-host.ts';
import { didYouMean } from './nearest-word.ts';
import { isPlainObject } from './plain-object.ts';
import { type ProblemList, placeOf, step } from './problem-list.ts';

const fields = ['action', 'hosts', 'presets', 'ports', 'protocol', 'allow_private', 'note'] as const;
const most = { hosts: 256, presets: 16, ports: 32, noteCharacters: 200 };

type Given = Record<string, unknown>;

interface Place {
  rule: Given;
  path: string;
  problems: ProblemList;
}

const own = (rule: Given, field: (typeof fields)[number]): unknown => (Object.hasOwn(rule, field) ? rule[field] : undefined);

const checkFields = ({ rule, path, problems }: Place): void => {
  for (const key of Object.keys(rule)) {
    if ((fields as readonly string[]).includes(key)) continue;
    const name = key.length > 60 ? `${key.slice(0, 57)}...` : key;
    const message = `Unknown field "${name}" in ${placeOf(path)}. Rules match hosts and ports only.${didYouMean(key, fields)}`;
    problems.add('unknown_field', path + step(key), message);
  }
};

const checkAction = ({ rule, path, problems }: Place): 'allow' | 'deny' => {
  const action = own(rule, 'action');
  if (action === 'allow' || action === 'deny') return action;
  problems.add('action_invalid', `${path}/action`, `${placeOf(path)}.action must be "allow" or "deny".`);
  return 'allow';
};

/** A list that is there, is one and is not too long; what is wrong with it is said, and then there is nothing to look into. */
const listIn = ({ rule, path, problems }: Place, field: 'hosts' | 'presets'): unknown[] | null => {
  const value = own(rule, field);
  if (value === undefined) return null;
  if (!Array.isArray(value)) problems.add('policy_shape', `${path}/${field}`, `${placeOf(path)}.${field} must be a list of texts.`);
  else if (value.length > most[field]) {
    const message = `${placeOf(path)} has ${value.length} ${field}; the limit is ${most[field]} a rule.`;
    problems.add('limit_exceeded', `${path}/${field}`, message);
  } else return value;
  return null;
};

const checkHosts = (place: Place, context: RuleContext): string[] => {
  const { path, problems } = place;
  return (listIn(place, 'hosts') ?? []).flatMap((text, index) => {
    const at = `${path}/hosts/${index}`;
    if (typeof text !== 'string') {
      problems.add('policy_shape', at, `${placeOf(at)} must be a text.`);
      return [];
    }
    const checked = checkHost(text, context);
    if (checked.ok) return [checked.host];
    for (const { code, message, suggestion } of checked.problems) problems.add(code, at, message, suggestion);
    return [];
  });
};

const isPresetId = (value: unknown): value is PresetId => (presetIds as readonly unknown[]).includes(value);

const checkPresets = (place: Place): PresetId[] => {
  const { path, problems } = place;
  return (listIn(place, 'presets') ?? []).flatMap((id, index) => {
    if (isPresetId(id)) return [id];
    const at = `${path}/presets/${index}`;
    if (typeof id !== 'string') problems.add('policy_shape', at, `${placeOf(at)} must be a text.`);
    else {
      const near = didYouMean(id, presetIds) || ` Known are ${presetIds.join(', ')}.`;
      problems.add('preset_unknown', at, `Unknown preset "${id.slice(0, 60)}".${near}`);
    }
    return [];
  });
};

const isPort = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;

const checkPorts = ({ rule, path, problems }: Place): number[] | undefined => {
  const value = own(rule, 'ports');
  if (value === undefined) return undefined;
  const at = `${path}/ports`;
  if (Array.isArray(value) && value.length > most.ports) {
    problems.add('limit_exceeded', at, `${placeOf(path)} has ${value.length} ports; the limit is ${most.ports} a rule.`);
    return undefined;
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isPort)) {
    if (new Set(value).size === value.length) return value;
    problems.add('ports_invalid', at, `${placeOf(path)}.ports names a port twice.`);
    return undefined;
  }
  const which = Array.isArray(value) ? value.findIndex((port) => !isPort(port)) : -1;
  problems.add('ports_invalid', which < 0 ? at : `${at}/${which}`, 'ports must be whole numbers from 1 to 65535.');
  return undefined;
};

const checkFlags = ({ rule, path, problems }: Place): void => {
  const [protocol, allowPrivate, note] = [own(rule, 'protocol'), own(rule, 'allow_private'), own(rule, 'note')];
  if (protocol !== undefined && protocol !== 'auto' && protocol !== 'tcp')
    problems.add('policy_shape', `${path}/protocol`, `${placeOf(path)}.protocol must be "auto" or "tcp".`);
  if (allowPrivate !== undefined && typeof allowPrivate !== 'boolean')
    problems.add('policy_shape', `${path}/allow_private`, `${placeOf(path)}.allow_private must be true or false.`);
  if (note !== undefined && typeof note !== 'string') problems.add('policy_shape', `${path}/note`, `${placeOf(path)}.note must be a text.`);
  if (typeof note === 'string' && Array.from(note).length > most.noteCharacters) {
    const message = `The note of ${placeOf(path)} has ${Array.from(note).length} characters; the limit is ${most.noteCharacters}.`;
    problems.add('limit_exceeded', `${path}/note`, message);
  }
};

const isEmptyOrMissing = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0);

/** A rule that names nothing matches nothing; a list that is there names something. */
const checkNamed = ({ rule, path, problems }: Place): void => {
  const empty = (['hosts', 'presets'] as const).filter((field) => isEmptyOrMissing(own(rule, field)));
  if (empty.length === 2) problems.add('rule_empty', path, `${placeOf(path)} names no hosts. To block everything use an empty rules list.`);
  const [field] = empty;
  if (empty.length === 1 && field !== undefined && own(rule, field) !== undefined)
    problems.add('rule_empty', `${path}/${field}`, `${placeOf(path)}.${field} is empty; leave it out or name one.`);
};

/** What does not go together: ports beside presets, a deny rule with what only allow rules have, tcp without an exact place. */
const checkTogether = ({ rule, path, problems }: Place, action: 'allow' | 'deny'): void => {
  const has = (field: (typeof fields)[number]): boolean => own(rule, field) !== undefined;
  if (has('presets') && has('ports')) {
    const message = `Presets carry their own ports: put "ports" of ${placeOf(path)} into a rule of its own.`;
    problems.add('ports_with_preset', `${path}/ports`, message);
  }
  for (const field of ['presets', 'protocol', 'allow_private'] as const)
    if (action === 'deny' && has(field)) problems.add('deny_option', `${path}/${field}`, `Only allow rules can use "${field}".`);
  if (own(rule, 'protocol') !== 'tcp') return;
  if (has('presets')) problems.add('wildcard_tcp', `${path}/presets`, 'tcp rules need an exact host; presets are not looked at as tcp.');
  if (!has('ports')) problems.add('ports_invalid', `${path}/ports`, `A tcp rule needs explicit ports: add "ports" to ${placeOf(path)}.`);
};

const contextOf = (rule: Given, action: 'allow' | 'deny'): RuleContext => ({
  isAllow: action === 'allow',
  hasPorts: own(rule, 'ports') !== undefined,
  isTcp: own(rule, 'protocol') === 'tcp',
  allowsPrivate: own(rule, 'allow_private') === true,
});

/** Checks what stands at `path` and answers the rule with canonical hosts; when a problem was added the answer is not to be used. */
export const checkRule = (given: unknown, path: string, problems: ProblemList): NetworkRule | null => {
  if (!isPlainObject(given)) {
    problems.add('policy_shape', path, `${placeOf(path)} must be an object with "action" and "hosts".`);
    return null;
  }
  const place: Place = { rule: given, path, problems };
  checkFields(place);
  const action = checkAction(place);
  checkNamed(place);
  checkTogether(place, action);
  const hosts = checkHosts(place, contextOf(given, action));
  const presets = checkPresets(place);
  const ports = checkPorts(place);
  checkFlags(place);
  return {
    action,
    ...(own(given, 'hosts') === undefined ? {} : { hosts }),
    ...(own(given, 'presets') === undefined ? {} : { presets }),
    ...(ports === undefined ? {} : { ports: [...ports] }),
    ...(own(given, 'protocol') === undefined ? {} : { protocol: own(given, 'protocol') as 'auto' | 'tcp' }),
    ...(own(given, 'allow_private') === undefined ? {} : { allow_private: own(given, 'allow_private') === true }),
    ...(own(given, 'note') === undefined ? {} : { note: String(own(given, 'note')) }),
  };
};
