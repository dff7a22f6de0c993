// A session's tape: what its terminals showed, played again, with all that happened on the same line.
import './activity.css';
import './tape.css';
import { ActionIcon, Button, SegmentedControl, Select, Tooltip } from '@mantine/core';
import { IconMovie, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import type { Session, Tape, TapeTerminal } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { readCast, useTape, useTapeFrames } from '../store/use-tape.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { formatBytes } from '../ui/format.ts';
import { notifyDone, notifyFailure } from '../ui/notify.tsx';
import { TapePlayer } from './TapePlayer.tsx';

const saveText = (text: string, name: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-asciicast' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

const fileName = (session: Session, terminal: TapeTerminal): string =>
  `${`${session.name}-${terminal.title}`.replace(/[^\p{L}\p{N}-]+/gu, '-').slice(0, 80)}.cast`;

const Loaded = ({ tape, terminal, look, keepsPauses }: { tape: Tape; terminal: TapeTerminal; look: number; keepsPauses: boolean }) => {
  const frames = useTapeFrames(tape.session_id, terminal.terminal_id, look);
  if (frames === null) return <div className="tape-wait dim">Reading the tape…</div>;
  return (
    <TapePlayer
      key={`${terminal.terminal_id} ${keepsPauses}`}
      terminal={terminal}
      frames={frames}
      events={tape.events}
      keepsPauses={keepsPauses}
    />
  );
};

interface ToolsProps {
  session: Session;
  tape: Tape;
  terminal: TapeTerminal;
  keepsPauses: boolean;
  onPick: (id: string) => void;
  onPauses: (keeps: boolean) => void;
  onLook: () => void;
}

const Tools = ({ session, tape, terminal, keepsPauses, onPick, onPauses, onLook }: ToolsProps) => {
  const ask = useAsk();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    const text = await readCast(ask, session.id, terminal.terminal_id);
    setBusy(false);
    if (text === null) return notifyFailure('The tape was not written', { message: 'It could not be read to its end.', next_action: null });
    saveText(text, fileName(session, terminal));
    notifyDone('The tape is written as an asciicast.');
  };
  return (
    <div className="tool-bar">
      <Select
        aria-label="Terminal"
        className="tape-pick"
        allowDeselect={false}
        value={terminal.terminal_id}
        onChange={(id) => id && onPick(id)}
        data={tape.terminals.map(({ terminal_id, title }, index) => ({ value: terminal_id, label: `${index + 1}. ${title}` }))}
      />
      <SegmentedControl
        aria-label="Pauses"
        value={keepsPauses ? 'all' : 'short'}
        onChange={(value) => onPauses(value === 'all')}
        data={[
          { value: 'short', label: 'Short pauses' },
          { value: 'all', label: 'As it was' },
        ]}
      />
      <span className="faint grow">
        {formatBytes(terminal.size)}
        {terminal.is_cut ? ', the end of it: older output is no longer kept.' : '.'} What the screen showed, secrets masked; what was typed
        is there only as the screen echoed it.
      </span>
      <Tooltip label="Read again">
        <ActionIcon aria-label="Read again" ml="auto" onClick={onLook}>
          <IconRefresh size={15} />
        </ActionIcon>
      </Tooltip>
      <Button variant="default" loading={isBusy} onClick={() => void save()}>
        Export .cast
      </Button>
    </div>
  );
};

/** The tab. */
export const TapePart = ({ session }: { session: Session }) => {
  const [look, setLook] = useState(0);
  const [picked, setPicked] = useState<string | null>(null);
  const [keepsPauses, setPauses] = useState(false);
  const { tape, problem } = useTape(session.id, look);
  const terminal = tape?.terminals.find(({ terminal_id }) => terminal_id === picked) ?? tape?.terminals[0];
  if (problem) return <Banner isBar tone="bad" title={`The tape could not be read. ${problem.message}`} next={problem.next_action} />;
  if (tape === null) return <div className="tape-wait dim">Reading the tape…</div>;
  if (terminal === undefined)
    return (
      <Empty icon={<IconMovie size={20} />} title="Nothing is on the tape yet">
        What terminals show is recorded by itself, up to the newest 8 MiB each, with what happens meanwhile: steps, the start script, what
        the session tried to reach. Open a terminal, do something, and play it here again; it stays until the session is deleted.
      </Empty>
    );
  return (
    <div className="activity">
      <Tools
        session={session}
        tape={tape}
        terminal={terminal}
        keepsPauses={keepsPauses}
        onPick={setPicked}
        onPauses={setPauses}
        onLook={() => setLook(look + 1)}
      />
      <Loaded tape={tape} terminal={terminal} look={look} keepsPauses={keepsPauses} />
    </div>
  );
};
