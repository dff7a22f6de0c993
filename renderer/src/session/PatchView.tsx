// A patch with its colours and line numbers. Only what is in sight is drawn.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { type PatchLine, readPatch } from './patch-lines.ts';

const rowHeight = 20;
/** The head of a file's patch that says nothing a person looks for. */
const isDull = ({ kind, text }: PatchLine): boolean => kind === 'head' && /^(?:diff --git|index |--- |\+\+\+ )/.test(text);

/** What git says of a file without a line, for people. */
const bareWords = (lines: readonly PatchLine[]): string => {
  const texts = lines.map(({ text }) => text);
  const says = (beginning: string): boolean => texts.some((text) => text.startsWith(beginning));
  if (says('Binary files')) return 'Not text: it is not shown line by line.';
  if (says('new file')) return 'A new file, and empty.';
  if (says('deleted file')) return 'An empty file was deleted.';
  return says('rename') ? 'Moved, and not changed.' : 'Its mode was changed, none of its lines.';
};

const PatchWords = ({ lines, label }: { lines: readonly PatchLine[]; label: string }) => (
  <section className="patch-view" aria-label={label}>
    <p className="faint patch-words">{bareWords(lines)}</p>
  </section>
);

/** The view. `label` names it for who cannot see it. */
export const PatchView = ({ patch, label }: { patch: string; label: string }) => {
  const parent = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => readPatch(patch).filter((line) => !isDull(line)), [patch]);
  const rows = useVirtualizer({ count: lines.length, getScrollElement: () => parent.current, estimateSize: () => rowHeight, overscan: 40 });
  const width = useMemo(() => lines.reduce((widest, { text }) => Math.min(4_000, Math.max(widest, text.length)), 0), [lines]);
  const isBare = patch !== '' && !lines.some(({ kind }) => kind !== 'head');
  if (isBare) return <PatchWords lines={lines} label={label} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so without a mouse
    <div className="patch-view" ref={parent} role="document" aria-label={label} tabIndex={0}>
      <div style={{ height: rows.getTotalSize(), position: 'relative', minWidth: `calc(${width}ch + 110px)` }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const sign = { added: '+', removed: '−' }[line.kind as string] ?? '';
          return (
            <div key={index} className={`patch-line is-${line.kind}`} style={{ transform: `translateY(${start}px)` }}>
              <span className="patch-number">{line.before}</span>
              <span className="patch-number">{line.after}</span>
              <span className="patch-sign">{sign}</span>
              <span className="patch-text">{line.text.slice(0, 4_000)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
};
