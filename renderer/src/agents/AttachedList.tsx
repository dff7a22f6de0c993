// The environments of an agent in their order: dragged by their handle, by mouse or by keyboard, or moved a step at a time.
import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { Link } from 'wouter';
import type { AgentView } from '../../../sandbox-engine/contract/model.ts';

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
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: environment.id });
  const style: CSSProperties = {
    transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined,
    transition,
    zIndex: isDragging ? 2 : undefined,
  };
  return (
    <li ref={setNodeRef} style={style} className={isDragging ? 'attached is-dragging' : 'attached'}>
      <ActionIcon
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        className="attached-handle"
        aria-label={`Move ${environment.name}, place ${index + 1}`}
        aria-roledescription="sortable"
      >
        <IconGripVertical size={15} />
      </ActionIcon>
      <div className="attached-text">
        <div className="row">
          <Link href={`/environments/${environment.id}`} className="agent-name clip">
            {environment.name}
          </Link>
          {isDefault && <span className="tag is-ok">default</span>}
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
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const { environments } = agent;
  const placeOf = (id: string | number | undefined): number => environments.findIndex((one) => one.id === id);
  const nameOf = (id: string | number): string => environments[placeOf(id)]?.name ?? 'It';
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const [from, to] = [placeOf(active.id), placeOf(over?.id)];
    if (from >= 0 && to >= 0 && from !== to) onMove(String(active.id), to);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        screenReaderInstructions: {
          draggable:
            'Press Space to take the environment up, the arrow keys to move it, Space again to put it down, Escape to leave it where it was.',
        },
        announcements: {
          onDragStart: ({ active }) => `${nameOf(active.id)} is taken up.`,
          onDragOver: ({ over }) => (over ? `It would be in place ${placeOf(over.id) + 1} of ${environments.length}.` : undefined),
          onDragEnd: ({ over }) => (over ? `It is put down in place ${placeOf(over.id) + 1}.` : 'It stays where it was.'),
          onDragCancel: () => 'It stays where it was.',
        },
      }}
    >
      <SortableContext items={environments.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
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
      </SortableContext>
    </DndContext>
  );
};
