// Masks what the host tells everybody in words of its own.
import type { EventBus } from '../base/event-bus.ts';

/** A bus whose notices are masked: they carry words that may come out of a sandbox. */
export const maskNotices = (bus: EventBus, redactText: (text: string) => string): EventBus => ({
  ...bus,
  emit: (name, payload) => {
    if (name !== 'notice') return bus.emit(name, payload);
    const notice = payload as { level: 'info' | 'warning' | 'error'; message: string };
    return bus.emit('notice', { ...notice, message: redactText(notice.message) });
  },
});
