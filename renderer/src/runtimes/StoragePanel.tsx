// What Sandlot has on disk: by runtime, by environment, its own; and what can go, which nothing removes before it was seen.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { type DiskUsage, useDisk } from '../store/use-disk.ts';
import { Ago } from '../ui/Ago.tsx';
import { formatBytes } from '../ui/format.ts';
import { Panel } from '../ui/Panel.tsx';

const Bytes = ({ of }: { of: number | null }) => (
  <td className="num" style={{ textAlign: 'right' }}>
    {of === null ? <span className="faint">not known</span> : of === 0 ? <span className="faint">–</span> : formatBytes(of)}
  </td>
);

const heads = (names: readonly string[]) => (
  <tr>
    {names.map((name, at) => (
      <th key={name} style={at === 0 ? undefined : { textAlign: 'right' }}>
        {name}
      </th>
    ))}
  </tr>
);

const totalOf = (one: DiskUsage['environments'][number]): number =>
  one.images_bytes + one.prepared_bytes + one.workspaces_bytes + one.containers_bytes + one.streams_bytes;

const Runtimes = ({ usage }: { usage: DiskUsage }) => (
  <table className="grid-table" aria-label="Disk by runtime">
    <thead>{heads(['Runtime', 'Images, shared once', 'Workspaces', 'Sandboxes', 'Build cache', 'Free'])}</thead>
    <tbody>
      {usage.runtimes.map((one) => (
        <tr key={one.runtime}>
          <td>{one.runtime}</td>
          <Bytes of={one.images_bytes} />
          <Bytes of={one.workspaces_bytes} />
          <Bytes of={one.containers_bytes} />
          <Bytes of={one.build_cache_bytes} />
          <Bytes of={one.free_bytes} />
        </tr>
      ))}
    </tbody>
  </table>
);

const Environments = ({ usage }: { usage: DiskUsage }) => (
  <table className="grid-table" aria-label="Disk by environment" style={{ marginTop: 12 }}>
    <thead>{heads(['Environment', 'Images', 'Prepared', 'Shared layers', 'Workspaces', 'Sandboxes', 'Logs'])}</thead>
    <tbody>
      {usage.environments
        .toSorted((a, b) => totalOf(b) - totalOf(a))
        .map((one) => (
          <tr key={one.environment_id}>
            <td style={{ maxWidth: 260 }}>
              <Link href={`/environments/${one.environment_id}/resources`} className="clip" style={{ display: 'block' }}>
                {one.name}
              </Link>
              {one.sessions
                .filter(({ is_over }) => is_over)
                .map(({ session_id, name }) => (
                  <div key={session_id} className="tone-warn">
                    {name} is over {one.disk_gib} GiB
                  </div>
                ))}
            </td>
            <Bytes of={one.images_bytes} />
            <Bytes of={one.prepared_bytes} />
            <Bytes of={one.shared_bytes} />
            <Bytes of={one.workspaces_bytes} />
            <Bytes of={one.containers_bytes} />
            <Bytes of={one.streams_bytes} />
          </tr>
        ))}
    </tbody>
  </table>
);

const ownWords = ({ host }: DiskUsage): string =>
  `Sandlot's own data: registry ${formatBytes(host.registry_bytes)}, output ${formatBytes(host.streams_bytes)}, cache ${formatBytes(host.cache_bytes)}, logs ${formatBytes(host.logs_bytes)}.`;

/** The panel. */
export const StoragePanel = () => {
  const { usage, isMeasuring, measure } = useDisk();
  const [trouble, setTrouble] = useState<string | null>(null);
  const look = async () => setTrouble(await measure());
  return (
    <Panel
      title="Storage"
      note={
        usage?.measured_at ? (
          <>
            Measured <Ago at={usage.measured_at} />
          </>
        ) : (
          'What Sandlot has on disk'
        )
      }
      isFlush={usage !== null}
      actions={
        <Button variant="default" loading={isMeasuring} onClick={() => void look()}>
          {usage === null ? 'Measure' : 'Measure again'}
        </Button>
      }
    >
      {trouble !== null && (
        <div className="tone-bad" role="alert" style={{ padding: 12 }}>
          {trouble}
        </div>
      )}
      {usage === null ? (
        <span className="faint">
          {isMeasuring
            ? 'The runtimes walk through their volumes; that can take a while…'
            : 'By runtime and by environment; layers that images share are counted once.'}
        </span>
      ) : (
        <div style={{ overflowX: 'auto' }}>
          <Runtimes usage={usage} />
          {usage.environments.length > 0 && <Environments usage={usage} />}
          <p className="faint" style={{ margin: 0, padding: '10px 16px' }}>
            {ownWords(usage)} The build cache is that of everybody who builds with the runtime, so Sandlot leaves it alone:{' '}
            <code className="mono">docker builder prune</code> empties it.
          </p>
        </div>
      )}
    </Panel>
  );
};
