// The environments of an agent in their order: dragged by their handle, by mouse or by keyboard, or moved a step at a time.
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { AgentView } from '../../../sandbox-engine/contract/model.ts';
import { SortableFrame, useSortableRow } from '../ui/sortable.tsx';

type Attached = AgentView['environments'][number];

interface AttachedListProps {
  agent: AgentView;
  isBusy: boolean;
  onMove: (id: string, to: number) => void;
  onMakeDefault: (id: string) => void;
  onDetach: (environment: Attached) => void;
}

interface RowProps extends Omit<AttachedListProps, 'agent'> {
  environment: Attached;
  index: number;
  count: number;
  isDefault: boolean;
}

const Buttons = ({ environment, index, count, isBusy, isDefault, onMove, onMakeDefault, onDetach }: RowProps) => (
  <div className="row attached-buttons">
    {!isDefault && (
      <Button size="compact-xs" variant="default" disabled={isBusy} onClick={() => onMakeDefault(environment.id)}>
        Make default
      </Button>
    )}
    <Tooltip label="Move up">
      <ActionIcon
        aria-label={`Move ${environment.name} up`}
        disabled={isBusy || index === 0}
        onClick={() => onMove(environment.id, index - 1)}
      >
        <IconArrowUp size={15} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label="Move down">
      <ActionIcon
        aria-label={`Move ${environment.name} down`}
        disabled={isBusy || index === count - 1}
        onClick={() => onMove(environment.id, index + 1)}
      >
        <IconArrowDown size={15} />
      </ActionIcon>
    </Tooltip>
    <Tooltip label="Detach">
      <ActionIcon aria-label={`Detach ${environment.name}`} disabled={isBusy} onClick={() => onDetach(environment)}>
        <IconX size={15} />
      </ActionIcon>
    </Tooltip>
  </div>
);

const Row = (props: RowProps) => {
  const { environment, index, isDefault } = props;
  const { row, handle, isDragging } = useSortableRow(environment.id, `Move ${environment.name}, place ${index + 1}`, 'attached-handle');
  return (
    <li {...row} className={isDragging ? 'attached is-dragging' : 'attached'}>
      {handle}
      <div className="attached-text">
        <div className="row">
          <Link href={`/environments/${environment.id}`} className="agent-name clip">
            {environment.name}
          </Link>
          {isDefault && <span className="tag is-ok">Default</span>}
          {environment.is_archived && <span className="tag is-warn">archived</span>}
          <span className="tag">{environment.access}</span>
        </div>
        <div className="faint clip">{environment.description}</div>
      </div>
      <Buttons {...props} />
    </li>
  );
};

/** The list. */
export const AttachedList = ({ agent, onMove, ...rest }: AttachedListProps) => {
  const { environments } = agent;
  return (
    <SortableFrame
      noun="environment"
      ids={environments.map(({ id }) => id)}
      nameOf={(index) => environments[index]?.name ?? 'It'}
      onMove={(from, to) => onMove(environments[from]?.id ?? '', to)}
    >
      <ol className="attached-list" aria-label="Attached environments in their order">
        {environments.map((environment, index) => (
          <Row
            key={environment.id}
            {...{ environment, index, onMove, ...rest }}
            count={environments.length}
            isDefault={environment.id === agent.default_environment_id}
          />
        ))}
      </ol>
    </SortableFrame>
  );
};
