// Counts the layers of images once, whoever shares them. Pure.
import { createHash } from 'node:crypto';

/** What is read of an image to count it. */
export interface LayeredImage {
  /** What its layers hold, as digests, oldest first. */
  layers: readonly string[];
  /** Bytes of each step of its history, oldest first; most steps that only say something have no layer, and none has bytes then. */
  steps: readonly number[];
}

export interface CountedImage extends LayeredImage {
  id: string;
  /** Who has it; several may. */
  owners: readonly string[];
}

export interface OwnerBytes {
  /** In layers that nobody else has. */
  own: number;
  shared: number;
}

interface KeyedLayer {
  key: string;
  bytes: number;
}

interface Layer {
  bytes: number;
  owners: Set<string>;
  /** It is in an image that belongs to nobody, a base: then it is nobody's own. */
  isNobodys: boolean;
}

/** Layers that are known to hold nothing: where a history has a step for each layer, as that of a stored container has, it says which. */
const emptyLayers = (images: readonly LayeredImage[]): Set<string> => {
  const exact = images.filter(({ layers, steps }) => layers.length === steps.length);
  return new Set(exact.flatMap(({ layers, steps }) => layers.filter((_, at) => steps[at] === 0)));
};

/** Layers with bytes; two have the same key when all up to them is the same. A history's words are not asked: a stored container has none. */
const keyedLayers = ({ layers, steps }: LayeredImage, empty: ReadonlySet<string>): KeyedLayer[] => {
  const solid = layers.filter((layer) => !empty.has(layer));
  let key = '';
  return steps
    .filter((bytes) => bytes > 0)
    .map((bytes, at) => {
      key = createHash('sha256')
        .update(JSON.stringify([key, solid[at], bytes]))
        .digest('hex');
      return { key, bytes };
    });
};

const layersOf = (images: readonly CountedImage[], empty: ReadonlySet<string>): Layer[] => {
  const layers = new Map<string, Layer>();
  for (const image of images) {
    for (const { key, bytes } of keyedLayers(image, empty)) {
      const { owners: known = [], isNobodys = false } = layers.get(key) ?? {};
      layers.set(key, { bytes, owners: new Set([...known, ...image.owners]), isNobodys: isNobodys || image.owners.length === 0 });
    }
  }
  return [...layers.values()];
};

/** What each of these images frees when it goes, in their order: a layer counts once, and not where an image that stays has it. */
export const freedBytes = (going: readonly LayeredImage[], staying: readonly LayeredImage[]): number[] => {
  const empty = emptyLayers([...going, ...staying]);
  const kept = new Set(staying.flatMap((image) => keyedLayers(image, empty).map(({ key }) => key)));
  return going.map((image) => {
    const freed = keyedLayers(image, empty).filter(({ key }) => !kept.has(key));
    for (const { key } of freed) kept.add(key);
    return freed.reduce((sum, { bytes }) => sum + bytes, 0);
  });
};

/** Bytes of all layers together, and of each owner those that are its own and those that others have as well. */
export const countLayers = (
  images: readonly CountedImage[],
  empty: ReadonlySet<string> = emptyLayers(images),
): { total: number; owners: Map<string, OwnerBytes> } => {
  const counted = new Map<string, OwnerBytes>();
  let total = 0;
  for (const { bytes, owners, isNobodys } of layersOf(images, empty)) {
    total += bytes;
    const isOwn = owners.size === 1 && !isNobodys;
    for (const owner of owners) {
      const { own, shared } = counted.get(owner) ?? { own: 0, shared: 0 };
      counted.set(owner, isOwn ? { own: own + bytes, shared } : { own, shared: shared + bytes });
    }
  }
  return { total, owners: counted };
};

/** Of each owner the bytes that are its own in its prepared images alone. */
export const preparedBytes = (images: readonly (CountedImage & { isPrepared: boolean })[]): Map<string, number> => {
  const empty = emptyLayers(images);
  const plain = countLayers(
    images.filter(({ isPrepared }) => !isPrepared),
    empty,
  ).owners;
  return new Map(
    [...countLayers(images, empty).owners].map(([owner, { own }]) => [owner, Math.max(0, own - (plain.get(owner)?.own ?? 0))]),
  );
};
