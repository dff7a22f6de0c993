// The question before an environment is deleted for good: its name is typed, since nothing brings it back. While an agent has it, nothing is
// asked: it is said who has it.
import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import { confirmTyped } from './confirm-typed.tsx';
import { counted } from './format.ts';
import { notifyFailure } from './notify.tsx';

interface Doomed {
  name: string;
}

interface Holder {
  id: string;
  name: string;
}

interface Deed {
  /** The agents that have it, as far as they are known here. */
  agents: readonly Holder[];
  remove: () => Promise<Reply<unknown>>;
  onRemoved?: () => void;
}

/** So many are named. */
const mostNamed = 8;

/** Dialogs and messages stand outside the router, so the links go by the hash. */
const Holders = ({ agents, onFollow }: { agents: readonly Holder[]; onFollow?: () => void }) => (
  <ul style={{ margin: 0, paddingLeft: 18 }} aria-label="Agents that have it">
    {agents.slice(0, mostNamed).map(({ id, name }) => (
      <li key={id} style={{ overflowWrap: 'anywhere' }}>
        <a className="link" href={`#/agents/${id}`} onClick={onFollow}>
          {name}
        </a>
      </li>
    ))}
    {agents.length > mostNamed && <li>{counted(agents.length - mostNamed, 'more agent')}</li>}
  </ul>
);

const tellAttached = ({ name }: Doomed, agents: readonly Holder[]): void => {
  const close = () => modals.close(id);
  const id = modals.open({
    title: `“${name}” cannot be deleted now`,
    children: (
      <div className="stack">
        <div className="stack-tight">
          <span>It is attached to {counted(agents.length, 'agent')}. Detach it there first:</span>
          <Holders agents={agents} onFollow={close} />
          <span className="dim">To only hide it, archive it instead.</span>
        </div>
        <div className="row">
          <span className="grow" />
          <Button variant="default" onClick={close} data-autofocus>
            Close
          </Button>
        </div>
      </div>
    ),
  });
};

const isHolder = (one: unknown): one is Holder => typeof one === 'object' && one !== null && 'id' in one && 'name' in one;

const holdersIn = ({ code, details }: ErrorBody): Holder[] =>
  code === 'environment_attached' && Array.isArray(details['agents']) ? details['agents'].filter(isHolder) : [];

/** Says that it is still there; what an agent holds is said as it is before the question, with the ways to the agents. */
const tellRefusal = (doomed: Doomed, error: ErrorBody): void => {
  const agents = holdersIn(error);
  if (agents.length > 0) tellAttached(doomed, agents);
  else notifyFailure(`“${doomed.name}” was not deleted`, error);
};

/** Asks, unless an agent has it; then deletes, and says when that was refused. */
export const askDeleteEnvironment = (doomed: Doomed, { agents, remove, onRemoved }: Deed): void => {
  if (agents.length > 0) {
    tellAttached(doomed, agents);
    return;
  }
  const act = async () => {
    const reply = await remove();
    if (reply.ok) onRemoved?.();
    else tellRefusal(doomed, reply.error);
  };
  confirmTyped({
    title: `Delete “${doomed.name}” for good?`,
    body: 'Its recipe, setup script, builds and pins are removed. Running sessions keep their sandbox, and the history of past sessions stays. This cannot be undone; archive it instead to only hide it.',
    word: doomed.name,
    confirm: 'Delete environment',
    onConfirm: () => void act(),
  });
};
