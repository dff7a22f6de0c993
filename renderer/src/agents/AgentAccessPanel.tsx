// All that an agent can reach: the union of its environments, and which rule of which environment gives each host.
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { AgentAccess, AgentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { accessMarks } from '../ui/access-marks.ts';
import { Banner } from '../ui/Banner.tsx';
import { Panel } from '../ui/Panel.tsx';

const useAccess = (agent: AgentView) => {
  const ask = useAsk();
  const [access, setAccess] = useState<AgentAccess | null>(null);
  const [problem, setProblem] = useState<ErrorBody | null>(null);
  // The agent is told anew whenever one of its environments changes.
  useEffect(() => {
    let isOver = false;
    void ask('agents.access', { agent_id: agent.id }).then((reply) => {
      if (isOver) return;
      setProblem(reply.ok ? null : reply.error);
      if (reply.ok) setAccess(reply.value);
    });
    return () => {
      isOver = true;
    };
  }, [ask, agent]);
  return { access, problem };
};

type Giver = AgentAccess['rows'][number]['given_by'][number];

const GivenBy = ({ giver }: { giver: Giver }) => (
  <div>
    <Link href={`/environments/${giver.environment_id}/network`} className="link">
      {giver.environment_name}
    </Link>{' '}
    <span className="dim">{giver.preset === null ? giver.from : `rule ${giver.rule + 1}, ${giver.from}`}</span>
    {giver.note && <span className="faint"> {giver.note}</span>}
    {giver.except.length > 0 && <div className="faint">but not {giver.except.join(', ')}</div>}
  </div>
);

const Table = ({ access }: { access: AgentAccess }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and must be reachable by keyboard
  <section className="agent-access" aria-label="Hosts that this agent can reach" tabIndex={0}>
    <table className="grid-table">
      <thead>
        <tr>
          <th scope="col">Host</th>
          <th scope="col">Ports</th>
          <th scope="col">Given by</th>
        </tr>
      </thead>
      <tbody>
        {access.rows.map((row) => (
          <tr key={`${row.host} ${row.ports.join(' ')}`}>
            <td className="mono agent-host">{row.host}</td>
            <td className="num">{row.ports.join(', ')}</td>
            <td>
              {row.given_by.map((giver) => (
                <GivenBy key={`${giver.environment_id} ${giver.rule} ${giver.from}`} giver={giver} />
              ))}
              {row.marks.length > 0 && (
                <span className="marks">
                  {row.marks.map((mark) => (
                    <span key={mark} className="tag is-warn" title={accessMarks[mark].title}>
                      {accessMarks[mark].label}
                    </span>
                  ))}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const Open = ({ access }: { access: AgentAccess }) => (
  <p className="agent-open">
    <strong>Everything.</strong>{' '}
    {access.unrestricted_by.map(({ environment_id, environment_name }, index) => (
      <span key={environment_id}>
        {index > 0 && ', '}
        <Link href={`/environments/${environment_id}/network`} className="link">
          {environment_name}
        </Link>
      </span>
    ))}{' '}
    {access.unrestricted_by.length === 1 ? 'has' : 'have'} no network policy, so this agent reaches all that the runtime’s ordinary network
    reaches, whatever the rules of its other environments say. Limit it there, or detach it here.
  </p>
);

/** The panel. */
export const AgentAccessPanel = ({ agent }: { agent: AgentView }) => {
  const { access, problem } = useAccess(agent);
  return (
    <Panel title="Effective access" note={access?.headline} isFlush>
      {problem && <Banner tone="bad" title={problem.message} next={problem.next_action} />}
      {access && (
        <>
          <p className="agent-open dim">
            The union of all attached environments: this agent can use every host below, whichever of them its sandbox runs in. What a rule
            denies, it denies in its own environment only.
          </p>
          {access.access === 'unrestricted' && <Open access={access} />}
          {access.access === 'none' && <p className="agent-open">No host: no attached environment opens one.</p>}
          {access.rows.length > 0 && <Table access={access} />}
          {access.open_presets.length > 0 && (
            <p className="agent-open dim">
              Not resolved yet, so they open nothing until a build, a session or “Resolve again” on the Network tab asks for them:{' '}
              {access.open_presets.map(({ preset, environment_name }) => `${preset} (${environment_name})`).join(', ')}.
            </p>
          )}
          <details className="agent-fold">
            <summary>Always blocked</summary>
            <ul>
              {access.always_blocked.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </Panel>
  );
};
