// The doctor: every place where a runtime was looked for, what was found, and the command that mends what is wrong.
import { Button } from '@mantine/core';
import { IconRefresh, IconStethoscope } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { DoctorReport, RuntimeProbe } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { CopyCommand, CopyText } from '../ui/Copy.tsx';
import { Empty } from '../ui/Empty.tsx';
import { formatBytes } from '../ui/format.ts';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Status, type Tone } from '../ui/Status.tsx';
import { useBusy } from '../ui/use-busy.ts';

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

const checkTones: Record<DoctorReport['checks'][number]['status'], Tone> = { ok: 'ok', warning: 'warn', failed: 'bad' };
const checkWords: Record<DoctorReport['checks'][number]['status'], string> = {
  ok: 'In order',
  warning: 'Wants a look',
  failed: 'Broken',
};

/** As a sentence begins; the name of a program stays as it is written. */
const checkName = (name: string): string => (name === 'mmdebstrap' ? name : name.replace(/^./, (letter) => letter.toUpperCase()));

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

const TakeButton = ({ id }: { id: string }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The runtime of new environments was not changed');
  return (
    <Button
      variant="default"
      size="xs"
      loading={isBusy}
      title="Environments that exist keep their runtime"
      onClick={() => void run(ask('runtimes.set_default', { runtime: id }))}
    >
      Use for new environments
    </Button>
  );
};

const RuntimePanel = ({ runtime }: { runtime: RuntimeProbe }) => (
  <Panel
    title={`${kinds[runtime.kind]}${runtime.is_default ? ', used for new environments' : ''}`}
    note={`Found by ${runtime.source}`}
    actions={
      <span className="row" style={{ gap: 14 }}>
        {runtime.status === 'connected' && !runtime.is_default && <TakeButton id={runtime.id} />}
        <Status tone={tones[runtime.status]} label={words[runtime.status]} isHollow={runtime.status === 'absent'} />
      </span>
    }
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
  if (report.checks.length === 0) return null;
  return (
    <Panel title="Checks" isFlush>
      <table className="grid-table is-fixed">
        <tbody>
          {report.checks.map((check) => (
            <tr key={check.name}>
              <td style={{ width: 210 }} title={checkWords[check.status]}>
                <Status tone={checkTones[check.status]} label={checkName(check.name)} />
                <span className="visually-hidden">, {checkWords[check.status]}</span>
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
          <Panel title="Also looked at" note="Nothing answers there" isFlush>
            <table className="grid-table is-fixed" aria-label="Also looked at">
              <tbody>
                {absent.map((runtime) => (
                  <tr key={`${runtime.id} ${runtime.address}`}>
                    <td style={{ width: 280 }}>
                      <div className="mono">{runtime.address}</div>
                      <div className="faint">{runtime.source}</div>
                    </td>
                    <td>
                      <div className="stack-tight">
                        <span className="dim">{runtime.message}</span>
                        {runtime.fix && <CopyCommand command={runtime.fix} />}
                      </div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        )}
        {report && <Checks report={report} />}
        <p className="faint" style={{ margin: 0 }}>
          Sandlot {version} keeps its data in <CopyText value={dataFolder} label="data folder" />
          <br />
          <Link className="link" href="/storage">
            How much disk it takes
          </Link>
        </p>
      </div>
    </Page>
  );
};
