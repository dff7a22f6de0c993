// Keeps the line that is typed in sight when the editor gets lower: a warning or a bar that appears would else cover it.
import { EditorView, ViewPlugin } from '@codemirror/view';

/** The extension; nothing moves in an editor that nobody types in. */
export const codeSight = ViewPlugin.define((view) => {
  const observer = new ResizeObserver(() => {
    if (view.hasFocus) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
  });
  observer.observe(view.scrollDOM);
  return { destroy: () => observer.disconnect() };
});
