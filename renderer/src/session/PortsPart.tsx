// What listens inside a session, and the ports of this machine that lead there.
import './activity.css';
import { Button, NumberInput, Tooltip } from '@mantine/core';
import { IconExternalLink, IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Forward, ListeningPort, Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { usePorts } from '../store/use-ports.ts';
import { Banner } from '../ui/Banner.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Empty } from '../ui/Empty.tsx';
import { useBusy } from '../ui/use-busy.ts';

interface Row {
  port: number;
  listening: ListeningPort | null;
  forward: Forward | null;
}

const rowsOf = (listening: readonly ListeningPort[], forwards: readonly Forward[]): Row[] =>
  [...new Set([...listening, ...forwards].map(({ port }) => port))]
    .sort((a, b) => a - b)
    .map((port) => ({
      port,
      listening: listening.find((one) => one.port === port) ?? null,
      forward: forwards.find((one) => one.port === port) ?? null,
    }));

const useForwards = (session: Session) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The port was not changed');
  const forward = (port: number, localPort?: number) =>
    run(ask('ports.forward', { session_id: session.id, port, ...(localPort === undefined ? {} : { local_port: localPort }) }));
  const show = async ({ port, forward: led }: Row) => {
    if (led?.status !== 'open' && !(await forward(port))) return;
    const found = await run(ask('ports.url', { session_id: session.id, port }));
    if (found) window.open(found.url, '_blank', 'noopener,noreferrer');
  };
  /** Also one that leads nowhere yet: then it is forwarded first. */
  const open = (row: Row) => {
    if (session.network === 'unrestricted') return void show(row);
    confirm({
      title: `Open port ${row.port} in your browser?`,
      body: 'The page comes out of the sandbox, but it runs in your browser, which this session’s rules do not bind: what the page knows it can send anywhere.',
      confirm: 'Open in browser',
      onConfirm: () => void show(row),
    });
  };
  return {
    isBusy,
    open,
    forward,
    stop: (port: number) => void run(ask('ports.stop', { session_id: session.id, port })),
  };
};

type Forwards = ReturnType<typeof useForwards>;

const Here = ({ forward }: { forward: Forward | null }) => {
  if (forward === null) return <span className="faint">not forwarded</span>;
  if (forward.status !== 'open') return <span className="tone-warn">{forward.message ?? 'opens when the session runs'}</span>;
  const address = `127.0.0.1:${forward.local_port}`;
  return (
    <span className="row port-here">
      <CopyText value={address} label="address" />
      {forward.connections > 0 && <span className="faint num">{forward.connections} connected</span>}
    </span>
  );
};

const RowActions = ({ row, forwards }: { row: Row; forwards: Forwards }) => {
  const { port, listening, forward } = row;
  const isForwarded = forward?.status === 'open';
  return (
    <div className="row port-actions">
      {(isForwarded || listening !== null) && (
        <Tooltip
          label={isForwarded ? 'Shows it in your browser' : 'Leads a port of this machine there, and shows it in your browser'}
          multiline
          maw={260}
        >
          <Button
            variant="default"
            loading={!isForwarded && forwards.isBusy}
            leftSection={<IconExternalLink size={14} />}
            aria-label={`Open port ${port}`}
            onClick={() => forwards.open(row)}
          >
            Open
          </Button>
        </Tooltip>
      )}
      {isForwarded ? (
        <Button
          variant="default"
          leftSection={<IconPlugConnectedX size={14} />}
          aria-label={`Stop forwarding port ${port}`}
          onClick={() => forwards.stop(port)}
        >
          Stop forwarding
        </Button>
      ) : (
        <Tooltip label="Leads a port of this machine there, and opens nothing">
          <Button
            variant="default"
            leftSection={<IconPlugConnected size={14} />}
            disabled={forwards.isBusy}
            aria-label={`Forward port ${port}`}
            onClick={() => void forwards.forward(port)}
          >
            Forward
          </Button>
        </Tooltip>
      )}
    </div>
  );
};

const PortRow = ({ row, row: { port, listening, forward }, forwards }: { row: Row; forwards: Forwards }) => (
  <tr>
    <td className="num" style={{ paddingLeft: 24, fontWeight: 550 }}>
      {port}
    </td>
    <td className="port-program">
      {listening === null ? (
        <span className="faint">nothing listens</span>
      ) : (
        <>
          <div className="clip">{listening.process ?? 'unknown program'}</div>
          {listening.command && (
            <div className="faint mono clip" title={listening.command}>
              {listening.command}
            </div>
          )}
        </>
      )}
    </td>
    <td className="dim mono is-roomy">{listening?.addresses.join(', ')}</td>
    <td>
      <Here forward={forward} />
    </td>
    <td style={{ paddingRight: 24 }}>
      <RowActions row={row} forwards={forwards} />
    </td>
  </tr>
);

/** Any port, also one that nothing listens at yet. */
const AnyPort = ({ forwards }: { forwards: Forwards }) => {
  const [port, setPort] = useState<number | string>('');
  const [localPort, setLocalPort] = useState<number | string>('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typeof port !== 'number') return;
    if (await forwards.forward(port, typeof localPort === 'number' ? localPort : undefined)) {
      setPort('');
      setLocalPort('');
    }
  };
  const size = { min: 1, max: 65_535, w: 110, hideControls: true, allowDecimal: false } as const;
  return (
    <form className="port-form" onSubmit={(event) => void submit(event)}>
      <NumberInput {...size} aria-label="Port inside" placeholder="Port inside" value={port} onChange={setPort} />
      <span className="faint" aria-hidden="true">
        →
      </span>
      <NumberInput {...size} aria-label="Port here" placeholder="Port here" value={localPort} onChange={setLocalPort} />
      <Button type="submit" variant="default" disabled={typeof port !== 'number'} loading={forwards.isBusy}>
        Add a forward
      </Button>
    </form>
  );
};

const EmptyPorts = ({ isRunning }: { isRunning: boolean }) => (
  <Empty icon={<IconPlugConnected size={20} />} title={isRunning ? 'Nothing listens in this session' : 'This session does not run'}>
    {isRunning
      ? 'Start a server in a terminal, such as “python3 -m http.server 3000”: its port is here within two seconds, whether it listens at 127.0.0.1 or at all addresses. Open leads a port of this machine there and shows it in your browser.'
      : 'Ports that you forward come back when it is resumed.'}
  </Empty>
);

const PortTable = ({ rows, forwards }: { rows: readonly Row[]; forwards: Forwards }) => (
  <div className="activity-scroll">
    <table className="grid-table">
      <thead>
        <tr>
          <th style={{ paddingLeft: 24 }}>Port</th>
          <th>Program</th>
          <th className="is-roomy">Listens at</th>
          <th>On this machine</th>
          <th>
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <PortRow key={row.port} row={row} forwards={forwards} />
        ))}
      </tbody>
    </table>
  </div>
);

const waiting = ({ forwards = [] }: Session): Forward[] =>
  forwards.map((one) => ({ ...one, status: 'waiting', message: null, connections: 0 }));

/** The tab. */
export const PortsPart = ({ session }: { session: Session }) => {
  const isRunning = session.status === 'running';
  const { ports, problem } = usePorts(session.id, isRunning);
  const forwards = useForwards(session);
  const known = isRunning ? ports : null;
  const rows = rowsOf(known?.listening ?? [], known?.forwards ?? waiting(session));
  const trouble = isRunning ? (problem?.message ?? ports?.trouble) : null;
  return (
    <div className="activity">
      {isRunning && (
        <div className="tool-bar">
          <span className="faint grow">
            A forward is a port of 127.0.0.1 on this machine. It needs no network in the sandbox, and other machines cannot reach it.
          </span>
          <AnyPort forwards={forwards} />
        </div>
      )}
      {trouble && <Banner isBar tone="warn" title={`It cannot be seen what listens. ${trouble}`} next="Forwards work all the same." />}
      {rows.length === 0 ? <EmptyPorts isRunning={isRunning} /> : <PortTable rows={rows} forwards={forwards} />}
    </div>
  );
};
