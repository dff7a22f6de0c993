// Under an observed run: that it proves nothing, and the way on: the smallest rules that cover it, saved by one press and proven by the next run.
import { Button } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import type { EnvironmentView, NetworkPolicy, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { useDestinations } from '../store/use-egress.ts';
import { useProposal } from '../store/use-proposal.ts';
import { Banner } from '../ui/Banner.tsx';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { counted } from '../ui/format.ts';
import { ProposalDialog } from '../ui/ProposalDialog.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { ReplayLine } from './ReplayLine.tsx';
import { isInFlight } from './setup-words.ts';
import { useReplay } from './use-policy-check.ts';

interface ObservedRunProps {
  run: SetupRun;
  /** Saves the policy with what else is edited, and tests setup under it. */
  onEnforce: (policy: NetworkPolicy) => void;
}

const about =
  'The smallest rules that cover what this run contacted: exact hosts and ports, no wildcard. They take the place of the environment’s rules; setup is then tested under them.';
const besides = ' What else you have edited is saved with them.';

const Way = ({ run, environment, onEnforce }: ObservedRunProps & { environment: EnvironmentView }) => {
  const { isBusy, run: ask } = useBusy('Nothing could be proposed');
  const { proposal, withBlocked, propose, close } = useProposal(ask, { setup_run_id: run.id });
  const replay = useReplay(environment.id, proposal?.policy ?? null);
  const isDirty = useStored((state) => state.drafts[environment.id] !== undefined);
  return (
    <>
      <Button variant="default" leftSection={<IconWand size={14} />} loading={isBusy} onClick={() => void propose(false)}>
        Propose rules
      </Button>
      <ProposalDialog
        {...{ proposal, withBlocked, isBusy }}
        before={environment.network_policy}
        about={isDirty ? `${about}${besides}` : about}
        title="Rules from the observed run"
        preview={replay && replay.attempts > 0 ? <ReplayLine replay={replay} of="Of all that its sessions and runs have tried: " /> : null}
        confirm="Save and test setup"
        onBlocked={(next) => void propose(next)}
        onClose={close}
        onConfirm={({ policy }) => {
          close();
          onEnforce(policy);
        }}
      />
    </>
  );
};

const mostSeen = 20;

/** What was seen is what it was observed for. */
const Seen = ({ run }: { run: SetupRun }) => {
  const { sums } = useDestinations({ setup_run_id: run.id });
  const named = (sums?.destinations ?? []).filter(({ host }) => host !== null);
  if (sums === null) return null;
  return (
    <section className="run-blocked" aria-label="Reached in this run">
      {named.length === 0 && <span className="dim">It reached for nothing.</span>}
      <ul>
        {named.slice(0, mostSeen).map(({ host, port, last_verdict, last_reason }) => (
          <li key={`${host} ${port}`} className="run-blocked-row">
            <EgressVerdict verdict={last_verdict} reason={last_reason} />
            <span className="mono clip grow">
              {host}
              {port === null ? '' : `:${port}`}
            </span>
          </li>
        ))}
      </ul>
      {named.length > mostSeen && <span className="dim">and {counted(named.length - mostSeen, 'destination')} more</span>}
    </section>
  );
};

/** The banner; nothing for a run that was not observed. */
export const ObservedRun = ({ run, onEnforce }: ObservedRunProps) => {
  const environment = useStored((state) => state.environments[run.environment_id]);
  if (!run.observed || environment === undefined) return null;
  const isOver = !isInFlight(run);
  return (
    <>
      <Banner
        isBar
        tone="warn"
        title={isOver ? 'This run was observed: it proves nothing' : 'This run is observed: everything public passes'}
        next={
          isOver
            ? 'Everything public could be reached, so that it could be seen what the script needs. Make rules of it, and test setup under them.'
            : 'Each destination is written down with the line that tried it.'
        }
        actions={isOver ? <Way {...{ run, environment, onEnforce }} /> : undefined}
      />
      <Seen run={run} />
    </>
  );
};
