// Values that quoting anywhere on the way would change.

/** By name; each must arrive byte for byte. */
export const oddValues = {
  SPACED: 'a  b ',
  QUOTED: 'it\'s "fine"',
  DOLLAR: '$HOME ${X:-y} $$',
  BACK: 'C:\\tools\\',
  MULTI: 'one\ntwo',
  EQ: 'k=v=w',
  HASH: 'a #b',
} as const;
