// How many cells of a terminal fit into an element, before a terminal is there: its first program should see the right size.

/** Columns and rows that StreamView will have in `element`, at most one off; StreamView corrects it when it is shown. */
export const measureCells = (element: HTMLElement): { cols: number; rows: number } => {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return { cols: 80, rows: 24 };
  context.font = `12.5px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`;
  const cell = context.measureText('W');
  const height = Math.floor(Math.ceil(cell.fontBoundingBoxAscent + cell.fontBoundingBoxDescent) * 1.25);
  // The frame around the screen (10 + 4 and 8 + 4 pixels) and the scroll bar.
  const cols = Math.floor((element.clientWidth - 14 - 14) / cell.width);
  const rows = Math.floor((element.clientHeight - 12) / height);
  return { cols: Math.min(1000, Math.max(2, cols)), rows: Math.min(1000, Math.max(1, rows)) };
};
