// The frame of every page: where one is, what can be done here, and the room below.
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface PageProps {
  title: ReactNode;
  /** The page above this one. */
  parent?: { label: string; href: string };
  /** Small things beside the title: status, badges. */
  beside?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  /** No padding and no scrolling: the content fills the room itself. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A page. */
export const Page = ({ title, parent, beside, actions, tabs, isFlush = false, children }: PageProps) => (
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
      <h1 className="page-title clip">{title}</h1>
      {beside}
      <span className="grow" />
      {actions}
    </header>
    {tabs}
    <div className={isFlush ? 'page-body is-flush' : 'page-body'}>{isFlush ? children : <div className="page-inner">{children}</div>}</div>
  </div>
);
