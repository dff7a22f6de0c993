// Typing over a selection is done by the editor and not by the browser: that would keep the colour of what it replaces, in a style attribute
// which the policy of the page forbids and the console complains of.
import { EditorSelection, type Extension, Prec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** Takes over what is typed while something is selected; what a keyboard composes out of several strokes is left to the browser. */
export const codeTyping: Extension = Prec.high(
  EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      const { state } = view;
      if (event.inputType !== 'insertText' || event.isComposing || view.composing || !event.data || state.readOnly) return false;
      if (state.selection.ranges.every(({ empty }) => empty)) return false;
      const { data } = event;
      const change = state.changeByRange(({ from, to }) => ({
        changes: { from, to, insert: data },
        range: EditorSelection.cursor(from + data.length),
      }));
      view.dispatch(state.update(change, { userEvent: 'input.type', scrollIntoView: true }));
      event.preventDefault();
      return true;
    },
  }),
);
