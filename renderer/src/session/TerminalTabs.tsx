// The terminals of a session as tabs: open, close, rename.
import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { Terminal } from '../../../sandbox-engine/contract/model.ts';
import { Shortcut } from '../ui/Shortcut.tsx';
import { exitText } from './TerminalPane.tsx';

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
  const finish = (text: string | null) => {
    if (text?.trim()) onRename(text.trim());
    setDraft(null);
  };
  return (
    <div className={isActive ? 'term-tab is-active' : 'term-tab'}>
      {draft === null ? (
        <button
          type="button"
          className="term-tab-pick"
          role="tab"
          id={`tab-${terminal.id}`}
          aria-selected={isActive}
          aria-controls={`panel-${terminal.id}`}
          tabIndex={isActive ? 0 : -1}
          title="Double click or F2 renames"
          onClick={onPick}
          onDoubleClick={() => setDraft(title)}
          onKeyDown={(event) => event.key === 'F2' && setDraft(title)}
        >
          <span className="clip">{title}</span>
          {terminal.status !== 'running' && (
            <span className={terminal.exit_code === 0 ? 'term-tab-exit' : 'term-tab-exit is-bad'}>{exitText(terminal)}</span>
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
      <ActionIcon size="xs" mr={5} aria-label={`Close terminal ${title}`} onClick={onClose}>
        <IconX size={12} />
      </ActionIcon>
    </div>
  );
};

interface TerminalTabsProps {
  terminals: readonly Terminal[];
  titleOf: (terminal: Terminal) => string;
  active: string | null;
  canOpen: boolean;
  onPick: (id: string) => void;
  onOpen: () => void;
  onClose: (terminal: Terminal) => void;
  onRename: (id: string, title: string) => void;
}

/** The row of tabs; arrow keys move between them. */
export const TerminalTabs = ({ terminals, titleOf, active, canOpen, onPick, onOpen, onClose, onRename }: TerminalTabsProps) => {
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || (event.target as HTMLElement).getAttribute('role') !== 'tab') return;
    const at = terminals.findIndex((terminal) => terminal.id === active);
    const next = terminals[(at + step + terminals.length) % terminals.length];
    if (!next) return;
    onPick(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div className="term-tabs">
      <div className="term-tablist" role="tablist" aria-label="Terminals" onKeyDown={move}>
        {terminals.map((terminal) => (
          <TerminalTab
            key={terminal.id}
            terminal={terminal}
            title={titleOf(terminal)}
            isActive={terminal.id === active}
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
    </div>
  );
};
