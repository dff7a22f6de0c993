// The terminals of a session as tabs: open, close, rename. A list of tabs may hold nothing else, so its crosses are for the mouse.
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconLayoutColumns, IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Terminal } from '../../../sandbox-engine/contract/model.ts';
import { Shortcut } from '../ui/Shortcut.tsx';
import { EarlierTerminals } from './EarlierTerminals.tsx';
import { exitText, isEndedBadly } from './TerminalPane.tsx';

interface TabProps {
  terminal: Terminal;
  title: string;
  isActive: boolean;
  onPick: () => void;
  onClose: () => void;
  onRename: (title: string) => void;
}

const TerminalTab = ({ terminal, title, isActive, onPick, onClose, onRename }: TabProps) => {
  const [draft, setDraft] = useState<string | null>(null);
  const tab = useRef<HTMLDivElement>(null);
  // Of more tabs than there is room for, the one that is shown is in sight.
  useEffect(() => {
    if (isActive) tab.current?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [isActive]);
  const finish = (text: string | null) => {
    if (text?.trim()) onRename(text.trim());
    setDraft(null);
  };
  return (
    <div ref={tab} className={isActive ? 'term-tab is-active' : 'term-tab'}>
      {draft === null ? (
        <button
          type="button"
          className="term-tab-pick"
          role="tab"
          id={`tab-${terminal.id}`}
          aria-selected={isActive}
          aria-controls={`panel-${terminal.id}`}
          tabIndex={isActive ? 0 : -1}
          aria-keyshortcuts="F2 Delete"
          title="Double click or F2 renames, Delete closes"
          onClick={onPick}
          onDoubleClick={() => setDraft(title)}
          onKeyDown={(event) => {
            if (event.key === 'F2') setDraft(title);
            if (event.key === 'Delete') onClose();
          }}
        >
          <span className="clip">{title}</span>
          {terminal.status !== 'running' && (
            <span className={isEndedBadly(terminal) ? 'term-tab-exit is-bad' : 'term-tab-exit'}>
              {terminal.ended_with_session ? 'stopped' : exitText(terminal)}
            </span>
          )}
        </button>
      ) : (
        <TextInput
          autoFocus
          w={140}
          pl={6}
          aria-label="Name of this terminal"
          value={draft}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => finish(draft)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') finish(draft);
            if (event.key === 'Escape') finish(null);
          }}
        />
      )}
      <ActionIcon size="xs" mr={5} aria-hidden="true" tabIndex={-1} title={`Close terminal ${title}`} onClick={onClose}>
        <IconX size={12} />
      </ActionIcon>
    </div>
  );
};

interface TerminalTabsProps {
  terminals: readonly Terminal[];
  /** From before the newest start: kept in a menu. */
  earlier: readonly Terminal[];
  titleOf: (terminal: Terminal) => string;
  active: string | null;
  /** The one that is shown beside it. */
  beside: string | null;
  canOpen: boolean;
  onPick: (id: string) => void;
  onOpen: () => void;
  onReopen: (id: string) => void;
  onSplit: () => void;
  onJoin: () => void;
  onClose: (terminal: Terminal) => void;
  onRename: (id: string, title: string) => void;
}

const SplitButton = ({ terminals, beside, canOpen, onSplit, onJoin }: TerminalTabsProps) => {
  if (beside === null && (!canOpen || terminals.length === 0)) return null;
  const label = beside === null ? 'Split: a terminal beside this one' : 'One terminal at a time';
  return (
    <Tooltip
      label={
        <span className="row">
          {label} <Shortcut keys={['mod', 'Shift', '5']} />
        </span>
      }
    >
      <ActionIcon aria-label={label} aria-pressed={beside !== null} onClick={beside === null ? onSplit : onJoin}>
        <IconLayoutColumns size={15} />
      </ActionIcon>
    </Tooltip>
  );
};

/** The row of tabs; arrow keys move between them. */
export const TerminalTabs = (props: TerminalTabsProps) => {
  const { terminals, titleOf, active, beside, canOpen, onPick, onOpen, onClose, onRename } = props;
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || (event.target as HTMLElement).getAttribute('role') !== 'tab') return;
    const at = terminals.findIndex((terminal) => `tab-${terminal.id}` === (event.target as HTMLElement).id);
    const next = terminals[(at + step + terminals.length) % terminals.length];
    if (!next) return;
    onPick(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  if (terminals.length + props.earlier.length === 0 && !canOpen) return null;
  return (
    <div className="term-tabs">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a list of tabs as soon as there is one */}
      <div
        className="term-tablist"
        {...(terminals.length > 0 && { role: 'tablist', 'aria-label': 'Terminals', 'aria-multiselectable': beside !== null })}
        onKeyDown={move}
      >
        {terminals.map((terminal) => (
          <TerminalTab
            key={terminal.id}
            terminal={terminal}
            title={titleOf(terminal)}
            isActive={terminal.id === active || terminal.id === beside}
            onPick={() => onPick(terminal.id)}
            onClose={() => onClose(terminal)}
            onRename={(title) => onRename(terminal.id, title)}
          />
        ))}
      </div>
      {canOpen && (
        <Tooltip
          label={
            <span className="row">
              New terminal <Shortcut keys={['mod', 'Shift', 'T']} />
            </span>
          }
        >
          <ActionIcon aria-label="New terminal" onClick={onOpen}>
            <IconPlus size={15} />
          </ActionIcon>
        </Tooltip>
      )}
      <SplitButton {...props} />
      <EarlierTerminals terminals={props.earlier} titleOf={titleOf} onPick={props.onReopen} />
    </div>
  );
};
