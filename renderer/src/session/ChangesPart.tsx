// What a session has changed since it began: the files, the patch of one, and what to do with all of it.
import './workspace.css';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconGitCommit, IconGitCompare, IconRefresh } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import type { ChangedFile, Changes, Session } from '../../../sandbox-engine/contract/model.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { counted } from '../ui/format.ts';
import { Loading } from '../ui/Loading.tsx';
import { plainName } from '../ui/plain-name.ts';
import { usePlaceState } from '../ui/use-place-state.ts';
import { WindowedList } from '../ui/WindowedList.tsx';
import { CommitBox } from './CommitBox.tsx';
import { PatchMenu } from './PatchMenu.tsx';
import { PatchView } from './PatchView.tsx';
import { useChanges, usePatch } from './use-changes.ts';
import { wayBackWords } from './way-back.ts';

const letters: Record<ChangedFile['status'], string> = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R' };

/** Up and down move between the files, as in any list. */
const moveInList = (event: KeyboardEvent<HTMLElement>): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="option"]')];
  const next = rows[rows.indexOf(document.activeElement as HTMLElement) + step];
  next?.focus();
  next?.click();
};

const whatOf = (file: ChangedFile): string | null => {
  if (file.kind === 'repository') return 'own repository';
  if (file.kind === 'large') return 'over 16 MiB';
  return file.is_binary ? 'binary' : null;
};

const FileRow = ({ file, isChosen, onChoose }: { file: ChangedFile; isChosen: boolean; onChoose: () => void }) => {
  const slash = file.path.lastIndexOf('/');
  return (
    <button
      type="button"
      role="option"
      aria-selected={isChosen}
      tabIndex={isChosen ? 0 : -1}
      className="change-row"
      title={plainName(file.old_path === null ? file.path : `${file.old_path} → ${file.path}`)}
      onClick={onChoose}
    >
      <span className={`change-letter is-${file.status}`} title={file.status}>
        {letters[file.status]}
      </span>
      <span className="change-name clip">
        {plainName(file.path.slice(slash + 1))}
        {slash > 0 && <span className="faint"> {plainName(file.path.slice(0, slash))}</span>}
      </span>
      {file.added !== null && file.kind === 'file' ? (
        <span className="change-counts">
          <span className="change-plus">+{file.added}</span> <span className="change-minus">−{file.removed}</span>
        </span>
      ) : (
        <span className="change-counts faint">{whatOf(file)}</span>
      )}
    </button>
  );
};

const Summary = ({ changes }: { changes: Changes }) => (
  <span className="changes-summary">
    {changes.files_total > 0 && (
      <>
        <strong>{counted(changes.files_total, 'file')}</strong> <span className="change-plus">+{changes.added}</span>{' '}
        <span className="change-minus">−{changes.removed}</span>
      </>
    )}
    <span className="faint clip">
      {changes.root}
      {changes.branch && ` · ${changes.branch}`}
      {changes.commits > 0 && ` · ${counted(changes.commits, 'commit')}`}
      {changes.kind === 'repository' && changes.files_total > 0 && (changes.has_uncommitted ? ' · not all committed' : ' · all committed')}
    </span>
  </span>
);

const Patch = ({ session, file, changes }: { session: Session; file: ChangedFile; changes: Changes }) => {
  const { patch, failure } = usePatch(session.id, file, changes);
  if (file.kind !== 'file' || file.is_binary) {
    const what = file.kind === 'repository' ? 'A repository of its own is not looked into' : 'There is no text to compare';
    return (
      <Empty icon={<IconGitCompare size={20} />} title={what}>
        {file.kind === 'large'
          ? 'Files over 16 MiB are listed, and left out of patches. Copy it out on the Files tab.'
          : 'Copy it out on the Files tab.'}
      </Empty>
    );
  }
  if (failure) return <Banner tone="bad" title={failure.message} next={failure.next_action} />;
  if (patch === null) return <Loading verb="Comparing" what="the file" />;
  return (
    <>
      <PatchView patch={patch.text} label={`Changes of ${file.path}`} />
      {!patch.isWhole && <div className="workspace-foot faint">That is the beginning. Save the patch to have all of it.</div>}
    </>
  );
};

/** Why there is no list; null when there can be one. */
const beginsMs = 15_000;

/** How it began is written down a moment after it runs. */
const isBeingFilled = ({ status, steps, started_at }: Session): boolean =>
  status === 'starting' || steps.some((step) => step.status === 'running') || Date.now() - Date.parse(started_at ?? '') < beginsMs;

const Reason = ({ session }: { session: Session }) => {
  if (session.status === 'running' && session.workspace_start !== undefined) return null;
  const isFilling = isBeingFilled(session);
  const title =
    session.status === 'running'
      ? isFilling
        ? 'The workspace is being filled'
        : 'The beginning was not written down'
      : 'The session does not run';
  const text = {
    running: isFilling
      ? 'Its changes are shown here as soon as it is there.'
      : 'Sessions that are launched from now on show their changes here.',
    stopped: `${wayBackWords(session)} to see what it has changed.`,
    starting: 'Its changes are shown here once it runs.',
  };
  return (
    <Empty icon={<IconGitCompare size={20} />} title={title}>
      {text[session.status as keyof typeof text] ?? 'Its workspace cannot be looked at any more.'}
    </Empty>
  );
};

/** The part. */
export const ChangesPart = ({ session }: { session: Session }) => {
  const { changes, failure, isBusy, refresh } = useChanges(session);
  const [chosen, setChosen] = usePlaceState<string>('file', '', { isStep: true });
  const file = changes?.files.find(({ path }) => path === chosen) ?? changes?.files[0] ?? null;
  if (session.status !== 'running' || session.workspace_start === undefined) return <Reason session={session} />;
  if (failure) {
    const again = (
      <Button variant="default" onClick={refresh} loading={isBusy}>
        Try again
      </Button>
    );
    return (
      <div className="workspace-part">
        <Banner tone="bad" title={failure.message} next={failure.next_action} actions={again} />
      </div>
    );
  }
  if (changes === null) return <Loading verb="Comparing" what="the workspace with its beginning" />;
  return (
    <div className="workspace-part">
      <div className="workspace-bar">
        <Summary changes={changes} />
        <span className="grow" />
        <Tooltip label="Compare again">
          <ActionIcon aria-label="Compare again" loading={isBusy} onClick={refresh}>
            <IconRefresh size={15} />
          </ActionIcon>
        </Tooltip>
        {changes.files_total > 0 && <PatchMenu session={session} changes={changes} />}
      </div>
      {changes.files_total === 0 || file === null ? (
        <Empty icon={<IconGitCommit size={20} />} title="Nothing has changed yet">
          Whatever becomes different in {changes.root} from how this session began is listed here, committed or not. Look at it line by
          line, commit it, or take it home as a patch.
        </Empty>
      ) : (
        <div className="changes-split">
          <div className="changes-side">
            <WindowedList
              className="changes-list"
              role="listbox"
              label="Changed files"
              onKeyDown={moveInList}
              items={changes.files}
              keyOf={({ path }) => path}
              usualHeight={28}
              draw={(one) => <FileRow file={one} isChosen={one === file} onChoose={() => setChosen(one.path)} />}
            />
            {changes.files_total > changes.files.length && (
              <div className="workspace-foot faint">… and {changes.files_total - changes.files.length} more files</div>
            )}
            <CommitBox session={session} changes={changes} onCommitted={refresh} />
          </div>
          <div className="changes-patch">
            <Patch session={session} file={file} changes={changes} />
          </div>
        </div>
      )}
    </div>
  );
};
