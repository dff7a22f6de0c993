// An environment file that comes with a repository: found, and read when somebody wants to look at it. Nothing is ever applied from here.
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';
import { askInside, type InsidePlace } from './ask-inside.ts';
import { readPiece } from './files.ts';

/** What an environment file in a repository is called, the first that is there counts. */
const names = ['.sandlot.yml', '.sandlot.yaml', 'sandlot.yml', 'sandlot.yaml'] as const;
const mostBytes = 262_144;

/** The name of the environment file in the folder; null when there is none. */
export const findOffered = async (place: InsidePlace, folder: string): Promise<string | null> => {
  const script = 'cd "$1" && shift && for name; do [ -f "$name" ] && [ ! -L "$name" ] && { echo "$name"; exit 0; }; done; exit 0';
  const { stdout } = await askInside(place, { script, args: [folder, ...names], limitSeconds: 10, mostBytes: 100 });
  return names.find((name) => name === stdout.toString('utf8').trim()) ?? null;
};

/** The file as it is now. @throws too_large @throws not_found */
export const readOffered = async (place: InsidePlace, session: Session): Promise<{ name: string; contents: string } | null> => {
  const { offered_file: name, workspace_start: start } = session;
  if (name === undefined || start === undefined) return null;
  const path = `${start.root}/${name}`;
  const { content, encoding, size } = await readPiece(place, { path, from: 0, maxBytes: mostBytes }, (text) => text);
  if (encoding === 'utf8' && size <= mostBytes) return { name, contents: content };
  throw new SandlotError(
    encoding === 'utf8' ? 'too_large' : 'invalid_request',
    `${path} is no environment file: it is ${size} bytes of ${encoding === 'utf8' ? 'text' : 'something else'}.`,
    {
      nextAction: 'Look at it in a terminal.',
    },
  );
};
