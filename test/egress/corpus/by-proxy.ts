// Rows that go straight, once more by the proxy that variables name: in a tunnel the same bytes are looked at in the same way, and a
// destination that is refused anyway is refused before there is a tunnel. Source: NETWORK.md 1.5 and 2.1 ("transparent and via proxy variables").
import { compilePolicy, decide } from '../../../sandbox-engine/egress/policy.ts';
import { policyP1 } from '../world-policy.ts';
import { connectTo, established, type Piece, type Row } from './row.ts';

const compiled = compilePolicy(policyP1, {});

const inTunnel = (authority: string, pieces: Piece[]): Piece[] => {
  const [first, ...others] = pieces;
  const send = typeof first === 'object' && 'after' in first ? first.send : (first ?? '');
  return [connectTo(authority), { after: established, send }, ...others];
};

/** The row by the proxy; none where it names no host, has a policy of its own, or goes by the proxy already. */
export const byProxy = (row: Row): Row[] => {
  const { to, send, log } = row;
  const isThere = row.what.endsWith(', straight') || row.policy !== undefined || typeof to === 'function' || typeof send === 'function';
  if (isThere || to === 'proxy' || !('name' in to)) return [];
  const authority = `${to.name}:${to.port}`;
  const { verdict, reason } = decide(compiled, { host: to.name, port: to.port });
  const [first = ''] = log;
  const refused = (why: string, asks: string[]): Row[] => [
    {
      ...{ id: row.id, what: `${row.what}, by the proxy`, to: 'proxy', send: [connectTo(authority)], back: ['403'] },
      ...{ log: [`${why} ${authority}`], asks, ...(row.answers === undefined ? {} : { answers: row.answers }) },
    },
  ];
  if (verdict === 'blocked') return refused(reason, []);
  const isAllowed = first.startsWith('allowed ');
  if (row.answers !== undefined && !isAllowed) return refused(first.replace(/ .*/, ''), [to.name]);
  return [
    {
      ...{ ...row, what: `${row.what}, in a tunnel`, to: 'proxy', send: inTunnel(authority, send), back: ['200', ...row.back] },
      log: log.map((line) => (line.startsWith('allowed ') ? line : line.replace(/ .*/, ` ${authority}`))),
      asks: [to.name],
    },
  ];
};
