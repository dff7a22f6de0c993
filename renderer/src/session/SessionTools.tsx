// Ways out of a session: into an editor, and of what was typed into its environment.
import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowUpRight, IconBrandVscode, IconFileExport, IconTerminal } from '@tabler/icons-react';
import { useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { notifyNotice } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { PromoteDialog } from './PromoteDialog.tsx';
import { SshDialog } from './SshDialog.tsx';

/** A menu of a running session. */
export const SessionTools = ({ session }: { session: Session }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The editor cannot get in');
  const [isPromoting, promote] = useDisclosure(false);
  const [ssh, setSsh] = useState<CallOutput<'editors.get'>['ssh'] | null>(null);
  const editors = () => run(ask('editors.get', { session_id: session.id }));
  const openCode = async () => {
    const found = await editors();
    if (!found) return;
    if (found.vscode_note !== null) notifyNotice('info', found.vscode_note);
    window.open(found.vscode_url, '_blank', 'noopener,noreferrer');
  };
  const openSsh = async () => setSsh((await editors())?.ssh ?? null);
  if (session.status !== 'running') return null;
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" loading={isBusy} leftSection={<IconArrowUpRight size={14} />}>
            Open in
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconBrandVscode size={14} />} onClick={() => void openCode()}>
            VS Code (Dev Containers)
          </Menu.Item>
          <Menu.Item leftSection={<IconTerminal size={14} />} onClick={() => void openSsh()}>
            SSH configuration…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconFileExport size={14} />} onClick={promote.open}>
            Keep typed commands in the environment…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPromoting && <PromoteDialog session={session} onClose={promote.close} />}
      <SshDialog ssh={ssh} onClose={() => setSsh(null)} />
    </>
  );
};
