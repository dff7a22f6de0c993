import { Modal } from '@mantine/core';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import { Banner } from '../ui/Banner.tsx';
import { CodeField } from '../ui/CodeField.tsx';
import { CopyCommand, CopyText } from '../ui/Copy.tsx';

/** How an SSH client gets into a session, or what is missing for it. */
export const SshDialog = ({ ssh, onClose }: { ssh: CallOutput<'editors.get'>['ssh'] | null; onClose: () => void }) => (
  <Modal opened={ssh !== null} onClose={onClose} title="SSH into this session" size="lg">
    {ssh && (
      <div className="stack-tight">
        {ssh.message !== null && <Banner tone="warn" title="Not yet possible in this session" next={ssh.message} />}
        <div className="dim">
          These lines belong into <code>~/.ssh/config</code>. No port is opened: the client starts Sandlot’s command line, which leads into
          the sandbox. Editors with a Remote-SSH mode use the same lines.{' '}
          <CopyText value={ssh.config} shown="Copy all lines" label="configuration" />
        </div>
        <CodeField label="SSH configuration" mode="text" value={ssh.config} minLines={8} />
        <CopyCommand command={`ssh ${ssh.host}`} />
      </div>
    )}
  </Modal>
);
