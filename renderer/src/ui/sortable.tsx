// The frame of a list whose order a person makes: dragged by a handle, by mouse or by keyboard, told to a screen reader.
import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';

interface SortableFrameProps {
  /** What is moved, in one word: "rule". */
  noun: string;
  /** Their ids, in their order. */
  ids: readonly string[];
  /** What one is called when it is taken up. */
  nameOf: (index: number) => string;
  onMove: (from: number, to: number) => void;
  children: ReactNode;
}

/** Stands around the list. */
export const SortableFrame = ({ noun, ids, nameOf, onMove, children }: SortableFrameProps) => {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: string | number | undefined): number => ids.indexOf(String(id));
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const [from, to] = [placeOf(active.id), placeOf(over?.id)];
    if (from >= 0 && to >= 0 && from !== to) onMove(from, to);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{
        screenReaderInstructions: {
          draggable: `Press Space to take the ${noun} up, the arrow keys to move it, Space again to put it down, Escape to leave it where it was.`,
        },
        announcements: {
          onDragStart: ({ active }) => `${nameOf(placeOf(active.id))} is taken up.`,
          onDragOver: ({ over }) => (over ? `It would be ${noun} ${placeOf(over.id) + 1} of ${ids.length}.` : undefined),
          onDragEnd: ({ over }) =>
            over ? `It is put down as ${noun} ${placeOf(over.id) + 1} of ${ids.length}.` : 'It stays where it was.',
          onDragCancel: () => 'It stays where it was.',
        },
      }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
};

/** One of the list: put `row` on its element and `handle` into it. */
export const useSortableRow = (id: string, handleLabel: string, handleClass: string) => {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id });
  const style: CSSProperties = {
    transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined,
    transition,
    zIndex: isDragging ? 2 : undefined,
  };
  const handle = (
    <ActionIcon
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      className={handleClass}
      aria-label={handleLabel}
      aria-roledescription="sortable"
    >
      <IconGripVertical size={15} />
    </ActionIcon>
  );
  return { row: { ref: setNodeRef, style }, handle, isDragging };
};
