// The command palette: go anywhere, launch or build anything, do what the page can do, without the mouse.
import { useHotkeys } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { usePaletteActions } from './palette-actions.tsx';
import { inOrder } from './palette-order.ts';
import { showShortcuts } from './show-shortcuts.tsx';

/** A terminal keeps the key for its shell, and an editor for what it has bound to it. */
const isTaken = ({ target, defaultPrevented }: KeyboardEvent): boolean =>
  defaultPrevented || (target instanceof Element && target.closest('.xterm') !== null);

const openByKey = (event: KeyboardEvent): void => {
  if (isTaken(event)) return;
  event.preventDefault();
  spotlight.open();
};

/** Enter does what stands first, also before anything is typed. The rows are there a moment after the field, which moves between them. */
const chooseFirst = (): void => {
  const field = document.querySelector<HTMLInputElement>('input[aria-label="Search or do"]');
  if (field === null || field.value !== '' || document.querySelector('.mantine-Spotlight-actionsList [data-selected]') !== null) return;
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', code: 'ArrowDown', bubbles: true }));
};

/** Opens with Ctrl/Cmd+K from every field, and with Ctrl/Cmd+Shift+P from anywhere; a terminal keeps Ctrl+K for its shell. */
export const Palette = () => {
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const actions = usePaletteActions(query, isOpen);
  useHotkeys([['mod+K', openByKey, { preventDefault: false }]], [], true);
  useHotkeys([['mod+shift+P', () => spotlight.open()]], [], true);
  useHotkeys([['shift+?', showShortcuts]]);
  return (
    <Spotlight
      actions={actions}
      filter={inOrder}
      query={query}
      onQueryChange={setQuery}
      onSpotlightOpen={() => {
        setOpen(true);
        setTimeout(chooseFirst, 60);
      }}
      onSpotlightClose={() => setOpen(false)}
      shortcut={null}
      // Its field stays where it is, however much is found.
      centered={false}
      yOffset="12vh"
      highlightQuery={query.trim().length > 1}
      scrollable
      maxHeight={420}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      limit={60}
      attributes={{ content: { 'aria-label': 'Search or do' } }}
      nothingFound="Nothing by that name."
      searchProps={{ leftSection: <IconSearch size={16} />, placeholder: 'Search or do…', 'aria-label': 'Search or do' }}
    />
  );
};
