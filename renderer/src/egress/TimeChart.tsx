import type { LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { timeBars } from './time-bars.ts';

const size = { width: 720, height: 40, bars: 90, gap: 1 };

const clock = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = (ms: number): string => new Date(ms).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });

/** Attempts over time: allowed ones from below, blocked ones on top of them with a pattern of their own. */
export const TimeChart = ({ attempts }: { attempts: readonly LoggedAttempt[] }) => {
  const found = timeBars(attempts, size.bars);
  if (found === null) return null;
  const { bars, stepMs, most } = found;
  const width = size.width / Math.max(bars.length, 24);
  const high = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * size.height));
  const [first, last] = [bars[0]?.fromMs ?? 0, (bars.at(-1)?.fromMs ?? 0) + stepMs];
  const text = (ms: number): string => (stepMs >= 3_600_000 ? `${day(ms)} ${clock(ms).slice(0, 5)}` : clock(ms));
  const sum = (key: 'allowed' | 'blocked'): number => bars.reduce((total, bar) => total + bar[key], 0);
  return (
    <div className="egress-chart">
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`From ${text(first)} to ${text(last)}: ${sum('allowed')} attempts allowed, ${sum('blocked')} blocked.`}
      >
        <defs>
          <pattern id="egress-blocked" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="4" height="4" className="egress-bar-blocked" />
            <rect width="1.4" height="4" className="egress-bar-stripe" />
          </pattern>
        </defs>
        {bars.map(({ fromMs, allowed, blocked }, index) => (
          <g key={fromMs}>
            <title>{`${text(fromMs)}: ${allowed} allowed, ${blocked} blocked`}</title>
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
          </g>
        ))}
      </svg>
      <div className="egress-chart-scale num" aria-hidden="true">
        <span>{text(first)}</span>
        <span>{text(last)}</span>
      </div>
    </div>
  );
};
