// Two texts as one, with what was removed and what was added: the read-only sibling of CodeField.
import { StreamLanguage } from '@codemirror/language';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { codeTheme } from './code-theme.ts';

const look = EditorView.theme({
  '.cm-changedLine': { backgroundColor: 'var(--ok-soft)' },
  '.cm-changedText': { background: 'color-mix(in srgb, var(--ok) 22%, transparent)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft)', paddingLeft: '8px' },
  '.cm-deletedChunk .cm-deletedText': { background: 'color-mix(in srgb, var(--bad) 22%, transparent)' },
  '.cm-deletedChunk del, .cm-deletedChunk .cm-deletedLine': { textDecoration: 'none' },
  '.cm-changeGutter': { width: '3px', paddingLeft: '0' },
  '.cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-deletedLineGutter': { background: 'var(--bad)' },
  // The glyph that it comes with is in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--text-2)', padding: '3px 10px' },
});

/** Shows how `before` became `after` in `parent`; the returned function takes it away. */
export const showCodeDiff = (parent: HTMLElement, before: string, after: string, label: string): (() => void) => {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: after,
      extensions: [
        lineNumbers(),
        StreamLanguage.define(shell),
        codeTheme,
        look,
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
        unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
      ],
    }),
  });
  return () => view.destroy();
};
