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

/** Bytes of all layers together, and of each owner those that are its own and those that others have as well. */
export const countLayers = (images: readonly CountedImage[]): { total: number; owners: Map<string, OwnerBytes> } => {
  const layers = new Map<string, { bytes: number; owners: Set<string>; images: Set<string> }>();
  for (const { id, owners, history } of images) {
    for (const { key, bytes } of history) {
      const layer = layers.get(key) ?? { bytes, owners: new Set(), images: new Set() };
      for (const owner of owners) layer.owners.add(owner);
      layer.images.add(id);
      layers.set(key, layer);
    }
  }
  // A layer of an image that belongs to nobody (a base) is nobody's own.
  const nobodys = new Set(images.filter(({ owners }) => owners.length === 0).map(({ id }) => id));
  const counted = new Map<string, OwnerBytes>();
  let total = 0;
  for (const { bytes, owners, images: inside } of layers.values()) {
    total += bytes;
    const isOwn = owners.size === 1 && [...inside].every((id) => !nobodys.has(id));
    for (const owner of owners) {
      const known = counted.get(owner) ?? { own: 0, shared: 0 };
      counted.set(owner, isOwn ? { ...known, own: known.own + bytes } : { ...known, shared: known.shared + bytes });
    }
  }
  return { total, owners: counted };
};
