// Who gets the focus when what had it is taken out of the page: a row that was removed, a card that was closed. Knows elements, not what they are of.
const focusable =
  'a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), select:not([disabled]), [tabindex="0"]';

const firstIn = (place: Element, at: 0 | -1): HTMLElement | undefined => {
  const found = [...(place.matches(focusable) ? [place] : []), ...place.querySelectorAll(focusable)];
  return found.filter((one): one is HTMLElement => one instanceof HTMLElement && one.tabIndex >= 0).at(at);
};

/** The nearest one beside a node, `forward` or back. */
const beside = (from: Node | null, forward: boolean): HTMLElement | undefined => {
  for (let node = from; node !== null; node = forward ? node.nextSibling : node.previousSibling) {
    const heir = node instanceof Element ? firstIn(node, forward ? 0 : -1) : undefined;
    if (heir) return heir;
  }
  return undefined;
};

/** What comes next where it was taken from, else what came before it, else the same around that place; null where the whole page went. */
export const removalHeir = ({ target, nextSibling, previousSibling }: MutationRecord, page: Element): HTMLElement | null => {
  let [place, next, before]: (Node | null)[] = [target, nextSibling, previousSibling];
  if (place === page) return null;
  while (place instanceof Element && page.contains(place)) {
    const heir = beside(next ?? null, true) ?? beside(before ?? null, false);
    if (heir) return heir;
    if (place === page) return null;
    [next, before, place] = [place.nextSibling, place.previousSibling, place.parentElement];
  }
  return null;
};
