// One rule of a network policy: what it does, for which hosts and presets, on which ports; problems stand where they are.
import { ActionIcon, MultiSelect, SegmentedControl, Select, Switch, TagsInput, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { NetworkRule, PresetId } from '../../../sandbox-engine/contract/model.ts';
import { ChipField, type ChipProblem } from '../ui/ChipField.tsx';
import { ruleText } from '../ui/rule-text.ts';
import { byEntry, missingApex, placedUnder, tidyRule } from './policy-edit.ts';
import { presetChoices } from './preset-words.ts';
import type { PolicyCheck } from './use-policy-check.ts';

interface RuleCardProps {
  rule: NetworkRule;
  index: number;
  count: number;
  check: PolicyCheck;
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

const Hosts = ({ rule, index, check, onChange }: Pick<RuleCardProps, 'rule' | 'index' | 'check' | 'onChange'>) => {
  const hosts = rule.hosts ?? [];
  const set = (next: string[]) => onChange(tidyRule({ ...rule, hosts: next }));
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
    </div>
  );
};

const Ports = ({ rule, index, check, onChange }: Pick<RuleCardProps, 'rule' | 'index' | 'check' | 'onChange'>) => {
  const [refused, setRefused] = useState<string | null>(null);
  const problem = placedUnder(check.errors, `/rules/${index}/ports`)[0]?.message;
  return (
    <TagsInput
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

const hasOptions = ({ protocol, allow_private }: NetworkRule): boolean => protocol === 'tcp' || allow_private === true;

const Options = ({ rule, onChange }: Pick<RuleCardProps, 'rule' | 'onChange'>) => (
  <div className="rule-options">
    {rule.action === 'allow' && (
      <>
        <Select
          label="Protocol"
          allowDeselect={false}
          data={[
            { value: 'auto', label: 'TLS or HTTP, which must name the host' },
            { value: 'tcp', label: 'Any, bytes not looked at (SSH, databases)' },
          ]}
          value={rule.protocol ?? 'auto'}
          onChange={(value) => onChange(tidyRule({ ...rule, protocol: value === 'tcp' ? 'tcp' : 'auto' }))}
        />
        <Switch
          className="rule-private"
          label="May lead to private addresses"
          checked={rule.allow_private === true}
          onChange={(event) => onChange(tidyRule({ ...rule, allow_private: event.currentTarget.checked }))}
        />
      </>
    )}
    <TextInput
      className="rule-note"
      label="Note"
      maxLength={200}
      placeholder="Why this rule is here"
      value={rule.note ?? ''}
      onChange={(event) => onChange(tidyRule({ ...rule, note: event.currentTarget.value }))}
    />
  </div>
);

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

const Said = ({ check, path }: { check: PolicyCheck; path: string }) => {
  const { errors, warnings } = wholeProblems(check, path);
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

/** The card. */
export const RuleCard = ({ rule, index, count, check, handle, onChange, onMove, onRemove }: RuleCardProps) => {
  const [isOpen, setOpen] = useState(hasOptions(rule));
  const path = `/rules/${index}`;
  const isShadowed = check.warnings.some(({ code, path: at }) => code === 'shadowed_rule' && at === path);
  return (
    <section className={`rule${isShadowed ? ' is-shadowed' : ''} is-${rule.action}`} aria-label={`Rule ${index + 1}: ${ruleText(rule)}`}>
      <div className="rule-head">
        {handle}
        <span className="num dim">{index + 1}</span>
        <SegmentedControl
          aria-label={`What rule ${index + 1} does`}
          data={[
            { value: 'allow', label: 'Allow' },
            { value: 'deny', label: 'Deny' },
          ]}
          value={rule.action}
          onChange={(action) => onChange(tidyRule({ ...rule, action: action as NetworkRule['action'] }))}
        />
        {isShadowed && <span className="tag">Never reached</span>}
        {!isOpen && rule.note && <span className="dim clip">{rule.note}</span>}
        <span className="grow" />
        <Buttons {...{ index, count, onMove, onRemove }} />
      </div>
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
        <UnstyledButton className="rule-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? <IconChevronDown size={13} /> : <IconChevronRight size={13} />} Options
        </UnstyledButton>
      </div>
      {isOpen && <Options {...{ rule, onChange }} />}
      <Said check={check} path={path} />
    </section>
  );
};
