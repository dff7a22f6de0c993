// The icon in the tray: which sessions run, and the two ways to quit.
import { Menu, type MenuItemConstructorOptions, Tray } from 'electron';
import type { Session } from '../../sandbox-engine/contract/model.ts';

export interface TrayActions {
  open: (route: string) => void;
  quit: (stopSessions: boolean) => void;
}

/** The entries of the tray's menu, the running sessions first. */
const trayItems = (sessions: readonly Session[], { open, quit }: TrayActions): MenuItemConstructorOptions[] => {
  const running = sessions.filter(({ status }) => status === 'running');
  const shown = running.map((session) => ({
    label: `${session.name} (${session.environment_name})`,
    click: () => open(`/sessions/${session.id}`),
  }));
  return [
    { label: 'Open Sandlot', click: () => open('/') },
    { type: 'separator' },
    ...(shown.length === 0 ? [{ label: 'No session is running', enabled: false }] : shown),
    { type: 'separator' },
    { label: 'Quit, keep sessions running', click: () => quit(false) },
    ...(shown.length === 0 ? [] : [{ label: 'Stop all sessions and quit', click: () => quit(true) }]),
  ];
};

/** Puts the icon there; `show` takes the sessions of now. */
export const createTray = (iconFile: string, actions: TrayActions): { show: (sessions: readonly Session[]) => void; close: () => void } => {
  const tray = new Tray(iconFile);
  tray.setToolTip('Sandlot');
  tray.on('click', () => actions.open('/'));
  return {
    show: (sessions) => tray.setContextMenu(Menu.buildFromTemplate(trayItems(sessions, actions))),
    close: () => tray.destroy(),
  };
};
