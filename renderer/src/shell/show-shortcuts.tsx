// Every key that does something, by where it does it.
import { modals } from '@mantine/modals';
import { Shortcut } from '../ui/Shortcut.tsx';

type Line = readonly [what: string, ...keys: string[][]];

const groups: readonly (readonly [where: string, lines: readonly Line[]])[] = [
  [
    'Everywhere',
    [
      ['Search, go anywhere, do anything', ['mod', 'K']],
      ['The same, also from a terminal', ['mod', '⇧', 'P']],
      ['These shortcuts', ['?']],
      ['Close a dialog, a menu, a search', ['Esc']],
    ],
  ],
  [
    'Lists',
    [
      ['Search the list of the page', ['/']],
      ['Between rows', ['↑'], ['↓'], ['Home'], ['End']],
      ['New environment, among environments', ['N']],
    ],
  ],
  [
    'Environment',
    [
      ['Save the edits', ['mod', 'S']],
      ['Test setup, on the Setup tab', ['mod', '↵']],
      ['Mend the line with the cursor', ['Alt', 'F']],
      ['Between a line and its place in the log', ['Alt', 'J']],
      ['Leave a code field', ['Esc'], ['Tab']],
    ],
  ],
  [
    'Session',
    [
      ['New terminal', ['mod', '⇧', 'T']],
      ['Split the terminals, or join them', ['mod', '⇧', '5']],
      ['Search in a terminal or a log', ['mod', 'F']],
      ['Leave a terminal, for its tab', ['Ctrl', 'Alt', 'Esc']],
      ['Between terminals, from their tabs', ['←'], ['→']],
      ['Rename a terminal, from its tab', ['F2']],
      ['Close a terminal, from its tab', ['Del']],
    ],
  ],
];

const Group = ({ where, lines }: { where: string; lines: readonly Line[] }) => (
  <section>
    <h3 className="shortcut-where">{where}</h3>
    <dl className="shortcut-list">
      {lines.map(([what, ...keys]) => (
        <div key={what} className="shortcut">
          <dt>{what}</dt>
          <dd className="row">
            {keys.map((combination) => (
              <Shortcut key={combination.join('')} keys={combination} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

/** Shows every key that does something. */
export const showShortcuts = (): void => {
  modals.open({
    title: 'Keyboard shortcuts',
    size: 760,
    children: (
      <div className="shortcut-groups">
        {groups.map(([where, lines]) => (
          <Group key={where} where={where} lines={lines} />
        ))}
      </div>
    ),
  });
};
