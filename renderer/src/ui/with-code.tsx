import type { ReactNode } from 'react';

/** What a sentence of the host puts between backticks, as code; what is no text stays as it is. */
export const withCode = (text: ReactNode): ReactNode =>
  typeof text === 'string' && text.includes('`')
    ? text.split(/(`[^`\n]+`)/).map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name
          <code key={at} className="mono">
            {part.slice(1, -1)}
          </code>
        ) : (
          part
        ),
      )
    : text;
