// The frame of every page: where one is, what can be done here, and the room below.
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';

interface PageProps {
  title: ReactNode;
  /** The page above this one. */
  parent?: { label: string; href: string };
  /** Small things beside the title: status, badges. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** A line under the head. */
  note?: ReactNode;
  tabs?: ReactNode;
  /** No padding and no scrolling: the content fills the room itself. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A page. */
export const Page = ({ title, parent, beside, actions, note, tabs, isFlush = false, children }: PageProps) => {
  const name = typeof title === 'string' ? title : null;
  useEffect(() => {
    document.title = name === null ? 'Sandlot' : `${name} · Sandlot`;
  }, [name]);
  const strip = useRef<HTMLDivElement>(null);
  const inSight = useRef<Element | null>(null);
  // Of more tabs than there is room for, the one that is shown is in sight. The address is a step ahead of what is drawn, so that is asked.
  useEffect(() => {
    const shown = strip.current?.querySelector('[aria-current="page"]') ?? null;
    if (shown === inSight.current) return;
    inSight.current = shown;
    shown?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  });
  return (
    <div className="page">
      <header className={tabs ? 'page-head has-tabs' : 'page-head'}>
        {parent && (
          <>
            <Link href={parent.href} className="crumb">
              {parent.label}
            </Link>
            <span className="faint" aria-hidden="true">
              /
            </span>
          </>
        )}
        <h1 className="page-title clip" title={name ?? undefined}>
          {title}
        </h1>
        {beside}
        <span className="grow" />
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {note}
      {tabs && (
        <div className="page-tabs" ref={strip}>
          {tabs}
        </div>
      )}
      <div className={isFlush ? 'page-body is-flush' : 'page-body'}>
        {isFlush ? children : <div className="page-inner">{children}</div>}
      </div>
    </div>
  );
};
