import type { UsageSample } from '../../../sandbox-engine/contract/model.ts';
import { chartSize, linesOf, summaryOf, topOf, type UsageKey } from './usage-chart.ts';

interface Line {
  key: UsageKey;
  name: string;
}

interface UsageChartProps {
  title: string;
  samples: readonly UsageSample[];
  lines: readonly Line[];
  limit: number | null;
  /** The least that the scale shows, so that noise does not look like work. */
  least: number;
  format: (value: number) => string;
  now: number;
}

const said = (value: number | null, format: (value: number) => string): string => (value === null ? '–' : format(value));

/** One measure over the last ten minutes: as lines, in words, and as the numbers beside it. */
export const UsageChart = ({ title, samples, lines, limit, least, format, now }: UsageChartProps) => {
  const sums = lines.map((line) => ({ ...line, ...summaryOf(samples, line.key) }));
  const top = topOf(
    sums.flatMap(({ most }) => most ?? []),
    limit,
    least,
  );
  const limitText = limit === null ? '' : ` of ${format(limit)}`;
  const words = sums
    .map(({ name, last, most }) => `${name}: now ${said(last, format)}${limitText}, highest ${said(most, format)}`)
    .join('; ');
  const limitY = limit !== null && limit <= top ? chartSize.height * (1 - limit / top) : null;
  return (
    <figure className="usage-chart">
      <figcaption className="usage-head">
        <span className="usage-title">{title}</span>
        {sums.map(({ key, name, last }, index) => (
          <span key={key} className="usage-value num">
            {lines.length > 1 && <span className={`usage-mark is-${index}`} aria-hidden="true" />}
            {lines.length > 1 && <span className="faint">{name}</span>} {said(last, format)}
            {limit !== null && <span className="faint">{limitText}</span>}
          </span>
        ))}
      </figcaption>
      <svg viewBox={`0 0 ${chartSize.width} ${chartSize.height}`} preserveAspectRatio="none" role="img" aria-label={`${title}. ${words}.`}>
        {[0.25, 0.5, 0.75].map((part) => (
          <line key={part} className="usage-grid" x1={0} x2={chartSize.width} y1={chartSize.height * part} y2={chartSize.height * part} />
        ))}
        {limitY !== null && <line className="usage-limit" x1={0} x2={chartSize.width} y1={limitY} y2={limitY} />}
        {lines.map(({ key }, index) =>
          linesOf(samples, key, top, now).map((points) => (
            <polyline key={`${key} ${points.slice(0, 12)}`} className={`usage-line is-${index}`} points={points} />
          )),
        )}
      </svg>
      <div className="usage-scale num" aria-hidden="true">
        <span>10 min ago</span>
        <span>top: {format(top)}</span>
        <span>now</span>
      </div>
    </figure>
  );
};
