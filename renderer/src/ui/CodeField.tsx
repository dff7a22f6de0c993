// The only code editor: YAML, shell or plain text, with problems at their place and marked lines. Knows text, not recipes.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, StreamLanguage } from '@codemirror/language';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { type CodeMark, codeMarks, showMarks } from './code-marks.ts';
import { codeSight } from './code-sight.ts';
import { codeTheme } from './code-theme.ts';
import { codeTyping } from './code-typing.ts';

export interface CodeProblem {
  /** 1-based. */
  line: number;
  /** 1-based. */
  column: number;
  message: string;
  severity?: 'error' | 'warning';
}

export interface CodeFieldHandle {
  goTo: (line: number, column?: number) => void;
}

interface CodeFieldProps {
  /** What a screen reader calls it. */
  label: string;
  mode: 'yaml' | 'shell' | 'text';
  value: string;
  /** Without it the field is read only. */
  onChange?: (value: string) => void;
  problems?: readonly CodeProblem[];
  marks?: readonly CodeMark[];
  onLine?: (line: number) => void;
  placeholder?: string;
  minLines?: number;
  /** Fills its parent instead of growing with the text. */
  isFilling?: boolean;
  hasLineNumbers?: boolean;
  handle?: RefObject<CodeFieldHandle | null>;
}

const language = (mode: CodeFieldProps['mode']): Extension => {
  if (mode === 'yaml') return yaml();
  return mode === 'shell' ? StreamLanguage.define(shell) : EditorView.lineWrapping;
};

const toDiagnostics = (state: EditorState, problems: readonly CodeProblem[]): Diagnostic[] =>
  problems.map((problem) => {
    const line = state.doc.line(Math.min(Math.max(1, problem.line), state.doc.lines));
    const from = Math.min(line.from + Math.max(0, problem.column - 1), line.to);
    const word = /^\S+/.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
    return { from, to: from + word, severity: problem.severity ?? 'error', message: problem.message };
  });

const setUp = (props: CodeFieldProps): Extension => [
  props.hasLineNumbers ? [lineNumbers(), lintGutter(), highlightActiveLineGutter()] : [],
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  // Escape, then Tab, leaves the field: CodeMirror's own way out for people without a mouse.
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...(props.hasLineNumbers ? [indentWithTab] : [])]),
  language(props.mode),
  codeMarks,
  codeSight,
  codeTheme,
  codeTyping,
  EditorState.readOnly.of(!props.onChange),
  EditorState.tabSize.of(2),
  EditorView.contentAttributes.of({ 'aria-label': props.label, tabindex: '0', ...(!props.onChange && { 'aria-readonly': 'true' }) }),
  props.placeholder ? placeholder(props.placeholder) : [],
];

/** The editor. Its own undo history lives as long as it is shown. */
export const CodeField = (props: CodeFieldProps) => {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { value, problems, marks, handle, minLines = 3, isFilling = false } = props;

  useEffect(() => {
    if (!parent.current) return;
    const listen = EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((transaction) => transaction.isUserEvent('sandlot.set')))
        latest.current.onChange?.(update.state.doc.toString());
      if (update.selectionSet) latest.current.onLine?.(update.state.doc.lineAt(update.state.selection.main.head).number);
    });
    const created = new EditorView({
      parent: parent.current,
      state: EditorState.create({ doc: latest.current.value, extensions: [setUp(latest.current), listen] }),
    });
    view.current = created;
    return () => created.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value }, userEvent: 'sandlot.set' });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor) editor.dispatch(setDiagnostics(editor.state, toDiagnostics(editor.state, problems ?? [])));
  }, [problems]);

  useEffect(() => {
    if (view.current) showMarks(view.current, marks ?? []);
  }, [marks]);

  useImperativeHandle(handle, () => ({
    goTo: (line, column = 1) => {
      const editor = view.current;
      if (!editor) return;
      const target = editor.state.doc.line(Math.min(Math.max(1, line), editor.state.doc.lines));
      const anchor = Math.min(target.from + column - 1, target.to);
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
      editor.focus();
    },
  }));

  const style = isFilling ? { height: '100%' } : { minHeight: `${minLines * 1.55 * 12.5 + 18}px` };
  return <div className="code-field" ref={parent} style={style} />;
};
