// Who was given which secret and when: the newest lines of the ledger, read again whenever a secret was used.
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { SecretUse } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { Ago } from '../ui/Ago.tsx';
import { Panel } from '../ui/Panel.tsx';

const shownLines = 50;

const SessionName = ({ use }: { use: SecretUse }) => {
  const isThere = useStored((state) => use.session_id in state.sessions);
  if (!isThere) return <span className="dim">{use.session_name}, gone</span>;
  return (
    <Link href={`/sessions/${use.session_id}`} className="link">
      {use.session_name}
    </Link>
  );
};

/** The panel; nothing at all before the first use. */
export const LedgerPanel = () => {
  const ask = useAsk();
  const [uses, setUses] = useState<SecretUse[]>([]);
  const list = useStored((state) => state.secrets);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list is what says that the ledger has new lines
  useEffect(() => {
    let isCurrent = true;
    void ask('secrets.ledger', { limit: shownLines }).then((reply) => isCurrent && reply.ok && setUses(reply.value.uses));
    return () => {
      isCurrent = false;
    };
  }, [ask, list]);
  if (uses.length === 0) return null;
  return (
    <Panel title="Who got them" note="Each session that was given a secret; lines stay when secret and session are gone" isFlush>
      <table className="grid-table is-fixed is-stacking">
        <thead>
          <tr>
            <th style={{ width: '25%' }}>Secret</th>
            <th>Session</th>
            <th style={{ width: '20%' }}>Environment</th>
            <th style={{ width: 96 }}>First</th>
            <th style={{ width: 96 }}>Last</th>
            <th className="is-amount" style={{ width: 66 }}>
              Times
            </th>
          </tr>
        </thead>
        <tbody>
          {uses.map((use) => (
            <tr key={`${use.name} ${use.version} ${use.session_id}`}>
              <td className="clip">
                <span className="mono">{use.name}</span>{' '}
                <span className="faint">{use.version === null ? 'for it alone' : `value ${use.version}`}</span>
              </td>
              <td className="clip" data-label="Session">
                <SessionName use={use} />
              </td>
              <td className="clip dim" data-label="Environment">
                {use.environment_name}
              </td>
              <td className="dim" data-label="First">
                <Ago at={use.first_at} />
              </td>
              <td className="dim" data-label="Last">
                <Ago at={use.last_at} />
              </td>
              <td className="num dim is-amount" data-label="Times">
                {use.times}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};
