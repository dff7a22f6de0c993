// Who may hand out names below a name: the world (a country's `co.uk`) or a company to its customers (`github.io`).
// Door of tldts. Source: the Public Suffix List, its ICANN and its private part.
import { domainToUnicode } from 'node:url';
import { parse } from 'tldts';

const asGiven = { allowPrivateDomains: true, validateHostname: false, extractHostname: false } as const;

const kindOf = (name: string): 'icann' | 'private' | null => {
  const { publicSuffix, isIcann, isPrivate } = parse(name, asGiven);
  if (publicSuffix !== name) return null;
  if (isIcann) return 'icann';
  return isPrivate ? 'private' : null;
};

/** Which part of the list names exactly this canonical name; null when none does. International names are looked up in both spellings. */
export const publicSuffixKind = (name: string): 'icann' | 'private' | null => kindOf(name) ?? kindOf(domainToUnicode(name));
