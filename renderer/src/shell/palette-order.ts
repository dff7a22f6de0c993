// What of the palette matches, the likeliest first: Enter does the first. Pure.
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';

type Group = SpotlightActionGroupData;
type Actions = readonly (SpotlightActionData | Group)[];

const begin = 'Not now: ';

/** The description of what cannot be done now. */
export const notNow = (why: string): string => `${begin}${why}`;

const has = (text: unknown, wanted: string): boolean => typeof text === 'string' && text.toLowerCase().includes(wanted);

const keywordsOf = ({ keywords }: SpotlightActionData): string => (Array.isArray(keywords) ? keywords.join(',') : (keywords ?? ''));

/** Smaller comes first; null is no match. What is named exactly comes first even where it cannot be done: Enter must not take its neighbour. */
const placeOf = (action: SpotlightActionData, wanted: string): number | null => {
  if (wanted !== '' && action.label?.toLowerCase() === wanted) return 0;
  const isLater = action.description?.startsWith(begin) === true;
  if (has(action.label, wanted)) return isLater ? 2 : 1;
  return has(action.description, wanted) || has(keywordsOf(action), wanted) ? (isLater ? 4 : 3) : null;
};

/** The filter of the palette: exact before partial, possible before impossible; else as they were. A group stands where its first does. */
export const inOrder = (query: string, actions: Actions): Group[] => {
  const wanted = query.trim().toLowerCase();
  const found = actions
    .flatMap((one) => ('actions' in one ? (one as Group).actions.map((action) => ({ action, group: one.group as string })) : []))
    .flatMap(({ action, group }) => {
      const place = placeOf(action, wanted);
      return place === null ? [] : [{ action, group, place }];
    })
    .toSorted((a, b) => a.place - b.place);
  const groups = new Map<string, SpotlightActionData[]>();
  for (const { action, group } of found) groups.set(group, [...(groups.get(group) ?? []), action]);
  return [...groups].map(([group, ofGroup]) => ({ group, actions: ofGroup }));
};
