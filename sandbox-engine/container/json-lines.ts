// Reads JSON records that come one a line, however the bytes were cut. A line that is no JSON is passed on as text.
import { StringDecoder } from 'node:string_decoder';

const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    // A proxy's or a dying daemon's plain words are worth more than a syntax error.
    return { stream: `${line}\n` };
  }
};

/** Yields one record a line; ends with the source, and fails as the source fails. */
export async function* readJsonLines<T>(source: AsyncIterable<Buffer>): AsyncGenerator<T> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const bytes of source) {
    rest += decoder.write(bytes);
    if (!rest.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield parseLine(line) as T;
  }
  rest += decoder.end();
  if (rest.trim() !== '') yield parseLine(rest) as T;
}
