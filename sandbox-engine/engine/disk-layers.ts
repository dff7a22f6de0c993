// Counts the layers of images once, whoever shares them. Pure.
import type { HistoryStep } from '../container/container-usage.ts';

export interface CountedImage {
  id: string;
  /** Who has it; several may. */
  owners: readonly string[];
  history: readonly HistoryStep[];
}

export interface OwnerBytes {
  /** In layers that nobody else has. */
  own: number;
  shared: number;
}

interface Layer {
  bytes: number;
  owners: Set<string>;
  /** It is in an image that belongs to nobody, a base: then it is nobody's own. */
  isNobodys: boolean;
}

const layersOf = (images: readonly CountedImage[]): Layer[] => {
  const layers = new Map<string, Layer>();
  for (const { owners, history } of images) {
    for (const { key, bytes } of history) {
      const { owners: known = [], isNobodys = false } = layers.get(key) ?? {};
      layers.set(key, { bytes, owners: new Set([...known, ...owners]), isNobodys: isNobodys || owners.length === 0 });
    }
  }
  return [...layers.values()];
};

/** Bytes of all layers together, and of each owner those that are its own and those that others have as well. */
export const countLayers = (images: readonly CountedImage[]): { total: number; owners: Map<string, OwnerBytes> } => {
  const counted = new Map<string, OwnerBytes>();
  let total = 0;
  for (const { bytes, owners, isNobodys } of layersOf(images)) {
    total += bytes;
    const isOwn = owners.size === 1 && !isNobodys;
    for (const owner of owners) {
      const { own, shared } = counted.get(owner) ?? { own: 0, shared: 0 };
      counted.set(owner, isOwn ? { own: own + bytes, shared } : { own, shared: shared + bytes });
    }
  }
  return { total, owners: counted };
};
