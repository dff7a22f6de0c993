// What a session uses of the machine: four small charts of the last ten minutes, and the same as a table.
import './activity.css';
import { Switch } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useState } from 'react';
import type { Session, SessionUsage, UsageSample } from '../../../sandbox-engine/contract/model.ts';
import { useUsage } from '../store/use-usage.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { counted, formatBytes, formatCount, timeText } from '../ui/format.ts';
import { useNow } from '../ui/use-now.ts';
import { UsageChart } from './UsageChart.tsx';

const mebibyte = 1_048_576;
const cpuText = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} CPU`;
const speedText = (value: number): string => `${formatBytes(value)}/s`;

const networkNote: Partial<Record<Session['network'], string>> = {
  none: 'This session has no network.',
  gate: 'Network is what the rules let through.',
};

const Charts = ({ usage, now }: { usage: SessionUsage; now: number }) => {
  const shared = { samples: usage.samples, now };
  return (
    <div className="usage-charts">
      <UsageChart
        {...shared}
        title="Processor"
        lines={[{ key: 'cpus', name: 'Processor' }]}
        limit={usage.cpu_limit}
        least={0.1}
        format={cpuText}
      />
      <UsageChart
        {...shared}
        title="Memory"
        lines={[{ key: 'memory_bytes', name: 'Memory' }]}
        limit={usage.memory_limit_bytes}
        least={16 * mebibyte}
        format={formatBytes}
      />
      <UsageChart
        {...shared}
        title="Network"
        lines={[
          { key: 'received_per_second', name: 'In' },
          { key: 'sent_per_second', name: 'Out' },
        ]}
        limit={null}
        least={1024}
        format={speedText}
      />
      <UsageChart
        {...shared}
        title="Workspace"
        lines={[{ key: 'workspace_bytes', name: 'Workspace' }]}
        limit={null}
        least={mebibyte}
        format={formatBytes}
      />
    </div>
  );
};

const cell = (value: number | null, format: (value: number) => string): string => (value === null ? '–' : format(value));

const Rows = ({ samples }: { samples: readonly UsageSample[] }) => (
  <table className="grid-table">
    <thead>
      <tr>
        <th style={{ paddingLeft: 24 }}>Time</th>
        <th>Processor</th>
        <th>Memory</th>
        <th>Processes</th>
        <th>In</th>
        <th>Out</th>
        <th>Workspace</th>
      </tr>
    </thead>
    <tbody>
      {[...samples].reverse().map((sample) => (
        <tr key={sample.at} className="num">
          <td style={{ paddingLeft: 24 }}>{timeText(sample.at)}</td>
          <td>{cell(sample.cpus, cpuText)}</td>
          <td>{cell(sample.memory_bytes, formatBytes)}</td>
          <td>{sample.processes ?? '–'}</td>
          <td>{cell(sample.received_per_second, speedText)}</td>
          <td>{cell(sample.sent_per_second, speedText)}</td>
          <td>{cell(sample.workspace_bytes, formatBytes)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The tab. */
export const ActivityPart = ({ session }: { session: Session }) => {
  const isRunning = session.status === 'running';
  const usage = useUsage(session.id, isRunning);
  const now = useNow(isRunning ? 2_000 : null);
  const [isTable, setTable] = useState(false);
  const samples = usage?.samples ?? [];
  const processes = samples.at(-1)?.processes ?? null;
  if (!isRunning && samples.length === 0)
    return (
      <Empty icon={<IconActivity size={20} />} title="This session does not run">
        While it runs, its use of processor, memory, network and disk is here: two seconds apart, and only while somebody looks.
      </Empty>
    );
  return (
    <div className="activity">
      <div className="tool-bar">
        <span className="faint grow">
          {processes === null
            ? 'Measuring…'
            : `${counted(processes, 'process', 'processes')}${usage?.process_limit ? ` of at most ${formatCount(usage.process_limit)}` : ''}.`}{' '}
          {networkNote[session.network]} Measured only while you look.
        </span>
        <Switch label="As a table" checked={isTable} onChange={(event) => setTable(event.currentTarget.checked)} />
      </div>
      {usage?.trouble && <Banner isBar tone="warn" title={`It cannot be measured now. ${usage.trouble}`} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and must be reachable by keyboard */}
      <section className="activity-scroll" aria-label="Use of the machine" tabIndex={0}>
        {usage && (isTable ? <Rows samples={samples} /> : <Charts usage={usage} now={now} />)}
      </section>
    </div>
  );
};
