/** What a colour means: done well, broken, to be looked at, under way, neither. */
export type Tone = 'ok' | 'bad' | 'warn' | 'run' | 'plain';

/** A dot and a word. Hollow means: nothing has happened yet. */
export const Status = ({ tone, label, isHollow = false }: { tone: Tone; label: string; isHollow?: boolean }) => (
  <span className={`status tone-${tone}`}>
    <span className={isHollow ? 'status-dot is-hollow' : 'status-dot'} aria-hidden="true" />
    {label}
  </span>
);
