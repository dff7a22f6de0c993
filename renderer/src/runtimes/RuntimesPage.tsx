// The doctor: every place where a runtime was looked for, what was found, and the command that mends what is wrong.
import { Button } from '@mantine/core';
import { IconRefresh, IconStethoscope } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { DoctorReport, RuntimeProbe } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { CopyCommand, CopyText } from '../ui/Copy.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Empty } from '../ui/Empty.tsx';
import { formatBytes } from '../ui/format.ts';
import { notifyDone } from '../ui/notify.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Status, type Tone } from '../ui/Status.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { StoragePanel } from './StoragePanel.tsx';

const tones: Record<RuntimeProbe['status'], Tone> = {
  connected: 'ok',
  reconnecting: 'run',
  unreachable: 'bad',
  permission_denied: 'bad',
  not_running: 'warn',
  absent: 'plain',
  too_old: 'bad',
  unsupported: 'bad',
  unreadable: 'bad',
};

const words: Record<RuntimeProbe['status'], string> = {
  connected: 'Connected',
  reconnecting: 'Reconnecting',
  unreachable: 'Unreachable',
  permission_denied: 'No permission',
  not_running: 'Not running',
  absent: 'Nothing there',
  too_old: 'Too old',
  unsupported: 'Not supported',
  unreadable: 'Unreadable',
};

const kinds = { docker: 'Docker', podman: 'Podman', unknown: 'Runtime' };

const amounts = (runtime: RuntimeProbe): string =>
  [
    runtime.version && `version ${runtime.version}`,
    runtime.api_version && `API ${runtime.api_version}`,
    runtime.architecture,
    runtime.cpus !== null && `${runtime.cpus} CPUs`,
    runtime.memory_bytes !== null && formatBytes(runtime.memory_bytes),
    runtime.rootless && 'rootless',
  ]
    .filter(Boolean)
    .join(' · ');

const RuntimePanel = ({ runtime }: { runtime: RuntimeProbe }) => (
  <Panel
    title={`${kinds[runtime.kind]}${runtime.is_default ? ', used for new environments' : ''}`}
    note={`found by ${runtime.source}`}
    actions={<Status tone={tones[runtime.status]} label={words[runtime.status]} isHollow={runtime.status === 'absent'} />}
  >
    <div className="stack-tight">
      <div className="row dim" style={{ flexWrap: 'wrap', columnGap: 14 }}>
        <CopyText value={runtime.address} label="address" />
        {amounts(runtime) && <span className="num">{amounts(runtime)}</span>}
      </div>
      {runtime.status !== 'connected' && <div>{runtime.message}</div>}
      {runtime.fix && <CopyCommand command={runtime.fix} />}
    </div>
  </Panel>
);

const Checks = ({ report }: { report: DoctorReport }) => {
  const checkTones: Record<string, Tone> = { ok: 'ok', warning: 'warn', failed: 'bad' };
  if (report.checks.length === 0) return null;
  return (
    <Panel title="Checks" isFlush>
      <table className="grid-table is-fixed">
        <tbody>
          {report.checks.map((check) => (
            <tr key={check.name}>
              <td style={{ width: 190 }}>
                <Status tone={checkTones[check.status] ?? 'plain'} label={check.name} />
              </td>
              <td>
                <div className="stack-tight">
                  <span className="dim">{check.message}</span>
                  {check.fix && <CopyCommand command={check.fix} />}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};

const sizeOf = (items: CallOutput<'app.prune'>['items']): string => {
  const bytes = items.reduce((sum, { size }) => sum + (size ?? 0), 0);
  return bytes === 0 ? '' : ` (${formatBytes(bytes)})`;
};

const PrunePanel = () => {
  const ask = useAsk();
  const [found, setFound] = useState<CallOutput<'app.prune'> | null>(null);
  const { isBusy, run } = useBusy('Nothing was removed');
  const look = async () => setFound(await run(ask('app.prune', { dry_run: true })));
  const remove = async () => {
    const done = await run(ask('app.prune', { dry_run: false }));
    if (!done) return;
    notifyDone(`${done.removed} removed.`);
    setFound(null);
  };
  const askFirst = () =>
    confirm({
      title: `Remove ${found?.items.length} things that nothing needs?`,
      body: 'Only what Sandlot made and what no environment, pin or session refers to. Nothing else in the runtime is touched.',
      confirm: 'Remove',
      isDangerous: true,
      onConfirm: () => void remove(),
    });
  return (
    <Panel
      title="Left-overs"
      note="Containers, volumes, networks and images that Sandlot made and nothing needs any more"
      isFlush={found !== null && found.items.length > 0}
      actions={
        found && found.items.length > 0 ? (
          <Button variant="default" color="red" loading={isBusy} onClick={askFirst}>
            Remove {found.items.length}
            {sizeOf(found.items)}…
          </Button>
        ) : (
          <Button variant="default" loading={isBusy} onClick={() => void look()}>
            Look for left-overs
          </Button>
        )
      }
    >
      {!found && <span className="faint">Nothing is removed before you have seen the list.</span>}
      {found?.items.length === 0 && <span className="dim">Nothing to remove.</span>}
      {found && found.items.length > 0 && (
        <table className="grid-table">
          <tbody>
            {found.items.map((item) => (
              <tr key={`${item.kind}-${item.name}`}>
                <td style={{ width: 90 }}>{item.kind}</td>
                <td className="mono">{item.name}</td>
                <td className="dim">{item.reason}</td>
                <td className="num" style={{ textAlign: 'right' }}>
                  {item.size !== null && formatBytes(item.size)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};

/** The page. */
export const RuntimesPage = () => {
  const ask = useAsk();
  const runtimes = useStored((state) => state.runtimes);
  const dataFolder = useStored((state) => state.dataFolder);
  const version = useStored((state) => state.version);
  const [report, setReport] = useState<DoctorReport | null>(null);
  const { isBusy, run } = useBusy('The check did not finish');
  const examine = useCallback(async () => setReport(await run(ask('app.doctor', {}))), [run, ask]);
  useEffect(() => void examine(), [examine]);
  const useful = runtimes.filter((runtime) => runtime.status !== 'absent');
  const absent = runtimes.filter((runtime) => runtime.status === 'absent');

  return (
    <Page
      title="Runtimes"
      actions={
        <Button variant="default" leftSection={<IconRefresh size={14} />} loading={isBusy} onClick={() => void examine()}>
          Look again
        </Button>
      }
    >
      <div className="stack">
        {runtimes.length === 0 && (
          <Empty icon={<IconStethoscope size={20} />} title="Looking for Docker and Podman…">
            Every known socket, context and DOCKER_HOST is tried.
          </Empty>
        )}
        {useful.map((runtime) => (
          <RuntimePanel key={`${runtime.id} ${runtime.address}`} runtime={runtime} />
        ))}
        {absent.length > 0 && (
          <Panel title="Also looked at" note="nothing answers there" isFlush>
            <table className="grid-table">
              <tbody>
                {absent.map((runtime) => (
                  <tr key={`${runtime.id} ${runtime.address}`}>
                    <td className="mono">{runtime.address}</td>
                    <td className="dim">{runtime.source}</td>
                    <td className="dim">{runtime.message}</td>
                    <td>{runtime.fix && <CopyCommand command={runtime.fix} />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        )}
        {report && <Checks report={report} />}
        <StoragePanel />
        <PrunePanel />
        <p className="faint" style={{ margin: 0 }}>
          Sandlot {version} keeps its data in <CopyText value={dataFolder} label="data folder" />
        </p>
      </div>
    </Page>
  );
};
