const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes for people, in the one family of units that Sandlot uses: `512 B`, `1.5 GiB`. */
export const sizeText = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
};
