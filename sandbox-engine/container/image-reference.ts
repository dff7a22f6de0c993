// Image names as each runtime files them: Docker hides its default registry, Podman spells it out or files under `localhost/`.
// Source: distribution reference grammar (a first component with a dot, a colon or `localhost` names a registry).

const isId = (reference: string): boolean => /^(sha256:)?[0-9a-f]{64}$/.test(reference);

const namesRegistry = (reference: string): boolean => {
  const [first = '', ...rest] = reference.split('/');
  return rest.length > 0 && (first === 'localhost' || first.includes('.') || first.includes(':'));
};

/** The name with registry and tag: `debian:12` is `docker.io/library/debian:12`. Ids stay as they are. */
export const qualifyReference = (reference: string): string => {
  if (isId(reference)) return reference;
  const lastPart = reference.slice(reference.lastIndexOf('/') + 1);
  const tagged = lastPart.includes(':') || lastPart.includes('@') ? reference : `${reference}:latest`;
  if (namesRegistry(tagged)) return tagged;
  return tagged.includes('/') ? `docker.io/${tagged}` : `docker.io/library/${tagged}`;
};

/** The name as people write it, the same on both runtimes. For Docker `localhost/x` and `x` are two images: only Podman files under it. */
export const familiarReference = (reference: string, isPodman: boolean): string => {
  const plain = reference.replace(/^docker\.io\/(library\/)?/, '');
  return isPodman ? plain.replace(/^localhost\//, '') : plain;
};

/** The names under which a runtime may have filed an image, likeliest first. */
export const possibleReferences = (reference: string, isPodman: boolean): string[] => {
  if (!isPodman || isId(reference) || namesRegistry(reference)) return [reference];
  return [reference, qualifyReference(reference), `localhost/${reference}`];
};

/** Splits off the tag; `latest` when there is none. */
export const splitTag = (reference: string): { repo: string; tag: string } => {
  const colon = reference.lastIndexOf(':');
  if (colon <= reference.lastIndexOf('/')) return { repo: reference, tag: 'latest' };
  return { repo: reference.slice(0, colon), tag: reference.slice(colon + 1) };
};
