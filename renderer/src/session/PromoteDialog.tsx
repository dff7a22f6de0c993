// Commands that were typed in a session, into its environment: choose, see what changes, save.
import './activity.css';
import { Button, Checkbox, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { CallInput, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { Session, TypedCommand } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { CodeDiff } from '../ui/CodeDiff.tsx';
import { timeText } from '../ui/format.ts';
import { notifyDone } from '../ui/notify.tsx';
import { dialogClosed } from '../ui/theme.ts';
import { useBusy } from '../ui/use-busy.ts';

type Into = CallInput<'promote.preview'>['into'];
type Preview = CallOutput<'promote.preview'>;

const places: { value: Into; label: string }[] = [
  { value: 'initialize', label: 'Image (initialize)' },
  { value: 'setup', label: 'Setup script' },
  { value: 'session_start', label: 'Session start' },
];

const useHistory = (session: Session) => {
  const ask = useAsk();
  const [found, setFound] = useState<CallOutput<'promote.history'> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    void ask('promote.history', { session_id: session.id }).then((reply) => {
      setProblem(reply.ok ? null : reply.error.message);
      if (reply.ok) setFound(reply.value);
    });
  }, [ask, session.id]);
  return { found, problem };
};

/** What would change with these commands; null while nothing is chosen or the answer is on its way. */
const usePreview = (session: Session, commands: readonly string[], into: Into, name: string) => {
  const ask = useAsk();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const key = JSON.stringify({ commands, into, ...(name.trim() === '' ? {} : { name: name.trim() }) });
  useEffect(() => {
    const asked = JSON.parse(key) as Pick<CallInput<'promote.preview'>, 'commands' | 'into' | 'name'>;
    setProblem(null);
    if (asked.commands.length === 0) return setPreview(null);
    let isCurrent = true;
    void ask('promote.preview', { session_id: session.id, ...asked }).then((reply) => {
      if (!isCurrent) return;
      setProblem(reply.ok ? null : reply.error.message);
      setPreview(reply.ok ? reply.value : null);
    });
    return () => {
      isCurrent = false;
    };
  }, [ask, session.id, key]);
  return { preview, problem };
};

const CommandList = ({
  commands,
  chosen,
  onToggle,
}: {
  commands: readonly TypedCommand[];
  chosen: ReadonlySet<number>;
  onToggle: (index: number) => void;
}) => (
  <ol className="promote-list" aria-label="Commands that were typed">
    {commands.map(({ at, command }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is read once and its places are what is chosen
      <li key={index}>
        <Checkbox size="xs" label={<span className="mono">{command}</span>} checked={chosen.has(index)} onChange={() => onToggle(index)} />
        {at !== null && <span className="faint num">{timeText(at)}</span>}
      </li>
    ))}
  </ol>
);

/** The dialog. Nothing is changed before its last button. */
export const PromoteDialog = ({ session, onClose }: { session: Session; onClose: () => void }) => {
  const ask = useAsk();
  const { found, problem } = useHistory(session);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [into, setInto] = useState<Into>('session_start');
  const [name, setName] = useState('');
  const { isBusy, run } = useBusy('The environment was not changed');
  const commands = useMemo(
    () => (found?.commands ?? []).filter((_, index) => chosen.has(index)).map(({ command }) => command),
    [found, chosen],
  );
  const { preview, problem: refusal } = usePreview(session, commands, into, name);
  const toggle = (index: number) =>
    setChosen((known) => {
      const next = new Set(known);
      if (!next.delete(index)) next.add(index);
      return next;
    });
  const save = async (taken: Preview) => {
    const patch = { ...taken.patch, revision: taken.revision };
    if (!(await run(ask('environments.update', { environment_id: taken.environment_id, patch })))) return;
    notifyDone(`${taken.environment_name} is saved. ${taken.effect}`, {
      label: 'Open it',
      href: `/environments/${taken.environment_id}/${into === 'setup' ? 'setup' : 'recipe'}`,
    });
    onClose();
  };
  const trouble = problem ?? refusal;
  // It goes at once, so that nobody else tells of it.
  useEffect(() => () => void window.dispatchEvent(new Event(dialogClosed)), []);
  return (
    <Modal opened onClose={onClose} title={`Commands into ${session.environment_name}`} size="xl">
      <div className="stack-tight">
        {trouble !== null && <Banner tone="warn" title={trouble} />}
        {found?.commands.length === 0 && (
          <div className="dim">
            Nothing was typed yet. Each command of a terminal’s bash is here as soon as it was entered; one that begins with a blank is not.
          </div>
        )}
        {found && found.commands.length > 0 && <CommandList commands={found.commands} chosen={chosen} onToggle={toggle} />}
        <div className="row">
          <SegmentedControl aria-label="Where to" value={into} onChange={(value) => setInto(value as Into)} data={places} />
          {into !== 'setup' && (
            <TextInput
              aria-label="Name of the step"
              placeholder="Name of the step"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          )}
        </div>
        {preview && <CodeDiff label="What changes" before={preview.before} after={preview.after} />}
        {preview && <div className="faint">{preview.effect}</div>}
        <div className="row promote-buttons">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={preview === null} loading={isBusy} onClick={() => preview && void save(preview)}>
            Save to environment
          </Button>
        </div>
      </div>
    </Modal>
  );
};
