import './code-diff.css';
import { useEffect, useRef } from 'react';
import { showCodeDiff } from './code-diff.ts';

/** Two texts as one, with what was removed and what was added. */
export const CodeDiff = ({ label, before, after }: { label: string; before: string; after: string }) => {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => (parent.current ? showCodeDiff(parent.current, before, after, label) : undefined), [before, after, label]);
  return <div className="code-field code-diff" ref={parent} />;
};
