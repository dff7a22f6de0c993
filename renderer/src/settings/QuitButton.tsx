// Ends the host from its page, where there is no window to close; asks what becomes of the sessions that run.
import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { useBusy } from '../ui/use-busy.ts';

const mostNamed = 4;

/** The first few by name, and how many more. */
const someOf = (names: readonly string[]): string =>
  names.length > mostNamed ? `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more` : names.join(', ');

const Question = ({ names, onQuit, onClose }: { names: string[]; onQuit: (stops: boolean) => void; onClose: () => void }) => (
  <div className="stack">
    <span>
      {names.length === 0
        ? 'No session is running. Sandlot ends; start it again with the command that you started it with.'
        : `Running: ${someOf(names)}. Kept running, they go on and are here when Sandlot starts again; behind network rules they have no network until then. Stopped, their workspaces stay.`}
    </span>
    <div className="dialog-end">
      <Button variant="default" onClick={onClose} data-autofocus>
        Cancel
      </Button>
      {names.length > 0 && (
        <Button variant="default" onClick={() => onQuit(true)}>
          Stop all and quit
        </Button>
      )}
      <Button onClick={() => onQuit(false)}>{names.length === 0 ? 'Quit' : 'Keep running and quit'}</Button>
    </div>
  </div>
);

/** The button. */
export const QuitButton = () => {
  const ask = useAsk();
  const names = useStored((state) =>
    Object.values(state.sessions)
      .filter(({ status }) => status === 'running')
      .map(({ name }) => name),
  );
  const { isBusy, run } = useBusy('Sandlot did not quit');
  const open = () => {
    const id = modals.open({
      title: 'Quit Sandlot?',
      size: 'lg',
      children: (
        <Question
          names={names}
          onClose={() => modals.close(id)}
          onQuit={(stop_sessions) => {
            modals.close(id);
            void run(ask('app.shutdown', { stop_sessions }));
          }}
        />
      ),
    });
  };
  return (
    <Button variant="default" loading={isBusy} onClick={open}>
      Quit Sandlot…
    </Button>
  );
};
