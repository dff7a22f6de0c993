// What one environment has on disk, with its sessions.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type DiskUsage, useDisk } from '../store/use-disk.ts';
import { Ago } from '../ui/Ago.tsx';
import { Facts } from '../ui/Facts.tsx';
import { formatBytes } from '../ui/format.ts';
import { Panel } from '../ui/Panel.tsx';

type Row = DiskUsage['environments'][number];

const Sessions = ({ row }: { row: Row }) => (
  <table className="grid-table" aria-label="Workspaces of its sessions">
    <thead>
      <tr>
        <th>Session</th>
        <th style={{ textAlign: 'right' }}>Workspace</th>
      </tr>
    </thead>
    <tbody>
      {row.sessions.map(({ session_id, name, workspace_bytes, is_over }) => (
        <tr key={session_id}>
          <td>
            <Link href={`/sessions/${session_id}`}>{name}</Link>
            {is_over && <span className="tone-warn"> over {row.disk_gib} GiB</span>}
          </td>
          <td className="num" style={{ textAlign: 'right' }}>
            {workspace_bytes === null ? 'not known' : formatBytes(workspace_bytes)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The panel. */
export const StoragePanel = ({ environmentId }: { environmentId: string }) => {
  const { usage, isMeasuring, measure } = useDisk();
  const [trouble, setTrouble] = useState<string | null>(null);
  const row = usage?.environments.find(({ environment_id }) => environment_id === environmentId);
  return (
    <Panel
      title="On disk"
      note={
        usage?.measured_at ? (
          <>
            Measured <Ago at={usage.measured_at} />
          </>
        ) : (
          'Images, workspaces, logs'
        )
      }
      actions={
        <Button variant="default" loading={isMeasuring} onClick={() => void measure().then(setTrouble)}>
          {row === undefined ? 'Measure' : 'Measure again'}
        </Button>
      }
    >
      {trouble !== null && (
        <div className="tone-bad" role="alert">
          {trouble}
        </div>
      )}
      {row === undefined ? (
        <span className="faint">Not measured yet.</span>
      ) : (
        <div className="stack">
          <Facts
            items={[
              ['Images', `${formatBytes(row.images_bytes)} of its own, ${formatBytes(row.shared_bytes)} in layers that others use, too`],
              ['Prepared by setup', formatBytes(row.prepared_bytes)],
              ['Workspaces', formatBytes(row.workspaces_bytes)],
              ['Sandboxes', `${formatBytes(row.containers_bytes)} outside of their workspaces`],
              ['Logs and output', formatBytes(row.streams_bytes)],
            ]}
          />
          {row.sessions.length > 0 && <Sessions row={row} />}
          <span className="faint">
            What nothing needs any more can go on the{' '}
            <Link href="/storage" className="link">
              Storage
            </Link>{' '}
            page.
          </span>
        </div>
      )}
    </Panel>
  );
};
