// Small packages of every kind that tools install, made of text in memory: a .deb with its index, an npm archive, a Python wheel.
// Source: deb(5); Debian's repository format; npm's package format; PEP 427 (wheels), PKWARE's APPNOTE (zip).
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** Files by their path; a path ending in a slash is a folder. */
type Files = Record<string, string>;

const tarOf = async (files: Files): Promise<Buffer> => {
  const packed = pack();
  for (const [name, text] of Object.entries(files)) {
    const isFolder = name.endsWith('/');
    packed.entry({ name, mode: isFolder ? 0o755 : 0o644, type: isFolder ? 'directory' : 'file' }, isFolder ? '' : text);
  }
  packed.finalize();
  const parts: Buffer[] = [];
  for await (const part of packed) parts.push(Buffer.from(part as Uint8Array));
  return gzipSync(Buffer.concat(parts));
};

const sha = (kind: string, bytes: Buffer, encoding: 'hex' | 'base64' = 'hex'): string => createHash(kind).update(bytes).digest(encoding);

const arMember = (name: string, bytes: Buffer): Buffer => {
  const head = `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(bytes.length).padEnd(10)}\`\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes, Buffer.from(bytes.length % 2 === 1 ? '\n' : '')]);
};

const fields = (of: Record<string, string | number>): string =>
  Object.entries(of)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');

/** A package that brings one file, in a flat repository: what is served, by path. */
export const debianRepository = async (name: string): Promise<Map<string, Buffer>> => {
  const about = { Package: name, Version: '1.0', Architecture: 'all', Maintainer: 'Nobody <nobody@example.test>', Description: 'a test' };
  const control = await tarOf({ './': '', './control': fields(about) });
  const data = await tarOf({ './': '', './opt/': '', [`./opt/${name}`]: 'installed\n' });
  const members = [arMember('debian-binary', Buffer.from('2.0\n')), arMember('control.tar.gz', control), arMember('data.tar.gz', data)];
  const deb = Buffer.concat([Buffer.from('!<arch>\n'), ...members]);
  const file = `${name}_1.0_all.deb`;
  const index = Buffer.from(fields({ ...about, Filename: `./${file}`, Size: deb.length, SHA256: sha('sha256', deb) }));
  const release = `Suite: stable\nDate: ${new Date().toUTCString()}\nSHA256:\n ${sha('sha256', index)} ${index.length} Packages\n`;
  return new Map([
    [`/debian/${file}`, deb],
    ['/debian/Packages', index],
    ['/debian/Release', Buffer.from(release)],
  ]);
};

/** A package of npm: what its registry says of it, and the archive that is at `archiveUrl`. */
export const npmPackage = async (name: string, archiveUrl: string): Promise<{ about: Buffer; archive: Buffer }> => {
  const json = { name, version: '1.0.0', main: 'index.js' };
  const archive = await tarOf({ 'package/package.json': JSON.stringify(json), 'package/index.js': 'module.exports = 1;\n' });
  const dist = { tarball: archiveUrl, shasum: sha('sha1', archive), integrity: `sha512-${sha('sha512', archive, 'base64')}` };
  return {
    about: Buffer.from(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { ...json, dist } } })),
    archive,
  };
};

const crc32 = (bytes: Buffer): number => {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
};

/** A zip whose members are not compressed. */
const zipOf = (files: Files): Buffer => {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(text);
    // Version needed, flags, method, time, date (1 January 1980), checksum, both sizes, length of the name, of more.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const member = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, bytes]);
    local.push(member);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, place, name]));
    at += member.length;
  }
  const end = Buffer.alloc(22);
  const index = Buffer.concat(central);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(central.length, 8);
  end.writeUInt16LE(central.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, index, end]);
};

/** A wheel with one module. */
export const pythonWheel = (name: string): Buffer => {
  const info = `${name}-1.0.dist-info`;
  const files = {
    [`${name}.py`]: 'value = 1\n',
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const record = [...Object.keys(files), `${info}/RECORD`].map((path) => `${path},,\n`).join('');
  return zipOf({ ...files, [`${info}/RECORD`]: record });
};
