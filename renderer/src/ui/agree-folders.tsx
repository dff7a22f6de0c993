// The question before a session gets folders of this machine for the first time, or in another way than before.
import type { ListedFolder } from '../../../sandbox-engine/contract/model.ts';
import { confirm } from './confirm.tsx';

/** How a folder is used, in words. */
const folderWay = ({ use, read_only }: Pick<ListedFolder, 'use' | 'read_only'>): string => {
  if (use === 'repository') return 'brought into each session';
  return read_only ? 'can be read' : 'can be read and changed';
};

/** Shows the folders; resolves with whether the person agrees. */
export const askAgreement = (folders: readonly ListedFolder[]): Promise<boolean> =>
  new Promise((resolve) => {
    confirm({
      title: 'Give sessions these folders of this machine?',
      body: (
        <>
          <ul className="plain-list">
            {folders.map((folder) => (
              <li key={`${folder.path} ${folder.use} ${folder.read_only}`}>
                <code className="mono">{folder.path}</code> <span className="dim">{folderWay(folder)}</span>
              </li>
            ))}
          </ul>
          <span className="dim">
            Whatever runs in a session of this environment sees them, and can send them wherever its network reaches.
            {folders.some(({ use }) => use === 'repository') && ' What is brought in is a copy: nothing is written back.'} You are asked
            again before it gets another folder, or one in another way.
          </span>
        </>
      ),
      confirm: 'Agree and launch',
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
    });
  });
