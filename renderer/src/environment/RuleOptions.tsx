// What a rule can say beside hosts and ports: how bytes are looked at, whether it may lead to private addresses, a note.
import { Select, Switch, TextInput } from '@mantine/core';
import type { NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { privateLabel, tidyRule } from './policy-edit.ts';
import type { PolicyCheck } from './use-policy-check.ts';

/** Whether it says anything of them. */
export const hasOptions = ({ protocol, allow_private }: NetworkRule): boolean => protocol === 'tcp' || allow_private === true;

/** Whether one of them is what is wrong, or what would mend it. */
export const wantsOptions = (errors: PolicyCheck['errors'], path: string): boolean =>
  errors.some(({ code, path: at }) =>
    code === 'address_private'
      ? at.startsWith(`${path}/hosts/`)
      : [`${path}/protocol`, `${path}/allow_private`, `${path}/note`].includes(at),
  );

interface RuleOptionsProps {
  rule: NetworkRule;
  onChange: (rule: NetworkRule) => void;
}

/** The fields. */
export const RuleOptions = ({ rule, onChange }: RuleOptionsProps) => (
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
          label={privateLabel}
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
