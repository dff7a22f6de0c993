// What a log's colour sequences mean for the text after them. Knows the sixteen colours and the faces of letters; grounds, and colours
// beyond the sixteen, are left out, so that everything can be read on our own ground.
// Source: ECMA-48, 8.3.117 (SGR).

/** How the next characters look: names of faces, and a colour by its number. */
export interface LogStyle {
  colour: number | null;
  faces: readonly ('bold' | 'dim' | 'italic' | 'underline')[];
}

/** The usual look. */
export const plainStyle: LogStyle = { colour: null, faces: [] };

const faceOf: Record<number, LogStyle['faces'][number]> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline' };
const endOf: Record<number, LogStyle['faces']> = { 22: ['bold', 'dim'], 23: ['italic'], 24: ['underline'] };

const withOne = (style: LogStyle, code: number): LogStyle => {
  if (code === 0) return plainStyle;
  const [face, ended] = [faceOf[code], endOf[code]];
  if (face !== undefined) return style.faces.includes(face) ? style : { ...style, faces: [...style.faces, face] };
  if (ended !== undefined) return { ...style, faces: style.faces.filter((one) => !ended.includes(one)) };
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, colour: code - 82 };
  return code === 39 ? { ...style, colour: null } : style;
};

/** How many numbers belong to a 38 or 48: of 256 colours, or of three parts. */
const extendedLength = (kind: number | undefined): number => (kind === 5 ? 3 : kind === 2 ? 5 : 2);

/** After "38;5;3" it is the third of the sixteen; any other of 256, or a mixed one, is the usual colour. */
const withExtended = (style: LogStyle, [code, kind, colour]: readonly number[]): LogStyle => {
  if (code === 48) return style;
  return { ...style, colour: kind === 5 && colour !== undefined && colour < 16 ? colour : null };
};

/** The look after a sequence, whose numbers are given as they stand in it: "1;31". */
export const styleAfter = (style: LogStyle, parameters: string): LogStyle => {
  let codes = parameters.split(/[;:]/).map(Number);
  let next = style;
  while (codes.length > 0) {
    const code = codes[0] ?? 0;
    const isExtended = code === 38 || code === 48;
    next = isExtended ? withExtended(next, codes) : withOne(next, code);
    codes = codes.slice(isExtended ? extendedLength(codes[1]) : 1);
  }
  return next;
};

/** The classes that draw it; nothing for the usual look. */
export const classOfStyle = ({ colour, faces }: LogStyle): string =>
  [...(colour === null ? [] : [`is-ansi-${colour}`]), ...faces.map((face) => `is-${face}`)].join(' ');
