// All agents: which environments each may use, and which one it gets by default.
import { Button, Modal } from '@mantine/core';
import { IconPlus, IconRobot, IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { AgentView } from '../../../sandbox-engine/contract/model.ts';
import { agentsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { Ago } from '../ui/Ago.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Page } from '../ui/Page.tsx';
import { type RowFocus, RowList, type RowListColumn } from '../ui/RowList.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { usePlaceState } from '../ui/use-place-state.ts';
import { AgentForm } from './AgentForm.tsx';
import './agents.css';
import { counted } from '../ui/format.ts';

const namedAtMost = 3;

/** The first few by name, and how many more. */
const namesOf = (environments: AgentView['environments']): string => {
  const names = environments.slice(0, namedAtMost).map(({ name }) => name);
  const more = environments.length - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
};

const Name = ({ agent, focus }: { agent: AgentView; focus: RowFocus }) => (
  <>
    <Link href={`/agents/${agent.id}`} className="row-name clip" {...focus}>
      {agent.name}
    </Link>
    <div className="faint clip">{agent.description}</div>
  </>
);

const defaultOf = ({ environments, default_environment_id: id }: AgentView) => environments.find((one) => one.id === id);

const columns: readonly RowListColumn<AgentView>[] = [
  { name: 'Name', cell: (agent, focus) => <Name agent={agent} focus={focus} /> },
  {
    name: 'Default environment',
    cell: (agent) => defaultOf(agent)?.name ?? <span className="faint">Default base, no network</span>,
  },
  {
    name: 'Others',
    cell: (agent) => {
      const others = agent.environments.filter((one) => one.id !== agent.default_environment_id);
      return (
        <span className="dim" title={others.map(({ name }) => name).join(', ')}>
          {namesOf(others)}
        </span>
      );
    },
  },
  {
    name: 'Changed',
    isNumber: true,
    cell: ({ updated_at }) => (
      <span className="dim">
        <Ago at={updated_at} />
      </span>
    ),
  },
];

const matches = ({ name, description, environments }: AgentView, search: string): boolean =>
  [name, description, ...environments.map((one) => one.name)].join(' ').toLowerCase().includes(search);

const Agents = ({ agents }: { agents: readonly AgentView[] }) => {
  const [search, setSearch] = usePlaceState<string>('search', '');
  const wanted = search.trim().toLowerCase();
  const found = useMemo(() => (wanted === '' ? agents : agents.filter((agent) => matches(agent, wanted))), [agents, wanted]);
  return (
    <>
      <div className="list-bar">
        <SearchField label="Search agents" placeholder="Search by name or environment" value={search} onChange={setSearch} />
        <span className="grow" />
        <span className="faint num" role="status">
          {counted(found.length, 'agent')}
        </span>
      </div>
      {found.length === 0 ? (
        <Empty icon={<IconSearch size={20} />} title={`Nothing matches “${search.trim()}”`}>
          The search looks at the names and descriptions of agents, and at the names of their environments.
        </Empty>
      ) : (
        <RowList label="Agents" layout="is-agents" rows={found} keyOf={({ id }) => id} columns={columns} isTall />
      )}
    </>
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
    <Page title="Agents" isFlush actions={agents.length > 0 && add}>
      {agents.length === 0 ? (
        <Empty icon={<IconRobot size={20} />} title="No agents yet" actions={add}>
          An agent is a name for whoever works in your environments by itself. Attach the environments that it may use: the first is its
          default, and it can move to the others. What it can reach is the union of them all, and you see it here before it runs. An
          environment that an agent has cannot be deleted by accident.
        </Empty>
      ) : (
        <Agents agents={agents} />
      )}
      <Modal opened={isMaking} onClose={() => setMaking(false)} title="New agent">
        <AgentForm onMade={({ id }) => go(`/agents/${id}`)} onCancel={() => setMaking(false)} />
      </Modal>
    </Page>
  );
};
