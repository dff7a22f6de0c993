import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { stillBlocked } from '../store/egress-outcome.ts';
import { counted, dayText, formatCount, timeText } from '../ui/format.ts';
import { timeBars } from './time-bars.ts';

const size = { width: 720, height: 40, bars: 90, gap: 1 };

/** Attempts, and the destinations that are still kept from it, which the tab of a session counts. */
const sumsText = (sums: CallOutput<'egress.summary'>): string => {
  const { allowed, blocked, failed } = sums;
  const still = stillBlocked(sums).length;
  return [
    `${formatCount(allowed)} allowed`,
    `${formatCount(blocked)} blocked`,
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(still > 0 ? [`${counted(still, 'destination')} blocked when last tried`] : []),
  ].join(' · ');
};

interface TimeChartProps {
  attempts: readonly LoggedAttempt[];
  /** Of all that is asked for, also of what is no longer kept one by one. */
  sums: CallOutput<'egress.summary'> | null;
}

/** Attempts over time: allowed ones from below, what was blocked on top of them with a pattern of its own, then what failed. */
export const TimeChart = ({ attempts, sums }: TimeChartProps) => {
  const found = timeBars(attempts, size.bars);
  if (found === null) return null;
  const { bars, stepMs, most } = found;
  const width = size.width / bars.length;
  const high = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * size.height));
  const [first, last] = [bars[0]?.fromMs ?? 0, (bars.at(-1)?.fromMs ?? 0) + stepMs];
  const text = (ms: number): string => (stepMs >= 3_600_000 ? `${dayText(ms)} ${timeText(ms).slice(0, 5)}` : timeText(ms));
  const sum = (key: 'allowed' | 'blocked' | 'failed'): number => bars.reduce((total, bar) => total + bar[key], 0);
  return (
    <div className="egress-chart">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`From ${text(first)} to ${text(last)}: ${sum('allowed')} attempts allowed, ${sum('blocked')} blocked, ${sum('failed')} failed.`}
      >
        <defs>
          <pattern id="egress-blocked" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="4" height="4" className="egress-bar-blocked" />
            <rect width="1.4" height="4" className="egress-bar-stripe" />
          </pattern>
        </defs>
        {bars.map(({ fromMs, allowed, blocked, failed }, index) => (
          <g key={fromMs}>
            <title>{`${text(fromMs)}: ${allowed} allowed, ${blocked} blocked, ${failed} failed`}</title>
            <rect
              className="egress-bar-allowed"
              x={index * width}
              width={Math.max(1, width - size.gap)}
              y={size.height - high(allowed)}
              height={high(allowed)}
            />
            <rect
              fill="url(#egress-blocked)"
              x={index * width}
              width={Math.max(1, width - size.gap)}
              y={size.height - high(allowed) - Math.min(high(blocked), size.height - high(allowed))}
              height={Math.min(high(blocked), size.height - high(allowed))}
            />
            <rect
              className="egress-bar-failed"
              x={index * width}
              width={Math.max(1, width - size.gap)}
              y={Math.max(0, size.height - high(allowed) - high(blocked) - high(failed))}
              height={Math.min(high(failed), Math.max(0, size.height - high(allowed) - high(blocked)))}
            />
          </g>
        ))}
      </svg>
      <div className="egress-chart-scale num">
        <span aria-hidden="true">{text(first)}</span>
        <span role="status">{sums && sumsText(sums)}</span>
        <span aria-hidden="true">{text(last)}</span>
      </div>
    </div>
  );
};
