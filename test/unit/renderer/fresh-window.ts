// The files of the renderer's tests share one window, since making one takes longer than most of them: each leaves it as it found it.
import { notifications } from '@mantine/notifications';
import { afterAll, vi } from 'vitest';

const own = Object.getOwnPropertyDescriptors(HTMLElement.prototype);

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  notifications.clean();
  sessionStorage.clear();
  localStorage.clear();
  location.hash = '';
  document.body.replaceChildren();
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(HTMLElement.prototype))) {
    const before = own[name as keyof typeof own];
    if (before === undefined) Reflect.deleteProperty(HTMLElement.prototype, name);
    else Object.defineProperty(HTMLElement.prototype, name, before);
  }
});
