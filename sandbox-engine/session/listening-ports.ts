// Reads what a sandbox says of its listening ports. It is the sandbox's word, so all of it is bounded, and what is odd is left out. Pure.
// Source: proc(5), /proc/net/tcp: addresses as hexadecimal words in the machine's order, ports in plain hexadecimal.
import { stripVTControlCharacters } from 'node:util';
import type { ListeningPort } from '../contract/model.ts';

const mostPorts = 500;
const longest = { process: 60, command: 200 };

const fourOf = (hex: string): string =>
  (hex.match(/../g) ?? [])
    .map((byte) => Number.parseInt(byte, 16))
    .reverse()
    .join('.');

const sixOf = (hex: string): string => {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => (word.match(/../g) ?? []).reverse()).join('');
  const groups = (bytes.match(/.{4}/g) ?? []).map((group) => group.replace(/^0+(?=.)/, '').toLowerCase());
  if (groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff') return fourOf(hex.slice(24));
  const text = groups.join(':');
  const zeros = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].sort((a, b) => b[0].length - a[0].length)[0];
  if (zeros === undefined) return text;
  return `${text.slice(0, zeros.index)}::${text.slice(zeros.index + zeros[0].length + 1)}`.replace(/^:::|:::$/, '::');
};

/** The address that a line of /proc/net/tcp or tcp6 has in hexadecimal; null for what is none. */
export const addressOf = (hex: string): string | null => {
  if (/^[0-9A-F]{8}$/.test(hex)) return fourOf(hex);
  return /^[0-9A-F]{32}$/.test(hex) ? sixOf(hex) : null;
};

/** Bytes in hexadecimal as one line of text without anything that steers a screen. */
const textOf = (hex: string, most: number): string | null => {
  const text = stripVTControlCharacters(
    Buffer.from(hex, 'hex')
      .toString('utf8')
      .replace(/\0+$/, '')
      .replaceAll(/[\0\r\n\t]/g, ' '),
  )
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return text === '' ? null : text.slice(0, most);
};

interface Entry {
  port: number;
  address: string;
  process: string | null;
  command: string | null;
}

const readEntry = (text: string, hiddenUser: number): Entry | null => {
  const [hex = '', portHex = '', user = '', name = '', command = ''] = text.split(':');
  const address = addressOf(hex);
  const port = /^[0-9A-F]{4}$/.test(portHex) ? Number.parseInt(portHex, 16) : 0;
  if (address === null || port === 0 || user === String(hiddenUser)) return null;
  return { port, address, process: textOf(name, longest.process), command: textOf(command, longest.command) };
};

/** One line `ADDRESS:PORT:UID:NAME:COMMAND …` of the watching program, all in hexadecimal but the user; ports of `hiddenUser` are left out. */
export const readListening = (line: string, hiddenUser: number, redactText: (text: string) => string): ListeningPort[] => {
  const masked = (text: string | null): string | null => (text === null ? null : redactText(text));
  const found = new Map<number, ListeningPort>();
  for (const text of line.split(' ').slice(0, mostPorts)) {
    const entry = readEntry(text, hiddenUser);
    if (entry === null) continue;
    const known = found.get(entry.port);
    found.set(entry.port, {
      port: entry.port,
      addresses: [...new Set([...(known?.addresses ?? []), entry.address])].sort(),
      process: known?.process ?? masked(entry.process),
      command: known?.command ?? masked(entry.command),
    });
  }
  return [...found.values()].sort((a, b) => a.port - b.port);
};
