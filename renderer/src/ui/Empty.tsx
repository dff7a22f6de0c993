import type { ReactNode } from 'react';

/** What an empty place says: what would be here, why one would want it, and the way to get it. */
export const Empty = ({ icon, title, children, actions }: { icon: ReactNode; title: string; children: ReactNode; actions?: ReactNode }) => (
  <div className="empty">
    <span className="empty-icon" aria-hidden="true">
      {icon}
    </span>
    <h2>{title}</h2>
    <p>{children}</p>
    {actions && <div className="row">{actions}</div>}
  </div>
);
