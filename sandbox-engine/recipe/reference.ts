// Reads what stands behind `base`: a name of the catalog or an image reference. Looks nothing up.
// Source: distribution reference grammar (domain, path components, tag, digest) and Docker's normalised names.
import { SandlotError } from '../base/errors.ts';
import type { CatalogEntry } from './catalog.ts';
import { findCatalogEntry } from './catalog.ts';

/** An image reference in parts. When there is a digest it decides, and the tag is for display only. */
export interface ImageReference {
  /** `docker.io` when none was written; with its port. */
  registry: string;
  /** `library/debian` for Docker Hub's short names. */
  repository: string;
  /** `latest` when neither tag nor digest was written; null when only a digest was. */
  tag: string | null;
  digest: string | null;
  /** What to pull: everything written out, by digest when there is one. */
  canonical: string;
  /** What people read: short names stay short, tag and a short digest. */
  display: string;
}

const component = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const domain =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?$/;

const splitRegistry = (name: string): { registry: string; path: string } => {
  const slash = name.indexOf('/');
  const head = slash < 0 ? '' : name.slice(0, slash);
  const isRegistry = head !== '' && (/[.:]/.test(head) || head === 'localhost');
  if (!isRegistry) return { registry: 'docker.io', path: name };
  return { registry: head === 'index.docker.io' ? 'docker.io' : head, path: name.slice(slash + 1) };
};

const digestProblem = (digest: string): string | null => {
  if (/^sha256:[0-9a-f]{64}$/.test(digest)) return null;
  return `bad digest "${digest.slice(0, 80)}": a digest is "sha256:" and 64 hexadecimal digits`;
};

const pathProblem = (path: string): string | null => {
  if (path === '') return 'the name of the image is missing';
  if (/[A-Z]/.test(path)) return `upper case is not allowed in an image name. Did you mean "${path.toLowerCase()}"?`;
  const bad = path.split('/').find((part) => !component.test(part));
  return bad === undefined
    ? null
    : `"${bad.slice(0, 60)}" is not a part of an image name: lower-case letters, digits and single separators only`;
};

interface Parts {
  registry: string;
  path: string;
  tag: string | null;
  digest: string | null;
}

const splitReference = (text: string): Parts => {
  const at = text.indexOf('@');
  const digest = at < 0 ? null : text.slice(at + 1);
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(':');
  // The colon of a port has a slash behind it.
  const hasTag = colon > named.lastIndexOf('/');
  const name = hasTag ? named.slice(0, colon) : named;
  return { ...splitRegistry(name), tag: hasTag ? named.slice(colon + 1) : null, digest };
};

const partsProblem = ({ registry, path, tag, digest }: Parts): string | null => {
  if (!domain.test(registry)) return `"${registry.slice(0, 60)}" is not the address of an image registry`;
  const inPath = pathProblem(path);
  if (inPath !== null) return inPath;
  if (`${registry}/${path}`.length > 255) return 'an image name has at most 255 characters';
  if (tag === '') return 'empty tag: write a tag behind the colon or remove the colon';
  if (tag !== null && !/^\w[\w.-]{0,127}$/.test(tag))
    return `bad tag "${tag.slice(0, 60)}": letters, digits, "_", "." and "-", at most 128 characters`;
  return digest === null ? null : digestProblem(digest);
};

/** Why a text is no image reference, or null when it is one. */
export const parseImageReferenceProblem = (text: string): string | null => {
  if (text === '') return 'an image reference is empty';
  if (/\s/.test(text)) return `"${text.slice(0, 60)}" holds white space`;
  if (/^sha256:[0-9a-f]{64}$/.test(text)) return 'a bare digest names no image: write NAME@sha256:...';
  return partsProblem(splitReference(text));
};

/** Reads an image reference. @throws image_reference_invalid saying what is wrong and where. */
export const parseImageReference = (text: string): ImageReference => {
  const problem = parseImageReferenceProblem(text);
  if (problem !== null) {
    throw new SandlotError('image_reference_invalid', `"${text.slice(0, 120)}" is not an image reference: ${problem}.`, {
      details: { reference: text.slice(0, 512), reason: problem },
      nextAction: 'Write a catalog name such as "python" or a reference such as "debian:bookworm-slim".',
    });
  }
  const { registry, path, tag: written, digest } = splitReference(text);
  const repository = registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path;
  const tag = written ?? (digest === null ? 'latest' : null);
  const name = `${registry}/${repository}`;
  const shortName = name.replace(/^docker\.io\/(?:library\/)?/, '');
  const shownTag = tag === null ? '' : `:${tag}`;
  return {
    registry,
    repository,
    tag,
    digest,
    canonical: digest === null ? `${name}${shownTag}` : `${name}@${digest}`,
    display: `${shortName}${shownTag}${digest === null ? '' : `@${digest.slice(0, 19)}`}`,
  };
};

/** What a recipe's `base` stands for. */
export type ResolvedBase = { kind: 'catalog'; entry: CatalogEntry } | { kind: 'reference'; reference: ImageReference };

/** Reads a base: names of the catalog win over Docker Hub's short names (`python` is ours, `library/python` is not).
 * @throws image_reference_invalid */
export const resolveBase = (base: string): ResolvedBase => {
  const entry = findCatalogEntry(base);
  return entry === null ? { kind: 'reference', reference: parseImageReference(base) } : { kind: 'catalog', entry };
};
