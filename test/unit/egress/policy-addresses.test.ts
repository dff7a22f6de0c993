// Every save-time error about an address or a wildcard. Source: NETWORK.md 1.2, 1.3, 1.7 and corpus K.
import { describe, expect, test } from 'vitest';
import { at, type Extra, saved } from './saved-host.ts';

describe('an address', () => {
  const ports = { ports: [5432] };
  test.each<[string, Extra, string]>([
    ['20.0.0.9', ports, '20.0.0.9'],
    ['20.0.0.9', {}, at('ip_needs_ports')],
    ['[2606:4700:4700:0:0:0:0:1111]', ports, '[2606:4700:4700::1111]'],
    ['[2606:4700:4700::1111]', {}, at('ip_needs_ports')],
    ['[::ffff:20.0.0.9]', ports, '20.0.0.9'],
    ['2606:4700:4700::1111', ports, at('ipv6_brackets')],
    ['::1', ports, at('ipv6_brackets')],
    ['[x.com]', ports, at('ipv6_brackets')],
    ['[2606:4700::1', ports, at('ipv6_brackets')],
    ['[]', ports, at('ipv6_brackets')],
    ['fe80::1%eth0', ports, at('ipv6_zone')],
    ['[fe80::1%eth0]', ports, at('ipv6_zone')],
    ['10.1.2.3', ports, at('address_private')],
    ['10.1.2.3', { ...ports, allow_private: true }, '10.1.2.3'],
    ['9.255.255.255', ports, '9.255.255.255'],
    ['[fd00::5]', ports, at('address_private')],
    ['[fd00::5]', { ...ports, allow_private: true }, '[fd00::5]'],
    ['100.64.0.1', ports, at('address_private')],
    ['100.63.255.255', ports, '100.63.255.255'],
    ['127.0.0.1', ports, at('address_never')],
    ['127.0.0.1', { ...ports, allow_private: true }, at('address_never')],
    ['[::1]', ports, at('address_never')],
    ['[::ffff:127.0.0.1]', ports, at('address_never')],
    ['169.254.169.254', ports, at('address_never')],
    ['168.63.129.16', ports, at('address_never')],
    ['[fd00:ec2::254]', { ...ports, allow_private: true }, at('address_never')],
    ['198.18.0.1', ports, at('address_never')],
    ['0.0.0.0', ports, at('address_never')],
    ['127.0.0.1', {}, `${at('address_never')}, ${at('ip_needs_ports')}`],
    ['10.0.0.0/8', ports, at('cidr_unsupported')],
    ['10.0.0.1/24', ports, at('cidr_unsupported')],
    ['2001:db8::/32', ports, at('cidr_unsupported')],
    ['[2001:db8::]/32', ports, at('cidr_unsupported')],
    ['10.0.0.*', ports, at('wildcard_position')],
    ['*.10.0.0.1', ports, at('wildcard_position')],
    ['127.1', ports, at('host_looks_like_ip')],
    ['0x7f.1', ports, at('host_looks_like_ip')],
    ['0x7f000001', ports, at('host_looks_like_ip')],
    ['2130706433', ports, at('host_looks_like_ip')],
    ['0177.0.0.1', ports, at('host_looks_like_ip')],
    ['01.2.3.4', ports, at('host_looks_like_ip')],
    ['256.1.1.1', ports, at('host_looks_like_ip')],
    ['1.2.3', ports, at('host_looks_like_ip')],
    ['1.2.3.4.', ports, at('host_looks_like_ip')],
    ['example.0x1', ports, at('host_looks_like_ip')],
  ])('%j with %j is %s', (host, extra, expected) => {
    expect(saved(host, extra)).toBe(expected);
  });
});

describe('a wildcard', () => {
  test.each<[string, string]>([
    ['*.example.com', '*.example.com'],
    ['*.Example.COM.', '*.example.com'],
    ['*.internal.example.com', '*.internal.example.com'],
    ['*.corp.internal', '*.corp.internal'],
    ['*.example.co.uk', '*.example.co.uk'],
    ['*.github.io', '*.github.io'],
    ['*.amazonaws.com', '*.amazonaws.com'],
    ['*', at('wildcard_all')],
    ['**', at('wildcard_all')],
    ['*.', at('wildcard_all')],
    ['*.*', at('wildcard_all')],
    ['*:443', at('wildcard_all')],
    ['a.*.com', at('wildcard_position')],
    ['*a.com', at('wildcard_position')],
    ['a*.com', at('wildcard_position')],
    ['*.*.b.com', at('wildcard_position')],
    ['**.b.com', at('wildcard_position')],
    ['b.com.*', at('wildcard_position')],
    ['*.com', at('wildcard_public_suffix')],
    ['*.co.uk', at('wildcard_public_suffix')],
    ['*.internal', at('wildcard_public_suffix')],
    ['*.localhost', at('wildcard_public_suffix')],
    ['*.kawasaki.jp', at('wildcard_public_suffix')],
    ['*.city.kawasaki.jp', '*.city.kawasaki.jp'],
    ['*.xn--55qx5d.cn', at('wildcard_public_suffix')],
    ['*.example.xn--55qx5d.cn', '*.example.xn--55qx5d.cn'],
    ['*.x.localhost', at('name_reserved')],
    ['*.host.docker.internal', at('name_reserved')],
    ['*..example.com', at('host_label')],
    ['*.xn--a.example.com', at('host_punycode_invalid')],
  ])('%j is %s', (host, expected) => {
    expect(saved(host)).toBe(expected);
  });

  test('with protocol tcp is refused', () => {
    expect(saved('*.example.com', { protocol: 'tcp', ports: [22] })).toBe(at('wildcard_tcp'));
    expect(saved('git.example.com', { protocol: 'tcp', ports: [22] })).toBe('git.example.com');
  });
});
