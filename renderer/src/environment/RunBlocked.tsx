// What the network policy blocked in a setup run, each with the lines that tried it and the rule that allows it one press away. The rule is an edit like any
// other: it is saved when one saves, and the run is started again by hand.
import { Button } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { Link } from 'wouter';
import type {
  ContactedDestination,
  EnvironmentView,
  LoggedAttempt,
  NetworkRule,
  SetupRun,
} from '../../../sandbox-engine/contract/model.ts';
import { useAsk, useEditing } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { useAttempts, useDestinations } from '../store/use-egress.ts';
import { Banner } from '../ui/Banner.tsx';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { counted } from '../ui/format.ts';
import { notifyDone } from '../ui/notify.tsx';
import { ruleText } from '../ui/rule-text.ts';
import { useBusy } from '../ui/use-busy.ts';
import { insertRule, policyOf, rulesOf } from './policy-edit.ts';

interface RunBlockedProps {
  run: SetupRun;
  environment: EnvironmentView;
  onLine: (line: number) => void;
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
    notifyDone(`A rule for ${destination} is on the Network tab. Save, then test setup again.`, {
      label: 'Network',
      href: `/environments/${environment.id}/network`,
    });
  };
  return { policy, add, isBusy };
};

const hasRule = (rules: readonly NetworkRule[], rule: NetworkRule): boolean =>
  rules.some(({ action, hosts = [] }) => action === 'allow' && rule.hosts?.every((host) => hosts.includes(host)) === true);

interface RowProps extends Pick<RunBlockedProps, 'environment' | 'onLine'> {
  destination: ContactedDestination;
  /** Of the script, that tried it. */
  lines: readonly number[];
}

const Row = ({ destination, lines, environment, onLine }: RowProps) => {
  const { policy, add, isBusy } = useAddRule(environment);
  const { host, port, now } = destination;
  const where = `${host}${port === null ? '' : `:${port}`}`;
  const rule = now?.how_to_allow ?? null;
  const isThere = rule !== null && hasRule(rulesOf(policy), rule);
  const why = now === null || now.verdict === 'allowed' ? 'Allowed meanwhile.' : 'No rule can open it.';
  return (
    <li className="run-blocked-row">
      <EgressVerdict verdict="blocked" reason={destination.last_reason} />
      <div className="grow">
        <div className="row">
          <span className="mono clip" title={now?.sentence}>
            {where}
          </span>
          {lines.map((line) => (
            <button key={line} type="button" className="setup-line-link num" onClick={() => onLine(line)}>
              Line {line}
            </button>
          ))}
        </div>
        <div className="dim run-blocked-rule">{rule === null ? why : ruleText(rule)}</div>
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

/** The lines that tried a destination, the first ones. */
const linesOf = (attempts: readonly LoggedAttempt[], { host, port }: ContactedDestination): number[] => {
  const of = attempts.filter((attempt) => attempt.host === host && attempt.port === port);
  const lines = of.flatMap(({ cause }) => (cause?.kind === 'setup_line' ? [cause.line] : []));
  return [...new Set(lines)].sort((one, other) => one - other).slice(0, 4);
};

/** What to do where no rule helps, each way once; a run that failed has said so. */
const waysInstead = (run: SetupRun, destinations: readonly ContactedDestination[]): string[] =>
  run.status === 'failed' ? [] : [...new Set(destinations.flatMap(({ now }) => (now?.how_to_allow ? [] : (now?.instead ?? []))))];

const List = ({ run, environment, onLine }: RunBlockedProps) => {
  const asked = { setup_run_id: run.id, verdict: 'blocked' } as const;
  const { sums } = useDestinations(asked);
  const { list } = useAttempts(asked, false);
  const named = (sums?.destinations ?? []).filter(({ host }) => host !== null);
  if (named.length === 0) return null;
  return (
    <>
      {run.status === 'succeeded' && (
        <Banner
          isBar
          tone="warn"
          title={`The script passed, but ${counted(named.length, 'destination')} ${named.length === 1 ? 'was' : 'were'} blocked.`}
          next="Look whether the lines below got what they wanted. Allow what is needed, and test setup again."
        />
      )}
      <section className="run-blocked" aria-label="Blocked in this run">
        <ul>
          {named.slice(0, 20).map((destination) => (
            <Row
              key={`${destination.host} ${destination.port}`}
              {...{ destination, environment, onLine }}
              lines={linesOf(list?.attempts ?? [], destination)}
            />
          ))}
        </ul>
        {waysInstead(run, named).map((way) => (
          <p key={way} className="dim run-blocked-rule">
            {way}
          </p>
        ))}
        <Link href={`/network?environment=${environment.id}`} className="link">
          All that was tried
        </Link>
      </section>
    </>
  );
};

/** The list; nothing for a run that failed for another reason, or was observed. */
export const RunBlocked = ({ run, onLine }: Omit<RunBlockedProps, 'environment'>) => {
  const environment = useStored((state) => state.environments[run.environment_id]);
  const isTold = run.hint_code === 'egress_blocked' || (run.status === 'succeeded' && !run.observed);
  if (environment === undefined || !isTold) return null;
  return <List run={run} environment={environment} onLine={onLine} />;
};
