// What Sandlot has on disk: by runtime, by environment, its own; and what can go, which nothing removes before it was seen.
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useAway } from '../store/use-away.ts';
import { type DiskUsage, useDisk } from '../store/use-disk.ts';
import { Ago } from '../ui/Ago.tsx';
import { counted, formatBytes } from '../ui/format.ts';
import { Panel } from '../ui/Panel.tsx';

const Bytes = ({ name, of, span = 1 }: { name: string; of: number | null; span?: number }) => (
  <td className="num is-amount" data-label={name} colSpan={span}>
    {of === null ? <span className="faint">not known</span> : of === 0 ? <span className="faint">–</span> : formatBytes(of)}
  </td>
);

/** The first of the amounts may stand over several columns of the other table. */
const heads = (names: readonly string[], firstSpan = 1) => (
  <tr>
    {names.map((name, at) => (
      <th key={name} className={at === 0 ? undefined : 'is-amount'} colSpan={at === 1 ? firstSpan : 1}>
        {name}
      </th>
    ))}
  </tr>
);

/** The same for both tables: what is of one kind stands in one column. */
const Columns = () => (
  <colgroup>
    <col style={{ width: '20%' }} />
    <col span={7} />
  </colgroup>
);

const totalOf = (one: DiskUsage['environments'][number]): number =>
  one.images_bytes + one.prepared_bytes + one.workspaces_bytes + one.containers_bytes + one.streams_bytes;

/** Whether there is a number to show of it at all. */
const hasSome = (one: DiskUsage['environments'][number]): boolean => totalOf(one) + one.shared_bytes > 0;

const Runtimes = ({ usage }: { usage: DiskUsage }) => (
  <table className="grid-table is-stacking is-fixed disk-table" aria-label="Disk by runtime">
    <Columns />
    <thead>{heads(['Runtime', 'Images, shared once', 'Workspaces', 'Sandboxes', 'Build cache', 'Free'], 3)}</thead>
    <tbody>
      {usage.runtimes.map((one) => (
        <tr key={one.runtime}>
          <td>{one.runtime}</td>
          <Bytes name="Images, shared once" span={3} of={one.images_bytes} />
          <Bytes name="Workspaces" of={one.workspaces_bytes} />
          <Bytes name="Sandboxes" of={one.containers_bytes} />
          <Bytes name="Build cache" of={one.build_cache_bytes} />
          <Bytes name="Free" of={one.free_bytes} />
        </tr>
      ))}
    </tbody>
  </table>
);

const Environments = ({ usage }: { usage: DiskUsage }) => (
  <table className="grid-table is-stacking is-fixed disk-table" aria-label="Disk by environment" style={{ marginTop: 12 }}>
    <Columns />
    <thead>{heads(['Environment', 'Images', 'Prepared', 'Shared layers', 'Workspaces', 'Sandboxes', 'Logs', ''])}</thead>
    <tbody>
      {usage.environments
        .filter(hasSome)
        .toSorted((a, b) => totalOf(b) - totalOf(a))
        .map((one) => (
          <tr key={one.environment_id}>
            <td className="disk-name">
              {one.is_deleted ? (
                <span className="dim clip" style={{ display: 'block' }} title="What sessions of it keep">
                  {one.name}
                </span>
              ) : (
                <Link href={`/environments/${one.environment_id}/resources`} className="clip" style={{ display: 'block' }}>
                  {one.name}
                </Link>
              )}
              {one.sessions
                .filter(({ is_over }) => is_over)
                .map(({ session_id, name }) => (
                  <div key={session_id} className="tone-warn">
                    {name} is over {one.disk_gib} GiB
                  </div>
                ))}
            </td>
            <Bytes name="Images" of={one.images_bytes} />
            <Bytes name="Prepared" of={one.prepared_bytes} />
            <Bytes name="Shared layers" of={one.shared_bytes} />
            <Bytes name="Workspaces" of={one.workspaces_bytes} />
            <Bytes name="Sandboxes" of={one.containers_bytes} />
            <Bytes name="Logs" of={one.streams_bytes} />
            <td />
          </tr>
        ))}
    </tbody>
  </table>
);

/** How many have nothing on disk, and so no line. */
const nothingWords = ({ environments }: DiskUsage, away: string | null): string => {
  if (away !== null) return `${away} does not answer, so what it holds is not counted. `;
  const count = environments.filter((one) => !hasSome(one)).length;
  return count === 0 ? '' : `${counted(count, 'environment has', 'environments have')} nothing on disk. `;
};

const ownWords = ({ host }: DiskUsage): string =>
  `Sandlot's own data: environments and their history ${formatBytes(host.registry_bytes)}, what builds and terminals printed ${formatBytes(host.streams_bytes)}, cache ${formatBytes(host.cache_bytes)}, its own log ${formatBytes(host.logs_bytes)}.`;

/** The panel; whoever looks at it wants it measured, again when an image was made meanwhile, and after each of so many removals. */
export const DiskPanel = ({ removals }: { removals: number }) => {
  const { usage, isMeasuring, isStale, measure } = useDisk();
  const away = useAway();
  const [trouble, setTrouble] = useState<string | null>(null);
  const look = useCallback(async () => setTrouble(await measure()), [measure]);
  useEffect(() => {
    if (isStale === true && !isMeasuring) void look();
  }, [isStale, isMeasuring, look]);
  useEffect(() => {
    if (removals > 0) void look();
  }, [removals, look]);
  return (
    <Panel
      title="On disk"
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
        <>
          <Runtimes usage={usage} />
          {usage.environments.some(hasSome) && <Environments usage={usage} />}
          <p className="faint" style={{ margin: 0, padding: '10px 14px' }}>
            {nothingWords(usage, away)}
            {ownWords(usage)} The build cache is that of everybody who builds with the runtime, so Sandlot leaves it alone:{' '}
            <code className="mono">docker builder prune</code> empties it.
          </p>
        </>
      )}
    </Panel>
  );
};
