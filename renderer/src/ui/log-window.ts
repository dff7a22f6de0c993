// Which rows of a log are in sight, and where they are drawn. A room taller than browsers can draw is scrolled in proportion. Pure.

/** Pixels. */
export const logRowHeight = 17;
/** Pixels; taller elements are cut by browsers. */
const tallest = 8_000_000;
const overscan = 8;

interface Place {
  /** Rows in all. */
  total: number;
  /** Pixels that can be seen. */
  height: number;
  /** Pixels above; null for the end. */
  scrollTop: number | null;
}

interface LogWindow {
  first: number;
  shown: number;
  /** Pixels from the top of the room to the first row. */
  top: number;
}

const visibleIn = (height: number): number => Math.ceil(height / logRowHeight);
const isScaled = (total: number): boolean => total * logRowHeight > tallest;

/** How tall the room of so many rows is made. */
export const roomHeight = (total: number): number => Math.min(tallest, total * logRowHeight);

/** The rows to draw. */
export const logWindow = ({ total, height, scrollTop }: Place): LogWindow => {
  const furthest = Math.max(0, roomHeight(total) - height);
  const place = Math.min(scrollTop ?? furthest, furthest);
  const at = isScaled(total)
    ? Math.round((place / Math.max(1, furthest)) * Math.max(0, total - Math.floor(height / logRowHeight)))
    : Math.floor(place / logRowHeight);
  const first = Math.max(0, at - overscan);
  const shown = Math.max(0, Math.min(total - first, visibleIn(height) + 2 * overscan));
  return { first, shown, top: isScaled(total) ? place - (at - first) * logRowHeight : first * logRowHeight };
};

/** How far to scroll so that a row stands in the upper third. */
export const scrollTopOf = (row: number, { total, height }: Omit<Place, 'scrollTop'>): number => {
  const at = Math.max(0, row - Math.floor(visibleIn(height) / 3));
  if (!isScaled(total)) return at * logRowHeight;
  return (at / Math.max(1, total - Math.floor(height / logRowHeight))) * (tallest - height);
};
