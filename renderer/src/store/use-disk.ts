// What Sandlot has on disk, as last measured, and measuring it anew.
import { useCallback, useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import { useAsk } from './actions.ts';

export type DiskUsage = CallOutput<'disk.usage'>;

/** The ledger; `measure` answers a sentence when it failed. */
export const useDisk = (): { usage: DiskUsage | null; isMeasuring: boolean; measure: () => Promise<string | null> } => {
  const ask = useAsk();
  const [usage, setUsage] = useState<DiskUsage | null>(null);
  const [isMeasuring, setMeasuring] = useState(false);
  useEffect(() => {
    void ask('disk.usage', {}).then((reply) => {
      if (reply.ok && reply.value.measured_at !== null) setUsage((known) => known ?? reply.value);
    });
  }, [ask]);
  const measure = useCallback(async () => {
    setMeasuring(true);
    const reply = await ask('disk.usage', { refresh: true });
    setMeasuring(false);
    if (!reply.ok) return reply.error.message;
    setUsage(reply.value);
    return null;
  }, [ask]);
  return { usage, isMeasuring, measure };
};
