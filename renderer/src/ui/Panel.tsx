import { type ReactNode, useId } from 'react';

interface PanelProps {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  isFlush?: boolean;
  children: ReactNode;
}

/** A titled box of one subject. */
export const Panel = ({ title, note, actions, isFlush = false, children }: PanelProps) => {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 className="panel-title" id={id}>
          {title}
        </h2>
        {note && <span className="panel-note clip">{note}</span>}
        <span className="grow" />
        {actions}
      </div>
      <div className={isFlush ? 'panel-body is-flush' : 'panel-body'}>{children}</div>
    </section>
  );
};
