// One agent: what it is called, its environments in their order, and all that it can reach by them.
import { ActionIcon, Button, Menu, Textarea, TextInput } from '@mantine/core';
import { IconDots, IconRobot, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { AgentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { confirm } from '../ui/confirm.tsx';
import { shortId } from '../ui/format.ts';
import { isNotThere } from '../ui/is-not-there.ts';
import { Loading } from '../ui/Loading.tsx';
import { NotThere } from '../ui/NotThere.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { AgentAccessPanel } from './AgentAccessPanel.tsx';
import { AttachedList } from './AttachedList.tsx';
import { EnvironmentSelect } from './EnvironmentSelect.tsx';
import { LaunchDefault, LaunchDefaultNote } from './LaunchDefault.tsx';
import './agents.css';

const parent = { label: 'Agents', href: '/agents' };

const Words = ({ agent }: { agent: AgentView }) => {
  const ask = useAsk();
  const { run, isBusy } = useBusy(`“${agent.name}” was not changed`);
  const [edit, setEdit] = useState<{ name?: string; description?: string }>({});
  const name = edit.name ?? agent.name;
  const description = edit.description ?? agent.description;
  const isChanged = name !== agent.name || description !== agent.description;
  const save = async () => {
    const patch = { name: name.trim(), description, revision: agent.revision };
    if (await run(ask('agents.update', { agent_id: agent.id, patch }))) setEdit({});
  };
  return (
    <Panel title="Name and purpose">
      <div className="stack-tight">
        <TextInput label="Name" maxLength={256} value={name} onChange={(event) => setEdit({ ...edit, name: event.currentTarget.value })} />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          placeholder="What it is for"
          value={description}
          onChange={(event) => setEdit({ ...edit, description: event.currentTarget.value })}
        />
        {isChanged && (
          <div className="row" style={{ gap: 8 }}>
            <Button size="compact-sm" loading={isBusy} disabled={name.trim() === ''} onClick={() => void save()}>
              Save
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setEdit({})}>
              Discard
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
};

const Environments = ({ agent }: { agent: AgentView }) => {
  const ask = useAsk();
  const { run, isBusy } = useBusy(`“${agent.name}” was not changed`);
  const seen = { agent_id: agent.id, revision: agent.revision };
  const attach = (input: Pick<CallInput<'agents.attach'>, 'environment_id' | 'position'>) =>
    void run(ask('agents.attach', { ...seen, ...input }));
  return (
    <Panel
      title="Environments"
      note={agent.environments.length === 0 ? undefined : 'It can move between them; one that is attached cannot be deleted'}
    >
      <div className="stack-tight">
        {agent.environments.length === 0 ? (
          <p className="dim" style={{ margin: 0 }}>
            None is attached: this agent runs on the default base, at the default size, without network. Attach an environment that it may
            use.
          </p>
        ) : (
          <AttachedList
            agent={agent}
            isBusy={isBusy}
            onMove={(environment_id, position) => attach({ environment_id, position })}
            onMakeDefault={(environment_id) => void run(ask('agents.set_default', { ...seen, environment_id }))}
            onDetach={({ id }) => void run(ask('agents.detach', { ...seen, environment_id: id }))}
          />
        )}
        <EnvironmentSelect
          label="Attach an environment"
          taken={agent.environment_ids}
          value={null}
          onChange={(environment_id) => environment_id !== null && attach({ environment_id })}
        />
      </div>
    </Panel>
  );
};

const MoreMenu = ({ agent }: { agent: AgentView }) => {
  const ask = useAsk();
  const [, go] = useLocation();
  const { run } = useBusy(`“${agent.name}” was not deleted`);
  const remove = async () => {
    if (await run(ask('agents.delete', { agent_id: agent.id }))) go('/agents');
  };
  const askToRemove = () =>
    confirm({
      title: `Delete the agent “${agent.name}”?`,
      body: 'Its environments stay as they are, and can be deleted when no other agent has them. This cannot be undone.',
      confirm: 'Delete agent',
      isDangerous: true,
      onConfirm: () => void remove(),
    });
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label="More for this agent">
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item color="var(--bad)" leftSection={<IconTrash size={14} />} onClick={askToRemove}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

const Loaded = ({ agent }: { agent: AgentView }) => (
  <Page
    title={agent.name}
    parent={parent}
    beside={
      <span className="dim">
        <CopyText value={agent.id} shown={shortId(agent.id)} label="agent id" />
      </span>
    }
    actions={
      <div className="row" style={{ gap: 6 }}>
        <LaunchDefault agent={agent} />
        <MoreMenu agent={agent} />
      </div>
    }
    note={<LaunchDefaultNote agent={agent} />}
  >
    <div className="agent-grid">
      <div className="stack">
        <Environments agent={agent} />
        <Words agent={agent} />
      </div>
      <AgentAccessPanel agent={agent} />
    </div>
  </Page>
);

/** The page. */
export const AgentPage = ({ id }: { id: string }) => {
  const ask = useAsk();
  const agent = useStored((state) => state.agents[id]);
  const isOpen = useStored((state) => state.link === 'open');
  const [refusal, setRefusal] = useState<ErrorBody | null>(null);
  useEffect(() => {
    if (isOpen) void ask('agents.get', { agent_id: id }).then((reply) => setRefusal(reply.ok ? null : reply.error));
  }, [ask, id, isOpen]);
  if (agent) return <Loaded agent={agent} />;
  if (refusal === null) {
    return <Loading what="the agent" />;
  }
  if (isNotThere(refusal)) return <NotThere noun="agent" icon={<IconRobot size={20} />} parent={parent} />;
  return (
    <Page title="Agent" parent={parent}>
      <Banner tone="bad" title={refusal.message} next={refusal.next_action} />
    </Page>
  );
};
