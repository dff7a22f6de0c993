// The rules of a network policy in their order, which decides: dragged by their handle, by mouse or by keyboard, or moved a step at a time.
import './rules.css';
import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { type CSSProperties, useRef } from 'react';
import type { NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { moveRule } from './policy-edit.ts';
import { RuleCard } from './RuleCard.tsx';
import type { PolicyCheck } from './use-policy-check.ts';

interface RuleListProps {
  rules: readonly NetworkRule[];
  check: PolicyCheck;
  onChange: (rules: NetworkRule[]) => void;
}

/** Rules have no identity but their place; so that one keeps its card while it is edited and moved, each object gets a name here. */
const useNames = () => {
  const names = useRef(new WeakMap<NetworkRule, string>());
  const made = useRef(0);
  const nameOf = (rule: NetworkRule): string => {
    const known = names.current.get(rule);
    if (known !== undefined) return known;
    made.current += 1;
    const name = `rule-${made.current}`;
    names.current.set(rule, name);
    return name;
  };
  const carry = (from: NetworkRule, to: NetworkRule) => void names.current.set(to, nameOf(from));
  return { nameOf, carry };
};

interface SortableRuleProps extends Omit<Parameters<typeof RuleCard>[0], 'handle'> {
  name: string;
}

const SortableRule = ({ name, ...card }: SortableRuleProps) => {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: name });
  const style: CSSProperties = {
    transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
    transition,
    zIndex: isDragging ? 2 : undefined,
  };
  const handle = (
    <ActionIcon
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      className="rule-handle"
      aria-label={`Move rule ${card.index + 1}`}
      aria-roledescription="sortable"
    >
      <IconGripVertical size={15} />
    </ActionIcon>
  );
  return (
    <div ref={setNodeRef} style={style} className={isDragging ? 'is-dragging' : undefined}>
      <RuleCard {...card} handle={handle} />
    </div>
  );
};

/** The list. */
export const RuleList = ({ rules, check, onChange }: RuleListProps) => {
  const { nameOf, carry } = useNames();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const names = rules.map(nameOf);
  const placeOf = (id: string | number | undefined): string => `${names.indexOf(String(id)) + 1} of ${names.length}`;
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const [from, to] = [names.indexOf(String(active.id)), names.indexOf(String(over?.id))];
    if (from >= 0 && to >= 0 && from !== to) onChange(moveRule(rules, from, to));
  };
  const replace = (index: number, next: NetworkRule) => {
    const before = rules[index];
    if (before) carry(before, next);
    onChange(rules.map((rule, at) => (at === index ? next : rule)));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        screenReaderInstructions: {
          draggable:
            'Press Space to take the rule up, the arrow keys to move it, Space again to put it down, Escape to leave it where it was.',
        },
        announcements: {
          onDragStart: ({ active }) => `Rule ${placeOf(active.id)} is taken up.`,
          onDragOver: ({ over }) => (over ? `It would be rule ${placeOf(over.id)}.` : undefined),
          onDragEnd: ({ over }) => (over ? `It is put down as rule ${placeOf(over.id)}.` : 'It stays where it was.'),
          onDragCancel: () => 'It stays where it was.',
        },
      }}
    >
      <SortableContext items={names} strategy={verticalListSortingStrategy}>
        <div className="rules">
          {rules.map((rule, index) => (
            <SortableRule
              key={nameOf(rule)}
              name={nameOf(rule)}
              {...{ rule, index, check }}
              count={rules.length}
              onChange={(next) => replace(index, next)}
              onMove={(to) => onChange(moveRule(rules, index, to))}
              onRemove={() => onChange(rules.filter((_, at) => at !== index))}
            />
          ))}
        </div>
      </SortableContext>
    </DndContext>
  );
};
