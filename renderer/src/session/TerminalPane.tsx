import { useMemo } from 'react';
import type { Terminal } from '../../../sandbox-engine/contract/model.ts';
import { useStreamSource, useTerminalInput } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { StreamView, streamFeed } from '../ui/StreamView.tsx';

/** More than the scrollback holds of ordinary lines: what is left out could not have been scrolled back to. */
const maxLagBytes = 1024 * 1024;

/** What became of a terminal that no longer runs. */
export const exitText = (terminal: Terminal): string => {
  if (terminal.status === 'lost') return 'lost with its sandbox';
  return terminal.exit_code === null ? 'ended' : `exited with code ${terminal.exit_code}`;
};

/** One terminal, live or ended; its whole kept output is shown again after a reload. */
export const TerminalPane = ({ terminal, isShown }: { terminal: Terminal; isShown: boolean }) => {
  const source = useStreamSource(terminal.stream_id);
  const input = useTerminalInput(terminal.id);
  const feed = useMemo(() => streamFeed(source, maxLagBytes), [source]);
  const isRunning = terminal.status === 'running';
  return (
    <div
      className="term-pane"
      role="tabpanel"
      id={`panel-${terminal.id}`}
      aria-labelledby={`tab-${terminal.id}`}
      hidden={!isShown}
      style={isShown ? undefined : { display: 'none' }}
    >
      <StreamView label={`Terminal ${terminal.title}`} feed={feed} {...(isRunning && { input })} hasFocus={isShown && isRunning} />
      {!isRunning && (
        <Banner
          isBar
          tone={terminal.exit_code === 0 ? 'plain' : 'warn'}
          title={`This terminal ${exitText(terminal)}`}
          next="Its output stays here until you close the tab."
        />
      )}
    </div>
  );
};
