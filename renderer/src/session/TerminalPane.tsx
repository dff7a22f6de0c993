import { type KeyboardEvent, useMemo } from 'react';
import type { Terminal } from '../../../sandbox-engine/contract/model.ts';
import { usePastSizes, useStreamSource, useTerminalInput } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { streamFeed } from '../ui/feed.ts';
import { StreamView } from '../ui/StreamView.tsx';

/** More than the scrollback holds of ordinary lines: what is left out could not have been scrolled back to. */
const maxLagBytes = 1024 * 1024;

/** What became of a terminal that no longer runs. */
export const exitText = (terminal: Terminal): string => {
  if (terminal.ended_with_session) return 'ended when the session was stopped';
  if (terminal.status === 'lost') return 'lost with its sandbox';
  return terminal.exit_code === null ? 'ended' : `exited with code ${terminal.exit_code}`;
};

/** Whether it ended in a way that a person may want to look into: neither asked for nor well. */
export const isEndedBadly = ({ status, exit_code: code, ended_with_session: withSession = false }: Terminal): boolean =>
  !withSession && (status === 'lost' || (status === 'exited' && code !== null && code !== 0));

/** Tab is the shell's own, so that another key has to lead out of a terminal: to its tab. */
const leaveByKey = (event: KeyboardEvent, terminal: Terminal): void => {
  if (!event.ctrlKey || !event.altKey || event.key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  document.getElementById(`tab-${terminal.id}`)?.focus();
};

interface TerminalPaneProps {
  terminal: Terminal;
  /** Which part of the room it has; null while it is not shown. */
  place: 'all' | 'left' | 'right' | null;
}

/** One terminal, live or ended; its whole kept output is shown again after a reload. */
export const TerminalPane = ({ terminal, place }: TerminalPaneProps) => {
  const source = useStreamSource(terminal.stream_id);
  const input = useTerminalInput(terminal.id);
  const readSizes = usePastSizes(terminal.session_id, terminal.id);
  const feed = useMemo(() => streamFeed(source, { maxLagBytes, readSizes }), [source, readSizes]);
  const isRunning = terminal.status === 'running';
  const isShown = place !== null;
  return (
    <div
      className={`term-pane is-${place ?? 'away'}`}
      role="tabpanel"
      id={`panel-${terminal.id}`}
      aria-labelledby={`tab-${terminal.id}`}
      hidden={!isShown}
      onKeyDownCapture={(event) => leaveByKey(event, terminal)}
    >
      <StreamView label={`Terminal ${terminal.title}`} feed={feed} {...(isRunning && { input })} hasFocus={isShown && isRunning} />
      {!isRunning && (
        <Banner
          isBar
          tone={isEndedBadly(terminal) ? 'warn' : 'plain'}
          title={`This terminal ${exitText(terminal)}`}
          next="Its output stays here until you close the tab."
        />
      )}
    </div>
  );
};
