// The dialog before a sandbox is replaced: to which environment, what is lost, what stays. Nothing is touched before the button.
import { Button, Loader, Select } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useEnvironmentSearch } from '../store/use-environment-search.ts';
import { Banner } from '../ui/Banner.tsx';
import { environmentField, tellUnsearched } from '../ui/environment-field.ts';
import { counted, formatBytes } from '../ui/format.ts';
import { notifyDone } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';

type Replacement = CallOutput<'sessions.replacement'>;

const mostServers = 5;

/** As many choices as leave the first lines of the preview in sight where there is room for that. */
const listHeight = 180;

const inWords = new Intl.ListFormat('en');

/** What listens is most likely somebody's server, which no terminal need show. */
const serversOf = ({ listening }: Replacement): string[] => {
  if (listening === null) return ['what listens at ports (the runtime did not say what)'];
  const named = listening.slice(0, mostServers).map(({ port, process }) => `${process ?? 'a program'} at port ${port}`);
  const more = listening.length - named.length;
  return more > 0 ? [...named, `${more} more`] : named;
};

/** What is not there is not told of. */
const processesText = (found: Replacement): string => {
  const { terminals, commands } = found;
  const titles = terminals.map(({ title }) => title).join(', ');
  const parts = [
    ...(terminals.length === 0 ? [] : [`${counted(terminals.length, 'open terminal')} (${titles})`]),
    ...(commands === 0 ? [] : [counted(commands, 'running command')]),
    ...serversOf(found),
  ];
  return parts.length === 0 ? 'All processes' : `All processes, with ${inWords.format(parts)}`;
};

const filesText = ({ changed_files, changed_examples }: Replacement): string => {
  if (changed_files === null) return 'Files outside of /workspace (the runtime did not say how many)';
  if (changed_files === 0) return 'No files outside of /workspace were changed';
  const more = changed_files > changed_examples.length ? ', …' : '';
  return `${counted(changed_files, 'file')} outside of /workspace: ${changed_examples.join(', ')}${more}`;
};

const listStyle = { margin: 0, paddingLeft: 18 } as const;

const Kept = ({ found }: { found: Replacement }) => (
  <>
    <strong>Kept</strong>
    <ul style={listStyle} aria-label="Kept">
      <li>
        /workspace{found.workspace_bytes === null ? '' : `, ${formatBytes(found.workspace_bytes)}`}, as it is
        {found.setup_left_out &&
          '. What setup put in /workspace does not come along, unless it is empty: run those lines in a terminal afterwards'}
      </li>
      <li>The session with its name, and what its terminals have printed</li>
      {found.forwarded.length > 0 && (
        <li>
          {found.forwarded.length === 1 ? 'The forward of port' : 'The forwards of ports'} {found.forwarded.join(', ')}: what you start
          there in the new sandbox is reached again
        </li>
      )}
    </ul>
  </>
);

const Changed = ({ found }: { found: Replacement }) =>
  found.changes.length > 0 && (
    <>
      <strong>Changes</strong>
      <ul style={listStyle} aria-label="Changes">
        {found.changes.map((change) => (
          <li key={change} style={{ overflowWrap: 'anywhere' }}>
            {change}
          </li>
        ))}
      </ul>
    </>
  );

const Losses = ({ found }: { found: Replacement }) => (
  <div className="stack-tight">
    <Kept found={found} />
    <strong>Lost</strong>
    <ul style={listStyle} aria-label="Lost">
      <li>{processesText(found)}</li>
      <li style={{ overflowWrap: 'anywhere' }}>{filesText(found)}</li>
      <li>What was installed by hand</li>
    </ul>
    <Changed found={found} />
    <span className="faint">When the new sandbox cannot start, the old one goes on as it was.</span>
  </div>
);

/** Its sandbox was removed outside Sandlot: there is nothing left that could be lost. */
const LostBefore = ({ found }: { found: Replacement }) => (
  <div className="stack-tight">
    <Kept found={found} />
    <span>What was outside of /workspace went with the former sandbox, when that was removed outside Sandlot.</span>
    <Changed found={found} />
  </div>
);

/** Why not; what is to be tested has the way to where that is done, which needs no command. Dialogs stand outside the router. */
const Obstacle = ({ found, target, onClose }: { found: Replacement; target: string; onClose: () => void }) => {
  if (found.problem_code !== 'environment_not_verified') return <Banner tone="bad" title={found.problem} next={found.next_action} />;
  const way = (
    <Button component="a" variant="default" href={`#/environments/${target}/setup`} onClick={onClose}>
      Open its Setup
    </Button>
  );
  return <Banner tone="bad" title={found.problem} actions={way} />;
};

const usePreview = (session: Session, environmentId: string) => {
  const ask = useAsk();
  const [found, setFound] = useState<Replacement | null>(null);
  const { run } = useBusy('It is not known what would be lost');
  useEffect(() => {
    let isGone = false;
    setFound(null);
    void run(ask('sessions.replacement', { session_id: session.id, environment_id: environmentId })).then(
      (value) => !isGone && setFound(value),
    );
    return () => {
      isGone = true;
    };
  }, [ask, run, session.id, environmentId]);
  return found;
};

const What = ({
  session,
  target,
  found,
  onClose,
}: {
  session: Session;
  target: string;
  found: Replacement | null;
  onClose: () => void;
}) => {
  if (found === null)
    return (
      <div className="row" role="status">
        <Loader size={14} color="gray" /> Looking at what would be lost…
      </div>
    );
  if (found.problem !== null) return <Obstacle found={found} target={target} onClose={onClose} />;
  return session.container_id === null ? <LostBefore found={found} /> : <Losses found={found} />;
};

/** The environments to choose from, and what stands in the field: text that is the name of none chooses nothing. */
const useTarget = (session: Session) => {
  const { data, onSearchChange, ...field } = environmentField(
    useEnvironmentSearch(({ runtime }) => runtime === session.runtime, tellUnsearched),
  );
  const [target, setTarget] = useState(session.environment_id);
  const [typed, setTyped] = useState<string | null>(null);
  const choices = data.map(({ value, label }) => ({
    value,
    label: value === session.environment_id ? `${label} (its own, as it is now)` : label,
  }));
  const chosen = choices.find(({ value }) => value === target)?.label;
  return {
    target,
    setTarget,
    isTyping: chosen !== undefined && typed !== null && typed !== chosen,
    field: {
      ...field,
      data: choices,
      onSearchChange: (text: string) => {
        setTyped(text);
        onSearchChange(text);
      },
    },
  };
};

const Replace = ({ session, onClose }: { session: Session; onClose: () => void }) => {
  const ask = useAsk();
  const { target, setTarget, isTyping, field } = useTarget(session);
  const found = usePreview(session, target);
  const { isBusy, run } = useBusy('The sandbox was not replaced');
  const replace = async () => {
    const done = await run(ask('sessions.replace', { session_id: session.id, environment_id: target }));
    if (!done) return;
    onClose();
    const isItsOwn = target === session.environment_id;
    notifyDone(isItsOwn ? `“${done.name}” has a new sandbox.` : `“${done.name}” has a new sandbox of “${done.environment_name}”.`);
  };
  return (
    <div className="stack">
      <Select
        label="Environment"
        description={`Environments on ${session.runtime}: a workspace stays on its runtime`}
        placeholder="Choose another environment"
        allowDeselect={false}
        value={target}
        onChange={(value) => value && setTarget(value)}
        maxDropdownHeight={listHeight}
        {...field}
      />
      <What session={session} target={target} found={found} onClose={onClose} />
      <div className="row">
        <span className="grow faint" role="status">
          {isTyping && 'Choose one from the list.'}
        </span>
        <Button variant="default" onClick={onClose} data-autofocus style={{ flex: 'none' }}>
          Cancel
        </Button>
        <Button
          {...(session.container_id === null ? {} : { color: 'red.8' })}
          style={{ maxWidth: '60%' }}
          loading={isBusy}
          disabled={isTyping || found?.problem !== null}
          onClick={() => void replace()}
        >
          <span className="clip" style={{ lineHeight: 1.5 }}>
            {found?.problem === null ? `Replace with “${found.to}”` : 'Replace sandbox'}
          </span>
        </Button>
      </div>
    </div>
  );
};

/** Opens it. */
export const openReplace = (session: Session): void => {
  const id = modals.open({
    title: `Replace the sandbox of “${session.name}”`,
    size: 'lg',
    children: <Replace session={session} onClose={() => modals.close(id)} />,
  });
};
