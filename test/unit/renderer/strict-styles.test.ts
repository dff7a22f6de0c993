// Style attributes are looked at in a real browser (test/browser/web-door.test.ts): here a property is an attribute.
import { afterEach, expect, test } from 'vitest';
import { allowOwnStyles } from '../../../renderer/src/ui/strict-styles.ts';

const { setAttribute } = HTMLElement.prototype;
afterEach(() => {
  HTMLElement.prototype.setAttribute = setAttribute;
});

/** A page as the host serves it; a real browser gives a meta element its nonce as a property. */
const pageWith = (nonce: string): Document => {
  const page = document.implementation.createHTMLDocument();
  const meta = page.createElement('meta');
  meta.setAttribute('name', 'style-nonce');
  meta.nonce = nonce;
  page.head.append(meta);
  return page;
};

test('style elements that are made by script carry the nonce, others do not', () => {
  const page = pageWith('abc');
  allowOwnStyles(page);
  expect([page.createElement('style').nonce, page.createElement('STYLE').nonce, page.createElement('div').nonce || '']).toEqual([
    'abc',
    'abc',
    '',
  ]);
});

test.each(['', 'SANDLOT-NONCE'])('without a nonce (%j) nothing is changed', (nonce) => {
  const page = pageWith(nonce);
  const { createElement } = page;
  allowOwnStyles(page);
  expect([page.createElement === createElement, HTMLElement.prototype.setAttribute === setAttribute]).toEqual([true, true]);
});
