// Saves or discards every unsaved edit of an environment. A refused save leaves the edits in their fields.
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { Editing } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { confirm } from '../ui/confirm.tsx';
import { fieldWord } from '../ui/field-words.ts';
import { notifyDone } from '../ui/notify.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { Shortcut } from '../ui/Shortcut.tsx';
import { hasVerdictToLose, staleWords } from '../ui/verdict-effect.ts';
import { rulesRefusal } from './policy-edit.ts';

/** Fields that a setup verdict depends on. */
const verdictFields = ['setup', 'env_vars', 'network_policy', 'resources', 'mounts', 'privileged', 'disk_gib', 'repo'];

/** What saving these edits does beyond saving them. */
export const effectOf = ({ patch, environment }: Pick<Editing, 'patch' | 'environment'>): string => {
  if ('recipe_yaml' in patch)
    return environment.image.state === 'none'
      ? 'A changed base, env, package or build step comes into an image with the next build.'
      : 'A changed base, env, package or build step makes the pinned image stale until you build again.';
  const touchesVerdict = verdictFields.some((field) => field in patch) && patch.setup !== null;
  if (touchesVerdict && hasVerdictToLose(environment))
    return environment.setup_verification.status === 'failed' ? 'Test setup again after that.' : staleWords;
  return 'Running sessions keep what they started with.';
};

const useSave = (editing: Editing) => {
  const [failure, setFailure] = useState<ErrorBody | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    if (isBusy || !(await editing.settle())) return;
    setBusy(true);
    const reply = await editing.save();
    setBusy(false);
    setFailure(reply.ok ? null : reply.error);
    if (reply.ok) notifyDone('Saved.');
  };
  return { failure, isBusy, save, forget: () => setFailure(null) };
};

const discardQuestion = (editing: Editing, after: () => void) =>
  confirm({
    title: 'Discard your edits?',
    body: 'The fields go back to what is saved.',
    confirm: 'Discard edits',
    isDangerous: true,
    onConfirm: () => {
      editing.discard();
      after();
    },
  });

/** The bar; nothing is shown while there is nothing to save. Ctrl/Cmd+S saves from anywhere on the page. */
export const SaveBar = ({ editing }: { editing: Editing }) => {
  const { failure, isBusy, save, forget } = useSave(editing);
  useHotkeys([['mod+S', () => void save()]], [], true);
  usePageDeeds([
    editing.isDirty && { label: 'Save the edits', run: () => void save() },
    editing.isDirty && { label: 'Discard the edits…', run: () => discardQuestion(editing, forget) },
  ]);
  if (!editing.isDirty) return null;
  const said = failure && (rulesRefusal(failure) ?? { title: failure.message, next: failure.next_action });
  const isConflict = editing.isOutdated || failure?.code === 'revision_conflict';
  const fields = Object.keys(editing.patch).map(fieldWord);
  return (
    <section aria-label="Unsaved edits">
      {isConflict && (
        <Banner
          isBar
          tone="warn"
          title={`Somebody else saved revision ${editing.environment.revision} since you began.`}
          next="Your edits are still here. Save them over the newer revision, or discard them to see what was changed."
          actions={
            <Button
              variant="default"
              onClick={() => {
                editing.rebase();
                forget();
              }}
            >
              Keep mine
            </Button>
          }
        />
      )}
      {said && !isConflict && (
        <Banner isBar tone="bad" title={said.title} next={said.next ?? 'Your edits are still here; nothing was saved.'} />
      )}
      <div className="save-bar">
        <span className="save-bar-text">
          Unsaved: <strong>{fields.join(', ')}</strong> <span className="faint">· {effectOf(editing)}</span>
        </span>
        <span className="grow" />
        <Button variant="subtle" color="gray" onClick={() => discardQuestion(editing, forget)}>
          Discard
        </Button>
        <Button
          loading={isBusy}
          disabled={isConflict}
          rightSection={<Shortcut keys={['mod', 'S']} />}
          aria-keyshortcuts="Control+S"
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
    </section>
  );
};
