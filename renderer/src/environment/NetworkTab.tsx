// What a sandbox of this environment may reach: the mode, the rules in their order, what they open, a test, and what they change.
import './network.css';
import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import type { Editing } from '../store/actions.ts';
import { useDestinations } from '../store/use-egress.ts';
import { Empty } from '../ui/Empty.tsx';
import { Panel } from '../ui/Panel.tsx';
import { AccessTable } from './AccessTable.tsx';
import { DestinationTest } from './DestinationTest.tsx';
import { type Mode, NetworkMode } from './NetworkMode.tsx';
import { PolicyJson } from './PolicyJson.tsx';
import { ProposeButton } from './ProposeButton.tsx';
import { insertRule, policyOf, ruleAt, rulesOf, withoutUnnamed } from './policy-edit.ts';
import { ReplayLine } from './ReplayLine.tsx';
import { RuleList } from './RuleList.tsx';
import { type PolicyCheck, useAccess, usePolicyCheck, useReplay } from './use-policy-check.ts';

const newRule: NetworkRule = { action: 'allow' };

interface RulesPanelProps {
  environmentId: string;
  policy: NetworkPolicy;
  check: PolicyCheck;
  canPropose: boolean;
  onChange: (policy: NetworkPolicy) => void;
}

const NoRules = ({ onAdd, button }: { onAdd: () => void; button: RefObject<HTMLButtonElement | null> }) => (
  <Empty
    icon={<IconPlus size={20} />}
    title="No rule yet, so nothing can be reached"
    actions={
      <Button ref={button} variant="default" onClick={onAdd}>
        Add a rule
      </Button>
    }
  >
    Rules are checked from the top; the first whose host and port match decides, and without a match it is blocked. Access is per host, not
    per action: who may read from a host may send to it too.
  </Empty>
);

const RulesPanel = ({ environmentId, policy, check, canPropose, onChange }: RulesPanelProps) => {
  const [view, setView] = useState<'form' | 'json'>('form');
  const rules = rulesOf(policy);
  const setRules = (next: NetworkRule[]) => onChange(policyOf(next));
  const [fresh, setFresh] = useState<NetworkRule | null>(null);
  const first = useRef<HTMLButtonElement>(null);
  // Who chooses rules goes on with the first one.
  useEffect(() => first.current?.focus(), []);
  const add = () => {
    const added = { ...newRule };
    setFresh(added);
    setRules([...rules, added]);
  };
  const atTop = [...check.errors, ...check.warnings].filter(({ path }) => !path.startsWith('/rules/'));
  return (
    <Panel
      title="Rules"
      note={rules.length === 0 ? undefined : 'The first that matches decides'}
      actions={
        <SegmentedControl
          aria-label="How the rules are shown"
          value={view}
          onChange={(value) => setView(value as typeof view)}
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      }
    >
      {view === 'json' && <PolicyJson {...{ policy, check, onChange }} />}
      {view === 'form' && rules.length === 0 && <NoRules onAdd={add} button={first} />}
      {view === 'form' && rules.length > 0 && <RuleList {...{ rules, check, fresh }} onChange={setRules} />}
      {atTop.map(({ path, message }) => (
        <p key={`${path} ${message}`} className="tone-bad rules-problem" role="alert">
          {message}
        </p>
      ))}
      {view === 'form' && (
        <div className="row rules-foot">
          {rules.length > 0 && (
            <Button variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
              Add rule
            </Button>
          )}
          {canPropose && <ProposeButton environmentId={environmentId} before={policy} onTake={setRules} />}
        </div>
      )}
    </Panel>
  );
};

const modeOf = (policy: NetworkPolicy, wantsRules: boolean): Mode => {
  if (!('rules' in policy)) return 'open';
  return policy.rules.length > 0 || wantsRules ? 'rules' : 'none';
};

/** The policy on the page, and how it is changed. Whoever restricts a privileged sandbox takes the privilege away, since it could lift that. */
const useNetwork = ({ environment, patch, edit }: Editing) => {
  const [wantsRules, setWantsRules] = useState(false);
  const policy = patch.network_policy ?? environment.network_policy;
  const mode = modeOf(policy, wantsRules);
  const set = (next: NetworkPolicy) => edit({ network_policy: next, ...('rules' in next ? { privileged: false } : {}) });
  const setMode = (next: Mode) => {
    setWantsRules(next === 'rules');
    if (next === 'open') set({});
    else if (next === 'none' || mode === 'open') set(policyOf([]));
  };
  return { policy, mode, set, setMode, isEdited: patch.network_policy !== undefined };
};

/** The tab. */
export const NetworkTab = ({ editing }: { editing: Editing }) => {
  const { id, revision } = editing.environment;
  const { policy, mode, set, setMode, isEdited } = useNetwork(editing);
  const rules = rulesOf(policy);
  const { check, isCurrent } = usePolicyCheck(id, policy);
  // What a rule lacks that was only just begun is nobody's mistake yet: the others decide without it.
  const decided = withoutUnnamed(policy);
  const isUnsound = check.errors.some(({ path }) => (ruleAt(path) ?? -1) < rulesOf(decided).length);
  const sound = isCurrent && !isUnsound ? decided : null;
  const replay = useReplay(id, isEdited ? sound : null);
  const seen = useDestinations({ environment_id: id }).sums?.destinations ?? [];
  const access = useAccess(id, sound, `${revision} ${seen[0]?.last_at}`);
  return (
    <div className="network">
      <div className="network-mode">
        <Panel
          title="Network"
          note="Of setup runs and sessions; builds use the runtime's own network"
          actions={
            <Link href={`/network?environment=${id}`} className="link">
              What was tried
            </Link>
          }
        >
          <NetworkMode mode={mode} ruleCount={rules.length} onMode={setMode} />
        </Panel>
      </div>
      {mode === 'rules' && (
        <div className="network-rules">
          <RulesPanel environmentId={id} {...{ policy, check }} canPropose={seen.length > 0} onChange={set} />
        </div>
      )}
      <div className="network-side stack">
        {replay && replay.attempts > 0 && <ReplayLine replay={replay} />}
        {mode !== 'open' && (
          <DestinationTest
            environmentId={id}
            policy={decided}
            isUnsound={isUnsound}
            onAdd={(rule, at) => set(policyOf(insertRule(rules, rule, at)))}
          />
        )}
      </div>
      {access && (
        <div className="network-access">
          <AccessTable access={access} isOld={sound === null} />
        </div>
      )}
    </div>
  );
};
