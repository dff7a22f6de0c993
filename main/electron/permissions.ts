// What the page may ask the system for: little, and only our own page in its own frame. Everything that is not named is denied.
import { isOwnPage } from './ipc.ts';

/** Writing the clipboard; and reading it, and the whole screen, for a desktop whose person shares or asks for it. */
const allowed: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'clipboard-read', 'fullscreen']);

/** Whether a permission is given to who asks at this address. */
export const mayHave = (permission: string, requestingUrl: string, isMainFrame: boolean): boolean =>
  allowed.has(permission) && isMainFrame && isOwnPage(requestingUrl);

/** What is used of Electron's session; the names of permissions are Chromium's. */
export interface PermissionSession {
  setPermissionRequestHandler: (
    decide: (
      contents: unknown,
      permission: string,
      answer: (isGiven: boolean) => void,
      details: { requestingUrl: string; isMainFrame: boolean },
    ) => void,
  ) => void;
  setPermissionCheckHandler: (
    decide: (contents: unknown, permission: string, requestingOrigin: string, details: { isMainFrame: boolean }) => boolean,
  ) => void;
  setDevicePermissionHandler: (decide: () => boolean) => void;
}

/** Puts the rules in place: for wishes that would be asked, for silent checks, and for devices, of which there are none. */
export const guardPermissions = (session: PermissionSession): void => {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) =>
    answer(mayHave(permission, requestingUrl, isMainFrame)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame }) => mayHave(permission, origin, isMainFrame));
  session.setDevicePermissionHandler(() => false);
};
