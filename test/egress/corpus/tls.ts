// Greetings of TLS. Source: NETWORK.md 2, E.
import { extension, hello, nameEntry, record, serverName } from '../../unit/egress/client-hello.ts';
import { get, harmless, type Row, tls } from './row.ts';

const toAllowed = { name: 'allowed.test', port: 443 };
const ech = extension(0xfe0d, Buffer.alloc(48, 1));
const refusedAs = (reason: string, what: string, id: string, bytes: Buffer): Row => ({
  ...{ id, what, to: toAllowed, send: [bytes], back: ['alert'], log: [`${reason} allowed.test:443`] },
});

// A hello of before TLS: length, type, version, three lengths, one cipher, a challenge.
const ssl2 = Buffer.concat([Buffer.from('802e0103010015000000100700c0', 'hex'), Buffer.alloc(34, 3)]);

export const tlsRows: Row[] = [
  {
    id: 'E01',
    what: 'a blocked name at any address',
    to: { address: '6.6.6.6', port: 443 },
    send: [tls('blocked.test')],
    back: ['alert'],
    log: ['no_rule blocked.test:443'],
  },
  refusedAs('no_sni', 'no name at the address of an allowed one', 'E02', tls(null)),
  refusedAs('ech', 'a hidden name behind an allowed one', 'E03', tls('allowed.test', ech)),
  {
    id: 'E03',
    what: 'a hidden name behind a public one',
    to: toAllowed,
    send: [tls('cover.evil.test', ech)],
    back: ['alert'],
    log: ['ech cover.evil.test:443'],
  },
  refusedAs(
    'malformed_client_hello',
    'two names',
    'E04',
    hello({ extensions: [serverName(nameEntry('allowed.test'), nameEntry('evil.test'))] }),
  ),
  refusedAs('malformed_client_hello', 'a name of another type', 'E04', hello({ extensions: [serverName(nameEntry('allowed.test', 1))] })),
  refusedAs('malformed_client_hello', 'an empty name', 'E04', hello({ extensions: [serverName(nameEntry(''))] })),
  refusedAs('limit_exceeded', 'a greeting of 40 KiB', 'E06', record(Buffer.concat([Buffer.from([1, 0, 0xa0, 0]), Buffer.alloc(16_380)]))),
  refusedAs('no_sni', 'a greeting of before TLS', 'E07', ssl2),
  refusedAs('no_sni', 'TLS 1.0 without extensions', 'E07', hello({ extensions: null, version: 0x0301 })),
  {
    id: 'E08',
    what: 'capitals and a final dot',
    to: toAllowed,
    send: [tls('ALLOWED.test.')],
    back: ['tls:allowed.test'],
    log: ['allowed allowed.test:443'],
  },
  {
    ...{ id: 'E10', what: 'a ticket and early data', to: toAllowed, log: ['allowed allowed.test:443'], back: ['tls:allowed.test'] },
    send: [Buffer.concat([tls('allowed.test', ...harmless, extension(42, Buffer.alloc(0))), record(Buffer.alloc(64, 9), { type: 0x17 })])],
  },
  {
    id: 'E11',
    what: 'HTTP on 443',
    to: toAllowed,
    send: [get('/', 'allowed.test')],
    back: ['403'],
    log: ['protocol_mismatch allowed.test:443'],
  },
  {
    id: 'E11',
    what: 'TLS on 80',
    to: { name: 'allowed.test', port: 80 },
    send: [tls('allowed.test')],
    back: ['alert'],
    log: ['protocol_mismatch allowed.test:80'],
  },
  { id: 'E11', what: 'neither on 443', to: toAllowed, send: ['SSH-2.0-x\r\n'], back: [], log: ['not_recognised allowed.test:443'] },
  ...[25, 587, 993].map(
    (port): Row => ({
      id: 'E12',
      what: `mail on ${port}`,
      to: { name: 'allowed.test', port },
      send: [],
      back: [],
      log: [`port_not_allowed allowed.test:${port}`],
    }),
  ),
  {
    ...{
      id: 'E13',
      what: 'reserved values and unknown protocols',
      to: toAllowed,
      send: [tls('allowed.test', ...harmless, extension(51, Buffer.alloc(1_300, 1)))],
    },
    ...{ back: ['tls:allowed.test'], log: ['allowed allowed.test:443'] },
  },
  {
    ...{
      id: 'E14',
      what: 'a second greeting with another name',
      to: toAllowed,
      send: [tls('allowed.test'), { after: 'tls:', send: tls('evil.test') }],
    },
    ...{ back: ['tls:allowed.test', 'tls:allowed.test'], log: ['allowed allowed.test:443'] },
  },
];
