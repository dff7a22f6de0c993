import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconLoader2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Tone } from './Status.tsx';

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

/** A sentence that must not be missed, and what to do about it. */
export const Banner = ({ tone, title, next, actions, isBar = false }: BannerProps) => {
  const Icon = icons[tone];
  return (
    <div className={`banner is-${tone}${isBar ? ' is-bar' : ''}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={16} stroke={1.8} className={tone === 'run' ? 'spin' : undefined} aria-hidden="true" />
      <div className="grow">
        <div className="banner-title">{title}</div>
        {next && <div className="banner-next">{next}</div>}
      </div>
      {actions && <div className="banner-actions">{actions}</div>}
    </div>
  );
};
