import { formatAgo, momentText } from './format.ts';
import { useNow } from './use-now.ts';

/** How long ago something happened; the exact time is its tooltip. */
export const Ago = ({ at }: { at: string }) => {
  const now = useNow(30_000);
  return (
    <time dateTime={at} title={momentText(at)} className="num">
      {formatAgo(at, now)}
    </time>
  );
};
