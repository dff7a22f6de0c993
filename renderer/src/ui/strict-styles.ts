// Lets the libraries of this page style it under a content policy that forbids whatever is inline: style elements that they make by script carry the
// nonce of the page, and a style attribute that they set by script is set as a property. What comes in as HTML gets neither.
// Source: CSP Level 3, "Does element match source list for type and source"; xterm.js sets style attributes for 24-bit colours.

/** Call once, before anything is drawn. Without a nonce in the page (development) nothing is changed. */
export const allowOwnStyles = (page: Document): void => {
  const nonce = page.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.nonce ?? '';
  if (nonce === '' || nonce === 'SANDLOT-NONCE') return;
  const create = page.createElement.bind(page);
  const createStyled = (name: string, options?: ElementCreationOptions): HTMLElement => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  page.createElement = createStyled as Document['createElement'];
  const setAttribute = HTMLElement.prototype.setAttribute;
  HTMLElement.prototype.setAttribute = function set(this: HTMLElement, name: string, value: string) {
    if (name === 'style') this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
};
