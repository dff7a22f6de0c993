// Addresses in the place of names. Source: NETWORK.md 2, B; H05.
import { connectTo, get, type Row, through, tls } from './row.ts';

const oddAddresses = ['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0', '1.2.3', '4294967296'];

const denied = (id: string, authority: string, reason: string, host = authority): Row => ({
  ...{ id, what: `CONNECT to ${authority}`, to: 'proxy', send: (world) => [connectTo(`${authority}:${world.canaryPort}`)] },
  ...{ back: ['403'], log: [`${reason} ${host}:PORT`] },
});

const literalPolicy = () => ({ version: 'v1' as const, rules: [{ action: 'allow' as const, hosts: ['20.0.0.9'], ports: [8443] }] });

const metadata = ['168.63.129.16', '100.100.100.200', '[fd00:ec2::254]', 'metadata.google.internal'];

export const literalRows: Row[] = [
  {
    id: 'B01',
    what: 'TLS without a name',
    to: { address: '1.1.1.1', port: 443 },
    send: [tls(null)],
    back: ['alert'],
    log: ['ip_literal 1.1.1.1:443'],
  },
  {
    id: 'B01',
    what: 'plain bytes',
    to: { address: '1.1.1.1', port: 443 },
    send: ['\x01\x02\x03\x04'],
    back: [],
    log: ['ip_literal 1.1.1.1:443'],
  },
  {
    ...{ id: 'B02', what: 'an allowed name at another address is reached where we find it', to: { address: '6.6.6.6', port: 443 } },
    ...{ send: [tls('allowed.test')], back: ['tls:allowed.test'], log: ['allowed allowed.test:443'] },
  },
  ...oddAddresses.flatMap((host): Row[] => [
    { id: 'B03', what: `CONNECT to ${host}`, to: 'proxy', send: [connectTo(`${host}:443`)], back: ['400'], log: ['malformed_request -'] },
    { id: 'B03', what: `GET of ${host}`, to: 'proxy', send: [get(`http://${host}/`, host)], back: ['400'], log: ['malformed_request -'] },
  ]),
  {
    id: 'B04',
    what: 'an odd address as Host',
    to: { name: 'plain.test', port: 80 },
    send: [get('/', '2130706433')],
    back: ['400'],
    log: ['malformed_request plain.test:80'],
  },
  denied('B05', '0.0.0.0', 'special_address'),
  denied('B05', '[::]', 'special_address'),
  denied('B06', '[::ffff:127.0.0.1]', 'special_address', '127.0.0.1'),
  denied('B06', '[::ffff:7f00:1]', 'special_address', '127.0.0.1'),
  denied('B06', '[::127.0.0.1]', 'special_address', '[::7f00:1]'),
  denied('B08', '[2606:4700:4700::1111]', 'ip_literal'),
  {
    ...{ id: 'B08', what: 'TLS straight to IPv6', to: { address: '2606:4700:4700::1111', port: 443 }, send: [tls(null)] },
    ...{ back: ['alert'], log: ['ip_literal [2606:4700:4700::1111]:443'] },
    inside: { back: [], log: [] },
  },
  {
    id: 'B09',
    what: 'an address with a zone',
    to: 'proxy',
    send: [connectTo('[fe80::1%lo]:443', 'x.test')],
    back: ['400'],
    log: ['malformed_request -'],
  },
  denied('B09', '[fe80::1]', 'special_address'),
  denied('B09', '[fec0::1]', 'special_address'),
  denied('B09', '[fd00::1]', 'private_address'),
  denied('B10', '255.255.255.255', 'special_address'),
  denied('B10', '224.0.0.251', 'special_address'),
  denied('B10', '240.0.0.1', 'special_address'),
  {
    ...{
      id: 'B12',
      what: 'the address of one allowed name with another allowed name',
      to: { name: 'allowed.test', port: 443 },
      send: [tls('big.test')],
    },
    ...{ back: ['alert'], log: ['name_mismatch big.test:443'] },
  },
  {
    ...{
      id: 'B13',
      what: 'an address that a rule names, on its port',
      policy: literalPolicy,
      to: { address: '20.0.0.9', port: 8443 },
      send: [tls(null)],
    },
    ...{ back: ['tls:literal'], log: ['allowed 20.0.0.9:8443'], asks: [], reaches: ['literal'] },
  },
  {
    ...{ id: 'B13', what: 'the same on another port', policy: literalPolicy, to: { address: '20.0.0.9', port: 443 }, send: [tls(null)] },
    ...{ back: ['alert'], log: ['port_not_allowed 20.0.0.9:443'] },
  },
  {
    ...{ id: 'B13', what: 'the same by the proxy', policy: literalPolicy, to: 'proxy', send: through('20.0.0.9:8443', tls(null)) },
    ...{ back: ['200', 'tls:literal'], log: ['allowed 20.0.0.9:8443'], asks: [], reaches: ['literal'] },
  },
  {
    id: 'B13',
    what: 'the same by the proxy on another port',
    policy: literalPolicy,
    to: 'proxy',
    send: [connectTo('20.0.0.9:443')],
    back: ['403'],
    log: ['port_not_allowed 20.0.0.9:443'],
  },
  {
    ...{
      id: 'B15',
      what: 'the metadata address',
      to: { address: '169.254.169.254', port: 80 },
      send: [get('/latest/meta-data/', '169.254.169.254')],
    },
    ...{ back: ['403'], log: ['special_address 169.254.169.254:80'] },
  },
  {
    ...{ id: 'B15', what: 'the metadata address with the Host of an allowed name', to: { address: '169.254.169.254', port: 80 } },
    ...{ send: [get('/latest/meta-data/', 'plain.test')], back: ['200', 'http:plain.test'], log: ['allowed plain.test:80'] },
  },
  ...metadata.map(
    (host): Row => ({
      ...{
        id: 'B16',
        what: `${host}, which a rule names`,
        to: 'proxy',
        send: [connectTo(`${host}:443`)],
        back: ['403'],
        log: [`special_address ${host}:443`],
      },
      policy: () => ({ version: 'v1', rules: [{ action: 'allow', hosts: [host], ports: [443], allow_private: true }] }),
    }),
  ),
  {
    ...{ id: 'H05', what: 'an allowed name that is this computer, on the port of the app', to: 'proxy', back: ['403'] },
    policy: ({ canaryPort }) => ({
      version: 'v1',
      rules: [{ action: 'allow', hosts: ['allowed.test'], ports: [canaryPort], allow_private: true }],
    }),
    answers: ({ lanAddress }) => ({ 'allowed.test': [{ ok: true, addresses: [lanAddress], ttlSeconds: 0 }] }),
    send: ({ canaryPort }) => [connectTo(`allowed.test:${canaryPort}`)],
    ...{ log: ['special_address allowed.test:PORT'], asks: ['allowed.test'] },
  },
];
