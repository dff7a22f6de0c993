import type { ReactNode } from 'react';

/** Names and values, one a line. */
export const Facts = ({ items }: { items: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {items.map(([name, value]) => (
      <div key={name} style={{ display: 'contents' }}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
