// Takes what a session has changed home: to the clipboard, or as a file for git.
import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import type { Changes, Session, Transfer } from '../../../sandbox-engine/contract/model.ts';
import { pullBlob, saveTransfer } from '../store/move-files.ts';
import { type AppStore, useAppStore } from '../store/store.ts';
import { notifyDone, notifyFailure, notifyNotice } from '../ui/notify.tsx';

type Failure = Parameters<typeof notifyFailure>[1];
const failed = (what: string, error: Failure | null): void => {
  if (error !== null) notifyFailure(what, error);
};

const copyPatch = async ({ ask }: AppStore, transfer: Transfer): Promise<void> => {
  const pulled = await pullBlob(ask, transfer);
  if (!pulled.ok) return failed('The patch was not copied', pulled.error);
  await navigator.clipboard.writeText(await pulled.value.blob.text());
  notifyDone('The patch is on the clipboard.');
};

const savePatch = async (store: AppStore, transfer: Transfer): Promise<void> => {
  const saved = await saveTransfer(store, transfer);
  if (!saved.ok) return failed('The patch was not saved', saved.error);
  const { note } = saved.value;
  if (note !== null) notifyNotice('warning', `The patch was saved; ${note}`);
};

type Format = NonNullable<CallInput<'sessions.patch'>['format']>;

/** The menu. */
export const PatchMenu = ({ session, changes }: { session: Session; changes: Changes }) => {
  const store = useAppStore();
  const [isBusy, setBusy] = useState(false);
  const run = async (format: Format, act: typeof savePatch) => {
    setBusy(true);
    const begun = await store.ask('sessions.patch', { session_id: session.id, format });
    if (begun.ok) await act(store, begun.value);
    else failed('The patch was not made', begun.error);
    setBusy(false);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          loading={isBusy}
          leftSection={<IconDownload size={14} />}
          rightSection={<IconChevronDown size={14} />}
        >
          Patch
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('diff', copyPatch)}>Copy the patch</Menu.Item>
        <Menu.Item onClick={() => void run('diff', savePatch)}>Save the patch, for git apply</Menu.Item>
        {changes.kind === 'repository' && (
          <>
            {changes.commits === 0 && <Menu.Label>This session has made no commits yet</Menu.Label>}
            <Menu.Item disabled={changes.commits === 0} onClick={() => void run('commits', savePatch)}>
              Save the session’s commits, for git am
            </Menu.Item>
            <Menu.Item disabled={changes.commits === 0} onClick={() => void run('bundle', savePatch)}>
              Save the session’s commits as a bundle, for git fetch
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};
