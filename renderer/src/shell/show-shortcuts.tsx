import { modals } from '@mantine/modals';
import { Shortcut } from '../ui/Shortcut.tsx';

const shortcuts: readonly (readonly [what: string, ...keys: string[][]])[] = [
  ['Search, go anywhere, launch or build anything', ['mod', 'K']],
  ['The same from within a terminal', ['mod', '⇧', 'P']],
  ['This list', ['?']],
  ['Search environments', ['/']],
  ['New environment, on the environments page', ['N']],
  ['Save the edits of an environment', ['mod', 'S']],
  ['Test setup, on the Setup tab', ['mod', '↵']],
  ['Mend the line with the cursor, in a setup script', ['Alt', 'F']],
  ['Between a line of the script and its place in the log', ['Alt', 'J']],
  ['Search in a log or a terminal', ['mod', 'F']],
  ['New terminal, on a session’s page', ['mod', '⇧', 'T']],
  ['Rename a terminal’s tab', ['F2']],
  ['Between terminals, from their tabs', ['←'], ['→']],
  ['Leave a code field', ['Esc'], ['Tab']],
  ['Close a dialog, a menu, a search', ['Esc']],
];

/** Shows every key that does something. */
export const showShortcuts = (): void => {
  modals.open({
    title: 'Without the mouse',
    children: (
      <dl className="shortcut-list">
        {shortcuts.map(([what, ...keys]) => (
          <div key={what} style={{ display: 'contents' }}>
            <dt>{what}</dt>
            <dd className="row">
              {keys.map((combination) => (
                <Shortcut key={combination.join('')} keys={combination} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    ),
  });
};
