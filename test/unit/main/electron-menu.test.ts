// The native menu of each system.
import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, test } from 'vitest';
import { type MenuActions, menuItems } from '../../../main/electron/menu-items.ts';

/** Presses an entry, wherever it is. */
const press = (items: readonly MenuItemConstructorOptions[], label: string): void => {
  for (const item of items) {
    if (item.label === label) (item.click as (() => void) | undefined)?.();
    if (Array.isArray(item.submenu)) press(item.submenu, label);
  }
};

describe('the menu', () => {
  const make = (platform: NodeJS.Platform) => {
    const did: unknown[][] = [];
    const actions: MenuActions = {
      open: (route) => void did.push(['open', route]),
      press: (key, modifiers) => void did.push(['press', key, ...modifiers]),
      back: () => void did.push(['back']),
      forward: () => void did.push(['forward']),
      showDataFolder: () => void did.push(['data']),
      showLog: () => void did.push(['log']),
    };
    return { did, items: menuItems(actions, platform) };
  };
  const keysOf = (items: readonly MenuItemConstructorOptions[]): string[] =>
    items.flatMap(({ accelerator, submenu }) => [
      ...(accelerator === undefined ? [] : [String(accelerator)]),
      ...(Array.isArray(submenu) ? keysOf(submenu) : []),
    ]);

  test.each([
    ['linux', ['&File', 'editMenu', '&View', '&Go', 'windowMenu', 'help']],
    ['win32', ['&File', 'editMenu', '&View', '&Go', 'windowMenu', 'help']],
    ['darwin', ['appMenu', '&File', 'editMenu', '&View', '&Go', 'windowMenu', 'help']],
  ] as const)('%s has its menus, quit where it belongs, and no key twice', (platform, menus) => {
    const { items } = make(platform);
    const quitIn = items.find(({ submenu }) => Array.isArray(submenu) && submenu.some(({ role }) => role === 'quit'));
    expect([items.map(({ label, role }) => label ?? role), quitIn?.label ?? quitIn?.role]).toEqual([
      menus,
      platform === 'darwin' ? 'appMenu' : '&File',
    ]);
    expect(new Set(keysOf(items)).size).toBe(keysOf(items).length);
  });

  test('each entry does what it says', () => {
    const { did, items } = make('linux');
    for (const label of [
      'New environment…',
      'Settings…',
      'Search everything…',
      'Back',
      'Forward',
      'Activity log',
      'Keyboard shortcuts',
      'Show the data folder',
      'Show the log of the host',
    ])
      press(items, label);
    expect(did).toEqual([
      ['open', '/environments/new'],
      ['open', '/settings'],
      ['press', 'K', 'control'],
      ['back'],
      ['forward'],
      ['open', '/activity'],
      ['press', '?'],
      ['data'],
      ['log'],
    ]);
  });
});
