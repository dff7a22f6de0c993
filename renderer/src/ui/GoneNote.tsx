import './gone-note.css';
import { shortId } from './format.ts';
import { plainName } from './plain-name.ts';

interface GoneNoteProps {
  /** What was looked for, in a word or two: "build". */
  noun: string;
  id: string;
  /** What is shown instead: "this is the latest". */
  instead: string;
}

/** One quiet line: the address names what is not there, and something else is shown. */
export const GoneNote = ({ noun, id, instead }: GoneNoteProps) => (
  <p className="gone-note" role="status">
    There is no {noun}{' '}
    <span className="mono" title={id}>
      {plainName(id.length > 20 ? shortId(id) : id)}
    </span>{' '}
    here any more; {instead}.
  </p>
);
