// What Sandlot has on disk: as last measured, measured anew when it is looked at and is another one by now, and when somebody asks.
import { useCallback, useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { EventName } from '../../../sandbox-engine/contract/events.ts';
import { useAsk } from './actions.ts';
import { useEvents } from './use-events.ts';

export type DiskUsage = CallOutput<'disk.usage'>;

/** After these it is asked whether what was measured still holds. */
const mayChange: ReadonlySet<EventName> = new Set([
  'build.changed',
  'build.removed',
  'setup_run.changed',
  'session.removed',
  'environment.removed',
]);

/** The ledger; `measure` answers a sentence when it failed. */
export const useDisk = (): {
  usage: DiskUsage | null;
  /** Whether it has to be measured; undefined until that is known. */
  isStale: boolean | undefined;
  isMeasuring: boolean;
  measure: () => Promise<string | null>;
} => {
  const ask = useAsk();
  const [usage, setUsage] = useState<DiskUsage | null>(null);
  const [isMeasuring, setMeasuring] = useState(false);
  const [isStale, setStale] = useState<boolean>();
  const look = useCallback(async () => {
    const reply = await ask('disk.usage', {});
    if (!reply.ok) return;
    setStale(!reply.value.is_current);
    if (reply.value.measured_at !== null) setUsage((known) => known ?? reply.value);
  }, [ask]);
  useEffect(() => void look(), [look]);
  useEvents(({ name }) => {
    if (mayChange.has(name)) void look();
  });
  const measure = useCallback(async () => {
    setMeasuring(true);
    setStale(false);
    const reply = await ask('disk.usage', { refresh: true });
    setMeasuring(false);
    if (!reply.ok) return reply.error.message;
    setUsage(reply.value);
    setStale(!reply.value.is_current);
    return null;
  }, [ask]);
  return { usage, isStale, isMeasuring, measure };
};
