// The warnings about the script, asked anew a moment after the last keystroke.
import { useEffect, useState } from 'react';
import type { SetupWarning } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';

const checkDelayMs = 250;

const nothing: readonly SetupWarning[] = [];

/** Warnings of exactly this text; empty until it was checked, so that no fix meets a line that has changed. */
export const useSetupCheck = (script: string): readonly SetupWarning[] => {
  const ask = useAsk();
  const [checked, setChecked] = useState<{ script: string; warnings: SetupWarning[] } | null>(null);
  useEffect(() => {
    if (script.trim() === '') return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const reply = await ask('setup.check', { script });
      if (isCurrent && reply.ok) setChecked({ script, warnings: reply.value.warnings });
    }, checkDelayMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [ask, script]);
  return checked?.script === script ? checked.warnings : nothing;
};
