// The player: a screen in the size in which it was recorded, a line of time with what happened on it, and keys.
import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconListDetails, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import type { TapeEvent, TapeFrame, TapeTerminal } from '../../../sandbox-engine/contract/model.ts';
import { counted } from '../ui/format.ts';
import { StreamView } from '../ui/StreamView.tsx';
import { clockText, layOut, type TapeTime } from './tape-time.ts';
import { speeds, usePlayer } from './use-player.ts';

interface Mark {
  key: string;
  atMs: number;
  event: TapeEvent;
  /** It happened when this terminal had shown its last. */
  isAfter: boolean;
}

const mostMarks = 400;
/** What happens as the last is shown, as the end of its shell, belongs to it. */
const afterMs = 1_000;

/** Events of this terminal, and those of the session, at their places; what was before it stands at its beginning. */
const marksOf = (events: readonly TapeEvent[], terminal: TapeTerminal, time: TapeTime, lastMs: number): Mark[] =>
  events
    .filter(({ terminal_id: of }) => (of ?? terminal.terminal_id) === terminal.terminal_id)
    .slice(-mostMarks)
    .map((event, index) => {
      const realMs = Math.max(0, Date.parse(event.at) - Date.parse(terminal.from));
      return { key: `${index} ${event.at}`, event, atMs: time.placeOf(realMs), isAfter: realMs > lastMs + afterMs };
    });

const EventList = ({ marks, atMs, onPick }: { marks: readonly Mark[]; atMs: number; onPick: (atMs: number) => void }) => (
  <ol className="tape-events" aria-label="What happened">
    {marks.map(({ key, atMs: at, event, isAfter }) => (
      <li key={key}>
        <button type="button" className={at <= atMs ? 'tape-event is-past' : 'tape-event'} onClick={() => onPick(at)}>
          <span className="num faint">{isAfter ? 'after' : clockText(at)}</span>
          <span className={`tape-dot is-${event.tone}`} aria-hidden="true" />
          <span className="tape-event-label" dir="auto">
            {event.label}
          </span>
        </button>
      </li>
    ))}
    {marks.length === 0 && <li className="faint tape-none">Nothing but output.</li>}
  </ol>
);

const keyStep = 5_000;

/** Pixels; below it the events stand under the screen, and only when one wants them: the player has the room. */
const roomForList = 720;

/** Whether the events are listed: beside the screen unless they are put away, under it when they are asked for. */
const useListed = () => {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [wish, setWish] = useState<boolean | null>(null);
  const isNarrow = width > 0 && width < roomForList;
  const isShown = wish ?? !isNarrow;
  return { ref, isNarrow, isShown, toggle: () => setWish(!isShown) };
};

interface TapePlayerProps {
  terminal: TapeTerminal;
  frames: readonly TapeFrame[];
  events: readonly TapeEvent[];
  keepsPauses: boolean;
}

/** The player of one terminal's tape. */
export const TapePlayer = ({ terminal, frames, events, keepsPauses }: TapePlayerProps) => {
  const time = useMemo(() => layOut(frames, keepsPauses), [frames, keepsPauses]);
  const marks = useMemo(() => marksOf(events, terminal, time, frames.at(-1)?.at_ms ?? 0), [events, terminal, time, frames]);
  const player = usePlayer(terminal, frames, time);
  const list = useListed();
  const { atMs, isPlaying, speed, seek, toggle, setSpeed } = player;
  const keys = new Map<string, () => void>([
    [' ', toggle],
    ['k', toggle],
    ['ArrowLeft', () => seek(atMs - keyStep)],
    ['ArrowRight', () => seek(atMs + keyStep)],
    ['Home', () => seek(0)],
    ['End', () => seek(time.durationMs)],
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const act = keys.get(event.key);
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || target.closest('button, [role="radiogroup"]')) return;
    event.preventDefault();
    act();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its keys are those of the controls inside, which can all be reached one by one
    <div className="tape" ref={list.ref} data-list={list.isNarrow ? 'below' : 'beside'} onKeyDown={onKeyDown}>
      <div className="tape-screen">
        <StreamView label={`Tape of ${terminal.title}`} feed={player.feed} />
        {!isPlaying && atMs === 0 && (
          <div className="tape-begin">
            <Button size="md" leftSection={<IconPlayerPlay size={18} />} onClick={toggle}>
              Play {clockText(time.durationMs)}
            </Button>
          </div>
        )}
      </div>
      {list.isShown && <EventList marks={marks} atMs={atMs} onPick={seek} />}
      <div className="tape-controls">
        <Tooltip label={isPlaying ? 'Pause (Space)' : 'Play (Space)'}>
          <ActionIcon variant="filled" color="cobalt" size="lg" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={toggle}>
            {isPlaying ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
          </ActionIcon>
        </Tooltip>
        <span className="num tape-clock">{clockText(atMs)}</span>
        <div className="tape-line">
          <div className="tape-marks" aria-hidden="true">
            {marks.map(({ key, atMs: at, event }) => (
              <span
                key={key}
                className={`tape-mark is-${event.tone}`}
                title={event.label}
                style={{ left: `${time.durationMs === 0 ? 0 : (at / time.durationMs) * 100}%` }}
              />
            ))}
          </div>
          <input
            type="range"
            className="tape-range"
            aria-label="Place on the tape"
            aria-valuetext={`${clockText(atMs)} of ${clockText(time.durationMs)}`}
            min={0}
            max={Math.max(1, time.durationMs)}
            step={1}
            value={atMs}
            onChange={(event) => seek(Number(event.currentTarget.value))}
          />
        </div>
        <span className="num tape-clock faint">{clockText(time.durationMs)}</span>
        <SegmentedControl
          aria-label="Speed"
          value={String(speed)}
          onChange={(value) => setSpeed(Number(value))}
          data={speeds.map((value) => ({ value: String(value), label: `${value}×` }))}
        />
        <Tooltip label={list.isShown ? 'Hide what happened' : `What happened: ${counted(marks.length, 'event')}`}>
          <ActionIcon variant="default" size={30} aria-label="What happened" aria-pressed={list.isShown} onClick={list.toggle}>
            <IconListDetails size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  );
};
