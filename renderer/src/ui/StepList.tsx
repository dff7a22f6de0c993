// Steps of something that takes a while, each with its state and its time.
import { IconCheck, IconCircle, IconCircleDashed, IconEqual, IconLoader2, IconPlayerSkipForward, IconX } from '@tabler/icons-react';
import { Elapsed } from './Elapsed.tsx';

export interface ShownStep {
  name: string;
  status: 'waiting' | 'running' | 'succeeded' | 'failed' | 'cached' | 'cancelled' | 'skipped' | 'unreached';
  startedAt: string | null;
  durationMs: number | null;
  /** What it does just now, while it runs. */
  message?: string | undefined;
}

const icons = {
  waiting: IconCircle,
  running: IconLoader2,
  succeeded: IconCheck,
  failed: IconX,
  cached: IconEqual,
  cancelled: IconCircleDashed,
  skipped: IconPlayerSkipForward,
  unreached: IconCircleDashed,
};

const said = { cached: 'cached', cancelled: 'cancelled', skipped: 'skipped', unreached: 'not reached' } as const;

const timeless: readonly ShownStep['status'][] = ['waiting', 'cached', 'skipped', 'unreached'];

const StepRow = ({ step }: { step: ShownStep }) => {
  const Icon = icons[step.status];
  return (
    <>
      <span className="step-icon">
        <Icon size={14} stroke={2.2} className={step.status === 'running' ? 'spin' : undefined} aria-hidden="true" />
        <span className="visually-hidden">{step.status === 'unreached' ? said.unreached : step.status}</span>
      </span>
      <span className="step-text">
        <span className="clip" title={step.name}>
          {step.name}
        </span>
        {step.status === 'running' && step.message && (
          <span className="step-message clip" title={step.message}>
            {step.message}
          </span>
        )}
      </span>
      <span className="step-time">
        {step.status in said && said[step.status as keyof typeof said]}
        {!timeless.includes(step.status) && (
          <Elapsed startedAt={step.status === 'cancelled' ? null : step.startedAt} durationMs={step.durationMs} />
        )}
      </span>
    </>
  );
};

/** The list; with `onPick` each step is a button. */
export const StepList = ({ steps, label, onPick }: { steps: readonly ShownStep[]; label: string; onPick?: (step: ShownStep) => void }) => (
  <ol className="steps" aria-label={label}>
    {steps.map((step, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their place and may share a name
      <li key={index}>
        {onPick ? (
          <button type="button" className={`step is-${step.status}`} onClick={() => onPick(step)}>
            <StepRow step={step} />
          </button>
        ) : (
          <div className={`step is-${step.status}`}>
            <StepRow step={step} />
          </div>
        )}
      </li>
    ))}
  </ol>
);
