// All agents: which environments each may use, and which one it gets by default.
import { Button, Modal } from '@mantine/core';
import { IconPlus, IconRobot } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { AgentView } from '../../../sandbox-engine/contract/model.ts';
import { agentsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { Ago } from '../ui/Ago.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { AgentForm } from './AgentForm.tsx';
import './agents.css';

const Row = ({ agent }: { agent: AgentView }) => {
  const initial = agent.environments.find(({ id }) => id === agent.default_environment_id);
  const others = agent.environments.filter((one) => one !== initial);
  return (
    <tr>
      <td>
        <Link href={`/agents/${agent.id}`} className="agent-name clip">
          {agent.name}
        </Link>
        <div className="faint clip">{agent.description}</div>
      </td>
      <td>{initial ? <span className="clip">{initial.name}</span> : <span className="faint">Default base, no network</span>}</td>
      <td className="dim">{others.length === 0 ? '' : others.map(({ name }) => name).join(', ')}</td>
      <td className="dim num">
        <Ago at={agent.updated_at} />
      </td>
    </tr>
  );
};

/** The page. */
export const AgentsPage = () => {
  const [, go] = useLocation();
  const agents = useStored(agentsInOrder);
  const [isMaking, setMaking] = useState(false);
  const add = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setMaking(true)}>
      New agent
    </Button>
  );
  return (
    <Page title="Agents" actions={agents.length > 0 && add}>
      {agents.length === 0 ? (
        <Empty icon={<IconRobot size={20} />} title="No agents yet" actions={add}>
          An agent is a name for whoever works in your environments by itself. Attach the environments that it may use: the first is its
          default, and it can move to the others. What it can reach is the union of them all, and you see it here before it runs. An
          environment that an agent has cannot be deleted by accident.
        </Empty>
      ) : (
        <Panel title="Agents" note="each with its environments; the first attached one is the default, unless you choose another" isFlush>
          <table className="grid-table is-fixed">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Default environment</th>
                <th scope="col">Others</th>
                <th scope="col">Changed</th>
              </tr>
            </thead>
            <tbody>
              {agents.map((agent) => (
                <Row key={agent.id} agent={agent} />
              ))}
            </tbody>
          </table>
        </Panel>
      )}
      <Modal opened={isMaking} onClose={() => setMaking(false)} title="New agent">
        <AgentForm onMade={({ id }) => go(`/agents/${id}`)} onCancel={() => setMaking(false)} />
      </Modal>
    </Page>
  );
};
