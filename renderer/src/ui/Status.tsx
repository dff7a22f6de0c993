/** What a colour means: done well, broken, to be looked at, under way, neither. */
export type Tone = 'ok' | 'bad' | 'warn' | 'run' | 'plain';

interface StatusProps {
  tone: Tone;
  label: string;
  isHollow?: boolean;
  /** The label may be longer than its room: a name. */
  isCut?: boolean;
}

/** A dot and a word. Hollow means: nothing has happened yet. */
export const Status = ({ tone, label, isHollow = false, isCut = false }: StatusProps) => (
  <span className={`status tone-${tone}`}>
    <span className={isHollow ? 'status-dot is-hollow' : 'status-dot'} aria-hidden="true" />
    {isCut ? <span className="clip">{label}</span> : label}
  </span>
);
