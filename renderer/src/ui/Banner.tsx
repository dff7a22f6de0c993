import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconLoader2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Tone } from './Status.tsx';
import { withCode } from './with-code.tsx';

interface BannerProps {
  tone: Tone;
  title: ReactNode;
  /** What to do next, as a sentence. */
  next?: ReactNode;
  actions?: ReactNode;
  /** Spans the window's width under the title bar. */
  isBar?: boolean;
}

const icons = { ok: IconCircleCheck, bad: IconAlertTriangle, warn: IconAlertTriangle, run: IconLoader2, plain: IconInfoCircle };

/** The first line of a text is its title, what comes after it is said below. */
const splitTitle = (title: ReactNode): [title: ReactNode, rest: string] => {
  if (typeof title !== 'string' || !title.includes('\n')) return [title, ''];
  const [first = '', ...rest] = title.trim().split('\n');
  return [first, rest.join('\n')];
};

/** A sentence that must not be missed, and what to do about it. */
export const Banner = ({ tone, title, next, actions, isBar = false }: BannerProps) => {
  const Icon = icons[tone];
  const [first, rest] = splitTitle(title);
  return (
    <div className={`banner is-${tone}${isBar ? ' is-bar' : ''}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={16} stroke={1.8} className={tone === 'run' ? 'spin' : undefined} aria-hidden="true" />
      <div className="grow">
        <div className="banner-title">{withCode(first)}</div>
        {rest !== '' && <div className="banner-next banner-lines">{withCode(rest)}</div>}
        {next && <div className="banner-next">{withCode(next)}</div>}
      </div>
      {actions && <div className="banner-actions">{actions}</div>}
    </div>
  );
};
