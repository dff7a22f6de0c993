// Cuts a byte stream into lines of UTF-8. Knows neither JSON nor sockets.

/** Feeds chunks in, gets whole lines out; `onTooLong` is called once when a line grows beyond `maxBytes` and reading stops. */
export const createLineReader = (maxBytes: number, onLine: (line: string) => void, onTooLong: () => void) => {
  let parts: Buffer[] = [];
  let size = 0;
  let isBroken = false;
  const add = (part: Buffer): void => {
    parts.push(part);
    size += part.length;
    if (size <= maxBytes) return;
    isBroken = true;
    parts = [];
    onTooLong();
  };
  return (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1 && !isBroken; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      if (isBroken) return;
      const line = Buffer.concat(parts).toString('utf8').trim();
      parts = [];
      size = 0;
      if (line !== '') onLine(line);
    }
    if (!isBroken && from < chunk.length) add(chunk.subarray(from));
  };
};
