// The same setup on every connected runtime, as one matrix with the first line of output that differs.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { Status } from '../ui/Status.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { RuntimeName } from './SetupRuns.tsx';
import { capital, runTones } from './setup-words.ts';

export type Parity = CallOutput<'setup_runs.parity'>;

const Matrix = ({ rows }: Pick<Parity, 'rows'>) => (
  <table className="grid-table" aria-label="Setup on each runtime">
    <thead>
      <tr>
        <th scope="col">Runtime</th>
        <th scope="col">Result</th>
        <th scope="col">Exit code</th>
        <th scope="col">Failed at</th>
        <th scope="col">Script time</th>
        <th scope="col">Image</th>
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.runtime}>
          <th scope="row" title={row.runtime}>
            <RuntimeName id={row.runtime} />
          </th>
          <td title={row.message ?? undefined}>
            <Status tone={runTones[row.status]} label={capital(row.status)} />
          </td>
          <td className="num">{row.exit_code ?? '–'}</td>
          <td className="num">{row.failed_line === null ? '–' : `Line ${row.failed_line}`}</td>
          <td className="num">{formatDuration(row.duration_ms)}</td>
          <td className="num">{row.image_size === null ? '–' : formatBytes(row.image_size)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Difference = ({ difference }: { difference: NonNullable<Parity['first_difference']> }) => (
  <section aria-label="First line of output that differs" className="setup-difference">
    <h2 className="panel-title">First difference: line {difference.index + 1} of the output</h2>
    <div className="setup-difference-sides">
      {Object.entries(difference.lines).map(([runtime, text]) => (
        <div key={runtime}>
          <div className="dim">
            <RuntimeName id={runtime} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls sideways */}
          <pre className="setup-tail" tabIndex={0}>
            {text ?? '(ended before this line)'}
          </pre>
        </div>
      ))}
    </div>
  </section>
);

const Answer = ({ parity }: { parity: Parity }) => {
  const isSame = new Set(parity.rows.map((row) => `${row.status} ${row.exit_code} ${row.failed_line}`)).size === 1;
  return (
    <>
      <Matrix rows={parity.rows} />
      {parity.first_difference ? (
        <Difference difference={parity.first_difference} />
      ) : (
        <p className="setup-nothing">
          {isSame ? 'Same result and the same output, line for line.' : 'The output is the same, the result is not.'}
        </p>
      )}
    </>
  );
};

interface SetupParityProps {
  environmentId: string;
  /** Why no run can start now. */
  obstacle: string | null;
  isDirty: boolean;
  parity: Parity | null;
  onParity: (parity: Parity) => void;
}

/** The view. */
export const SetupParity = ({ environmentId, obstacle, isDirty, parity, onParity }: SetupParityProps) => {
  const ask = useAsk();
  const connected = useStored((state) => state.runtimes.filter((runtime) => runtime.status === 'connected').map((runtime) => runtime.id));
  const { isBusy, run } = useBusy('The runtimes were not compared');
  const [startedAt, setStartedAt] = useState(0);
  if (connected.length < 2)
    return (
      <p className="setup-nothing">
        One runtime is connected, so there is nothing to compare.{' '}
        <Link href="/runtimes" className="link">
          See Runtimes
        </Link>
      </p>
    );
  const compare = async () => {
    setStartedAt(Date.now());
    const answer = await run(ask('setup_runs.parity', { environment_id: environmentId }));
    if (answer) onParity(answer);
  };
  return (
    <div className="setup-view">
      <div className="setup-pane-head">
        <span className="grow dim">
          Runs the saved script on each of {connected.length} runtimes, one after the other. The verdict does not change.
        </span>
        <Button
          variant="default"
          loading={isBusy}
          disabled={obstacle !== null}
          title={obstacle ?? undefined}
          onClick={() => void compare()}
        >
          Compare runtimes
        </Button>
      </div>
      {isDirty && <Banner isBar tone="plain" title="Your unsaved edits are not in it." next="Save first to compare what you see." />}
      {isBusy && startedAt > 0 && (
        <Banner isBar tone="run" title="Setup runs on one runtime after the other." next="This takes as long as all their runs together." />
      )}
      {parity && !isBusy && <Answer parity={parity} />}
    </div>
  );
};
