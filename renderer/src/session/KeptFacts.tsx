// Beside the terminals: how large the workspace is, and until when it is kept.
import { Switch, UnstyledButton } from '@mantine/core';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { Facts } from '../ui/Facts.tsx';
import { clockTime, formatBytes, formatSeconds } from '../ui/format.ts';
import { useBusy } from '../ui/use-busy.ts';

const keptWords = (session: Session, retentionSeconds: number | undefined): string => {
  if (session.deleted_at) return `Until ${clockTime(session.delete_at ?? '')}`;
  if (session.keep_forever === true) return 'Until deleted by hand';
  if (session.delete_at) return `Until ${clockTime(session.delete_at)}`;
  if (session.status === 'stopped' || !retentionSeconds) return 'Until deleted by hand';
  return `${formatSeconds(retentionSeconds)} after it stops`;
};

/** The block. */
export const KeptFacts = ({ session }: { session: Session }) => {
  const ask = useAsk();
  const environment = useStored((state) => state.environments[session.environment_id]);
  const { isBusy, run } = useBusy('That did not work');
  const { workspace_bytes: bytes, workspace_measured_at: at } = session;
  const isOver = bytes != null && environment !== undefined && bytes > environment.disk_gib * 1024 ** 3;
  const idle = environment?.idle_stop_seconds ?? 0;
  return (
    <div className="side-block">
      <h2 className="side-title">
        Workspace
        <span className="grow" />
        <UnstyledButton
          className="link"
          fz={12}
          disabled={isBusy}
          onClick={() => void run(ask('sessions.measure', { session_id: session.id }))}
        >
          {isBusy ? 'Measuring…' : 'Measure'}
        </UnstyledButton>
      </h2>
      <Facts
        items={[
          [
            'Size',
            <span key="size" title={at ? `Measured ${clockTime(at)}` : undefined}>
              {bytes == null ? 'Not measured yet' : formatBytes(bytes)}
            </span>,
          ],
          ['Kept', keptWords(session, environment?.retention_seconds)],
          ['Idle stop', idle === 0 ? 'Never' : `After ${formatSeconds(idle)}`],
        ]}
      />
      {isOver && (
        <div className="tone-warn">
          Larger than the {environment.disk_gib} GiB of its environment. The runtime does not limit it: free some space.
        </div>
      )}
      <Switch
        mt={8}
        label="Keep until I delete it"
        checked={session.keep_forever === true}
        disabled={Boolean(session.deleted_at)}
        onChange={(event) => void run(ask('sessions.keep', { session_id: session.id, forever: event.currentTarget.checked }))}
      />
    </div>
  );
};
