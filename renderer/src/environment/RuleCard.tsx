// One rule of a network policy: what it does, for which hosts and presets, on which ports; problems stand where they are.
import { ActionIcon, MultiSelect, SegmentedControl, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react';
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { NetworkRule, PresetId } from '../../../sandbox-engine/contract/model.ts';
import { ChipField, type ChipProblem } from '../ui/ChipField.tsx';
import { ruleHow, ruleText, ruleWhat } from '../ui/rule-text.ts';
import { TagField } from '../ui/TagField.tsx';
import { byEntry, inFormWords, isUnnamed, missingApex, placedUnder, privateLabel, tidyRule } from './policy-edit.ts';
import { presetChoices } from './preset-words.ts';
import { hasOptions, RuleOptions, wantsOptions } from './RuleOptions.tsx';
import type { PolicyCheck } from './use-policy-check.ts';

/** Rules that are shown whole; in a longer list each is one line until it is pressed. */
const mostOpen = 4;

interface RuleCardProps {
  rule: NetworkRule;
  index: number;
  count: number;
  check: PolicyCheck;
  /** It was just added: its first field has the focus. */
  isNew?: boolean;
  /** The handle by which it is dragged. */
  handle: ReactNode;
  onChange: (rule: NetworkRule) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** Problems of list entries first, warnings where nothing is wrong. */
const entryProblems = ({ errors, warnings }: PolicyCheck, path: string): Map<number, ChipProblem> => {
  const found = new Map<number, ChipProblem>();
  for (const [index, { message }] of byEntry(warnings, path)) found.set(index, { message, isWarning: true });
  for (const [index, { message, suggestion }] of byEntry(errors, path)) found.set(index, { message, suggestion });
  return found;
};

/** What is said about the rule as a whole, or about a field that is no list. */
const wholeProblems = ({ errors, warnings }: PolicyCheck, path: string) => {
  const isElsewhere = (one: { path: string }) => one.path.startsWith(`${path}/hosts/`);
  return {
    errors: placedUnder(errors, path).filter((one) => !isElsewhere(one)),
    warnings: placedUnder(warnings, path).filter((one) => !isElsewhere(one)),
  };
};

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

type FieldProps = Pick<RuleCardProps, 'rule' | 'index' | 'check' | 'onChange'>;

const Hosts = ({ rule, index, check, onChange }: FieldProps) => {
  const hosts = rule.hosts ?? [];
  const set = (next: string[]) => onChange(tidyRule({ ...rule, hosts: next }));
  const isPrivate = placedUnder(check.errors, `/rules/${index}/hosts`).some(({ code }) => code === 'address_private');
  return (
    <div className="rule-hosts">
      <ChipField
        label="Hosts"
        name={`Hosts of rule ${index + 1}`}
        placeholder="api.example.com, *.example.com, 10.1.2.3"
        value={hosts}
        onChange={set}
        problems={entryProblems(check, `/rules/${index}/hosts`)}
      />
      {missingApex(hosts).map((apex) => (
        <UnstyledButton key={apex} className="rule-offer" onClick={() => set([...hosts, apex])}>
          <IconPlus size={12} aria-hidden="true" /> and {apex} itself
        </UnstyledButton>
      ))}
      {isPrivate && (
        <UnstyledButton className="rule-offer" onClick={() => onChange(tidyRule({ ...rule, allow_private: true }))}>
          Turn it on<span className="visually-hidden">: {privateLabel}</span>
        </UnstyledButton>
      )}
    </div>
  );
};

const Ports = ({ rule, index, check, onChange }: FieldProps) => {
  const [refused, setRefused] = useState<string | null>(null);
  const problem = placedUnder(check.errors, `/rules/${index}/ports`)[0]?.message;
  return (
    <TagField
      label="Ports"
      placeholder={rule.ports === undefined ? (rule.action === 'allow' ? '443 and 80' : 'every port') : ''}
      error={refused ?? problem}
      splitChars={[',', ' ']}
      maxTags={32}
      value={(rule.ports ?? []).map(String)}
      onChange={(values) => {
        const bad = values.find((value) => !isPort(value));
        setRefused(bad === undefined ? null : `“${bad}” is no port: 1 to 65535.`);
        onChange(tidyRule({ ...rule, ports: values.filter(isPort).map(Number) }));
      }}
    />
  );
};

const Buttons = ({ index, count, onMove, onRemove }: Pick<RuleCardProps, 'index' | 'count' | 'onMove' | 'onRemove'>) => (
  <div className="row rule-buttons">
    <Tooltip label="Move up">
      <ActionIcon aria-label={`Move rule ${index + 1} up`} disabled={index === 0} onClick={() => onMove(index - 1)}>
        <IconArrowUp size={14} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label="Move down">
      <ActionIcon aria-label={`Move rule ${index + 1} down`} disabled={index === count - 1} onClick={() => onMove(index + 1)}>
        <IconArrowDown size={14} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label="Remove">
      <ActionIcon aria-label={`Remove rule ${index + 1}`} onClick={onRemove}>
        <IconTrash size={14} />
      </ActionIcon>
    </Tooltip>
  </div>
);

/** What is wrong, and what is worth knowing; of a folded rule what its fields would say too, and nothing that is only worth knowing. */
const Said = ({ check, path, isFolded }: { check: PolicyCheck; path: string; isFolded: boolean }) => {
  const whole = wholeProblems(check, path);
  const errors = isFolded ? placedUnder(check.errors, path) : whole.errors;
  const warnings = isFolded ? whole.warnings.filter(({ code }) => code === 'shadowed_rule') : whole.warnings;
  if (errors.length + warnings.length === 0) return null;
  return (
    <ul className="rule-said">
      {errors.map(({ message, path: at }) => (
        <li key={`${at} ${message}`} className="tone-bad">
          {message}
        </li>
      ))}
      {warnings.map(({ message, path: at }) => (
        <li key={`${at} ${message}`} className="tone-warn">
          {message}
        </li>
      ))}
    </ul>
  );
};

/** The rule in one line; pressed, it is edited. */
const Folded = ({ rule, index, isShadowed, onOpen }: { rule: NetworkRule; index: number; isShadowed: boolean; onOpen: () => void }) => (
  <UnstyledButton className="rule-line" aria-expanded={false} aria-label={`Edit rule ${index + 1}`} onClick={onOpen}>
    <span className={`rule-action is-${rule.action}`}>{rule.action === 'allow' ? 'Allow' : 'Deny'}</span>
    <span className="mono clip">{ruleWhat(rule)}</span>
    <span className="dim clip">
      {isShadowed && <span className="tag rule-tag">Never reached</span>}
      {[...ruleHow(rule), ...(rule.note ? [rule.note] : [])].join(' · ')}
    </span>
  </UnstyledButton>
);

const Fields = ({ rule, index, check, onChange }: FieldProps) => {
  const [isOpen, setOpen] = useState(hasOptions(rule));
  const isShown = isOpen || wantsOptions(check.errors, `/rules/${index}`);
  return (
    <>
      <Hosts {...{ rule, index, check, onChange }} />
      <div className="rule-fields">
        {((rule.hosts ?? []).length > 0 || rule.ports !== undefined) && <Ports {...{ rule, index, check, onChange }} />}
        {rule.action === 'allow' && (
          <MultiSelect
            size="xs"
            label="Presets"
            placeholder={(rule.presets ?? []).length === 0 ? 'None' : ''}
            data={presetChoices}
            value={rule.presets ?? []}
            onChange={(presets) => onChange(tidyRule({ ...rule, presets: presets as PresetId[] }))}
          />
        )}
        <UnstyledButton className="rule-more" aria-expanded={isShown} onClick={() => setOpen(!isShown)}>
          {isShown ? <IconChevronDown size={13} /> : <IconChevronRight size={13} />} Options
        </UnstyledButton>
      </div>
      {isShown && (
        <RuleOptions
          rule={rule}
          onChange={(next) => {
            setOpen(true);
            onChange(next);
          }}
        />
      )}
    </>
  );
};

/** A rule that was just added has the focus in its first field, and says nothing of what it lacks until it is left. */
const useNew = (rule: NetworkRule, isNew: boolean) => {
  const fields = useRef<HTMLElement>(null);
  const wasNew = useRef(isNew);
  const [isQuiet, setQuiet] = useState(isNew);
  useEffect(() => {
    if (wasNew.current) fields.current?.querySelector<HTMLElement>('.rule-hosts input')?.focus();
  }, []);
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => !currentTarget.contains(relatedTarget) && setQuiet(false);
  return { isQuiet: isQuiet && isUnnamed(rule), place: { ref: fields, onBlur } };
};

/** The card. In a long policy each rule is one line, so that their order can be read; one that names nothing yet is open. */
export const RuleCard = ({ rule, index, count, check: found, isNew = false, handle, onChange, onMove, onRemove }: RuleCardProps) => {
  const path = `/rules/${index}`;
  const check = { ...found, errors: placedUnder(found.errors, path).map((one) => inFormWords(one, rule)) };
  const [isOpen, setOpen] = useState(count <= mostOpen || isUnnamed(rule));
  const { isQuiet, place } = useNew(rule, isNew);
  const isShadowed = check.warnings.some(({ code, path: at }) => code === 'shadowed_rule' && at === path);
  const classes = ['rule', `is-${rule.action}`, isShadowed && 'is-shadowed', !isOpen && 'is-folded'].filter(Boolean).join(' ');
  return (
    <section className={classes} aria-label={`Rule ${index + 1}: ${ruleText(rule)}`} {...place}>
      <div className="rule-head">
        {handle}
        <span className="num dim">{index + 1}</span>
        {isOpen ? (
          <SegmentedControl
            aria-label={`What rule ${index + 1} does`}
            data={[
              { value: 'allow', label: 'Allow' },
              { value: 'deny', label: 'Deny' },
            ]}
            value={rule.action}
            onChange={(action) => onChange(tidyRule({ ...rule, action: action as NetworkRule['action'] }))}
          />
        ) : (
          <Folded {...{ rule, index, isShadowed }} onOpen={() => setOpen(true)} />
        )}
        {isOpen && isShadowed && <span className="tag">Never reached</span>}
        {isOpen && rule.note && <span className="dim clip">{rule.note}</span>}
        <span className="grow" />
        <Buttons {...{ index, count, onMove, onRemove }} />
        {isOpen && count > mostOpen && (
          <Tooltip label="Fold">
            <ActionIcon aria-label={`Fold rule ${index + 1}`} aria-expanded onClick={() => setOpen(false)}>
              <IconChevronDown size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {isOpen && <Fields {...{ rule, index, check, onChange }} />}
      {!isQuiet && <Said check={check} path={path} isFolded={!isOpen} />}
    </section>
  );
};
