// What the network policy blocked in a failed setup run, each with the rule that allows it one press away. The rule is an edit like any
// other: it is saved when one saves, and the run is started again by hand.
import { Button } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { ContactedDestination, EnvironmentView, NetworkRule, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { useAsk, useEditing } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { useDestinations } from '../store/use-egress.ts';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { ruleText } from '../ui/rule-text.ts';
import { useBusy } from '../ui/use-busy.ts';
import { insertRule, policyOf, rulesOf } from './policy-edit.ts';

interface RunBlockedProps {
  run: SetupRun;
  environment: EnvironmentView;
}

/** Puts a rule into the policy on the page, where it decides. */
const useAddRule = (environment: EnvironmentView) => {
  const ask = useAsk();
  const { patch, edit } = useEditing(environment);
  const { isBusy, run } = useBusy('The rule was not added');
  const policy = patch.network_policy ?? environment.network_policy;
  const add = async (rule: NetworkRule, destination: string) => {
    const asked = { environment_id: environment.id, destination, network_policy: policy };
    const now = await run(ask('egress.test', asked));
    if (now === null) return;
    edit({ network_policy: policyOf(insertRule(rulesOf(policy), rule, now.insert_at ?? rulesOf(policy).length)), privileged: false });
    notifyDone(`A rule for ${destination} is on the Network tab. Save, then test setup again.`);
  };
  return { policy, add, isBusy };
};

const hasRule = (rules: readonly NetworkRule[], rule: NetworkRule): boolean =>
  rules.some(({ action, hosts = [] }) => action === 'allow' && rule.hosts?.every((host) => hosts.includes(host)) === true);

const Row = ({ destination, environment }: { destination: ContactedDestination; environment: EnvironmentView }) => {
  const { policy, add, isBusy } = useAddRule(environment);
  const { host, port, now } = destination;
  const where = `${host}${port === null ? '' : `:${port}`}`;
  const rule = now?.how_to_allow ?? null;
  const isThere = rule !== null && hasRule(rulesOf(policy), rule);
  return (
    <li className="run-blocked-row">
      <EgressVerdict verdict="blocked" />
      <div className="grow">
        <div className="mono clip" title={now?.sentence}>
          {where}
        </div>
        <div className="dim run-blocked-rule">
          {rule === null ? (now?.verdict === 'allowed' ? 'allowed meanwhile' : 'no rule can allow it') : ruleText(rule)}
        </div>
      </div>
      {rule !== null && (
        <Button
          variant="default"
          loading={isBusy}
          disabled={isThere}
          leftSection={isThere ? <IconCheck size={13} /> : <IconPlus size={13} />}
          onClick={() => void add(rule, where)}
        >
          {isThere ? 'Added' : 'Add rule'}
          <span className="visually-hidden"> for {where}</span>
        </Button>
      )}
    </li>
  );
};

const List = ({ run, environment }: RunBlockedProps) => {
  const { sums } = useDestinations({ setup_run_id: run.id, verdict: 'blocked' });
  const named = (sums?.destinations ?? []).filter(({ host }) => host !== null);
  if (named.length === 0) return null;
  return (
    <section className="run-blocked" aria-label="Blocked in this run">
      <ul>
        {named.slice(0, 20).map((destination) => (
          <Row key={`${destination.host} ${destination.port}`} {...{ destination, environment }} />
        ))}
      </ul>
      <Link href="/network" className="link">
        All that was tried
      </Link>
    </section>
  );
};

/** The list; nothing for a run that failed for another reason. */
export const RunBlocked = ({ run }: { run: SetupRun }) => {
  const environment = useStored((state) => state.environments[run.environment_id]);
  if (environment === undefined || run.hint_code !== 'egress_blocked') return null;
  return <List run={run} environment={environment} />;
};
