// Everything that the policy on the page opens, rule by rule, presets expanded, as the host computes it with what decides.
// Source: NETWORK.md 1.10.
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { AccessRow, LastSeen } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { Ago } from '../ui/Ago.tsx';
import { accessMarks } from '../ui/access-marks.ts';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { counted } from '../ui/format.ts';
import { Panel } from '../ui/Panel.tsx';
import { useBusy } from '../ui/use-busy.ts';

type Access = CallOutput<'egress.access'>;

interface AccessTableProps {
  access: Access;
  /** The policy was changed since, or cannot be read at the moment. */
  isOld: boolean;
}

const inspected: Record<AccessRow['ports'][number]['inspected'], string> = {
  tls_name: 'TLS name',
  http_name: 'HTTP name',
  tls_or_http_name: 'TLS or HTTP name',
  not_inspected: 'not inspected',
};

const Ports = ({ row }: { row: AccessRow }) => (
  <>
    {row.ports.map(({ port, inspected: how, decided_by }) => (
      <div key={port} className={decided_by === null ? undefined : 'is-decided'}>
        <span className="num">{port}</span>{' '}
        <span className="dim">{decided_by === null ? inspected[how] : `rule ${decided_by + 1} decides`}</span>
      </div>
    ))}
  </>
);

const seenReasons = [
  ['last_allowed_at', 'allowed'],
  ['last_blocked_at', 'no_rule'],
  ['last_not_found_at', 'resolve_failed'],
  ['last_not_reached_at', 'upstream_failed'],
] as const;

const Seen = ({ seen }: { seen: LastSeen }) => {
  const found = seenReasons.flatMap(([key, reason]) => (seen[key] === null ? [] : [{ at: seen[key], reason }]));
  if (found.length === 0) return <span className="faint">never</span>;
  return found.map(({ at, reason }) => (
    <span key={reason} className="row seen">
      <EgressVerdict verdict={reason === 'allowed' ? 'allowed' : 'blocked'} reason={reason} /> <Ago at={at} />
    </span>
  ));
};

/** Which rule opens it, and by which preset; what a preset has it from is said where that is more than its name. */
const fromText = ({ preset, rule, from }: AccessRow): string => {
  if (preset === null) return from;
  return from === `preset ${preset}` ? `rule ${rule + 1}, ${from}` : `rule ${rule + 1}, preset ${preset}: ${from}`;
};

const Row = ({ row }: { row: AccessRow & LastSeen }) => (
  <tr className={row.shadowed ? 'is-shadowed' : undefined}>
    <td className="mono access-host">{row.host}</td>
    <td data-label="Ports, and how looked at">
      <Ports row={row} />
    </td>
    <td data-label="From">
      {fromText(row)}
      {row.note && <div className="faint">{row.note}</div>}
      {row.cut_by.length > 0 && <div className="faint">without what rule {row.cut_by.map((index) => index + 1).join(', ')} denies</div>}
    </td>
    <td data-label={row.marks.length > 0 || row.shadowed ? 'Marks' : undefined}>
      <span className="marks">
        {row.marks.map((mark) => (
          <span key={mark} className="tag is-warn" title={accessMarks[mark].title}>
            {accessMarks[mark].label}
          </span>
        ))}
        {row.shadowed && <span className="tag">never reached</span>}
      </span>
    </td>
    <td data-label="Last seen">
      <Seen seen={row} />
    </td>
  </tr>
);

const states: Record<Access['presets'][number]['state'], string> = {
  current: '',
  last_known: 'the last result; the newest try failed',
  configured_only: 'configured hosts only; where files are served from was not found out',
  unresolved: 'not resolved yet: it opens nothing',
};

const presetText = ({ id, hosts, source, state, newer }: Access['presets'][number]): string =>
  [
    `${id}: ${counted(hosts, 'host')}, ${source}`,
    ...(states[state] === '' ? [] : [states[state]]),
    ...(newer === null ? [] : [`a newer one has ${newer.added.length} more and ${newer.removed.length} fewer`]),
  ].join(' · ');

const Presets = ({ access }: { access: Access }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The presets were not resolved');
  if (access.presets.length === 0) return null;
  return (
    <div className="access-presets">
      <ul>
        {access.presets.map((preset) => (
          <li key={preset.id} title={preset.notes.join(' ')}>
            {presetText(preset)}
          </li>
        ))}
      </ul>
      <Button
        variant="default"
        loading={isBusy}
        title="Asks the package managers in the image which hosts they use, for the policy as it is saved"
        onClick={() => void run(ask('egress.resolve_presets', { environment_id: access.environment_id }))}
      >
        Resolve again
      </Button>
    </div>
  );
};

const Denials = ({ access }: { access: Access }) => (
  <>
    {access.denials.map((denial) => (
      <tr key={`${denial.rule} ${denial.host}`} className={denial.shadowed ? 'is-shadowed' : undefined}>
        <td className="mono access-host">{denial.host}</td>
        <td data-label="Ports, and how looked at">{denial.ports === null ? 'every port' : denial.ports.join(', ')}</td>
        <td data-label="From">
          denied by rule {denial.rule + 1}
          {denial.note && <div className="faint">{denial.note}</div>}
        </td>
        <td className="dim" data-label="Marks">
          {denial.cuts.length > 0 ? `taken out of ${denial.cuts.join(', ')}` : 'takes nothing away'}
        </td>
        <td data-label="Last seen">
          <Seen seen={denial} />
        </td>
      </tr>
    ))}
  </>
);

const Fold = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <details className="access-fold">
    <summary>{title}</summary>
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  </details>
);

const olderText = (count: number): string =>
  count === 0 ? '' : ` · ${counted(count, 'running session keeps', 'running sessions keep')} older rules`;

/** The panel. */
export const AccessTable = ({ access, isOld }: AccessTableProps) => (
  <Panel
    title="Effective access"
    note={`${access.headline}${isOld ? ', before the last edit' : ''}${olderText(access.sessions_on_older_revisions)}`}
    isFlush
  >
    {access.rows.length + access.denials.length > 0 && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and must be reachable by keyboard
      <section className="access-scroll" aria-label="Hosts that can be reached" tabIndex={0}>
        <table className="grid-table is-stacking">
          <thead>
            <tr>
              <th scope="col">Host</th>
              <th scope="col">Ports, and how looked at</th>
              <th scope="col">From</th>
              <th scope="col">Marks</th>
              <th scope="col">Last seen</th>
            </tr>
          </thead>
          <tbody>
            {access.rows.map((row) => (
              <Row key={`${row.rule} ${row.host} ${row.from}`} row={row} />
            ))}
            <Denials access={access} />
          </tbody>
        </table>
      </section>
    )}
    {access.access === 'none' && (
      <p className="access-open dim">
        Nothing can be reached. What sandboxes try all the same is told under <em>What was tried</em>, and each host can be allowed from
        there.
      </p>
    )}
    {access.access === 'unrestricted' && (
      <p className="access-open dim">
        Everything that the runtime’s ordinary bridge reaches: the internet, your local network, what listens on this machine for it.
        Nothing of it is written down. To see what a setup script needs, observe it once on the{' '}
        <Link href={`/environments/${access.environment_id}/setup`} className="link">
          Setup
        </Link>{' '}
        tab: rules are made from it.
      </p>
    )}
    <Presets access={access} />
    <div className="access-folds">
      <Fold title="Always blocked" lines={access.always_blocked} />
      <Fold title="Not governed by rules" lines={access.not_governed} />
    </div>
  </Panel>
);
