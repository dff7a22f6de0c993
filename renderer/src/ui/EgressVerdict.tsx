import './egress.css';
import { IconBan, IconCircleCheck } from '@tabler/icons-react';

/** Allowed or blocked, as a shape and a word: nobody has to tell colours apart. */
export const EgressVerdict = ({ verdict }: { verdict: 'allowed' | 'blocked' }) => (
  <span className={`egress-verdict tone-${verdict === 'allowed' ? 'ok' : 'bad'}`}>
    {verdict === 'allowed' ? (
      <IconCircleCheck size={14} stroke={1.9} aria-hidden="true" />
    ) : (
      <IconBan size={14} stroke={1.9} aria-hidden="true" />
    )}
    {verdict === 'allowed' ? 'Allowed' : 'Blocked'}
  </span>
);
