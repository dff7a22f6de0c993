// Lines of a code field that stand out: the failing one, those with a warning, the one that runs now.
import { type Extension, type Range, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

export interface CodeMark {
  /** 1-based. */
  line: number;
  tone: 'bad' | 'warn' | 'run';
}

const setMarks = StateEffect.define<readonly CodeMark[]>();

const decorate = (doc: Text, marks: readonly CodeMark[]): DecorationSet => {
  const ranges: Range<Decoration>[] = marks
    .filter((mark) => mark.line >= 1 && mark.line <= doc.lines)
    .map((mark) => Decoration.line({ class: `cm-marked-${mark.tone}` }).range(doc.line(mark.line).from));
  return Decoration.set(ranges, true);
};

/** Makes a code field able to show marks; they move with the text that is edited above them. */
export const codeMarks: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (known, transaction) => {
    const effect = transaction.effects.find((candidate) => candidate.is(setMarks));
    return effect ? decorate(transaction.newDoc, effect.value) : known.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows exactly these marks. */
export const showMarks = (view: EditorView, marks: readonly CodeMark[]): void => view.dispatch({ effects: setMarks.of(marks) });
