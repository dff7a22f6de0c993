import { describe, expect, test } from 'vitest';
import { bootstrapSuite, catalog, findCatalogEntry, toolchainFor } from '../../../sandbox-engine/recipe/catalog.ts';
import { parseImageReference, resolveBase } from '../../../sandbox-engine/recipe/reference.ts';

const hex = 'a'.repeat(64);

describe('image references', () => {
  test.each([
    ['localhost:5000/team/img', 'localhost:5000', 'team/img', 'latest', null, 'localhost:5000/team/img:latest'],
    ['reg.example.com:8443/a/b:v1', 'reg.example.com:8443', 'a/b', 'v1', null, 'reg.example.com:8443/a/b:v1'],
    [`img.example.com/x:1.2@sha256:${hex}`, 'img.example.com', 'x', '1.2', `sha256:${hex}`, `img.example.com/x@sha256:${hex}`],
    ['debian:bookworm-slim', 'docker.io', 'library/debian', 'bookworm-slim', null, 'docker.io/library/debian:bookworm-slim'],
    ['team/img', 'docker.io', 'team/img', 'latest', null, 'docker.io/team/img:latest'],
    ['localhost/sandlot/base:1', 'localhost', 'sandlot/base', '1', null, 'localhost/sandlot/base:1'],
    [`debian@sha256:${hex}`, 'docker.io', 'library/debian', null, `sha256:${hex}`, `docker.io/library/debian@sha256:${hex}`],
  ])('%s', (text, registry, repository, tag, digest, canonical) => {
    expect(parseImageReference(text)).toMatchObject({ registry, repository, tag, digest, canonical });
  });

  test.each([
    ['Debian:bookworm', /upper case/],
    ['img:', /empty tag/],
    ['img@sha256:abc', /bad digest/],
    ['', /empty/],
    ['a b', /white space/],
    ['a//b', /not a part of an image name/],
    ['a/../b', /not a part of an image name/],
    ['img:-x', /bad tag/],
    ['-x', /not a part of an image name/],
    [`sha256:${hex}`, /bare digest/],
    ['a\nRUN x', /white space/],
  ])('%j is refused', (text, message) => {
    expect(() => parseImageReference(text)).toThrow(message);
    expect(() => parseImageReference(text)).toThrow(expect.objectContaining({ code: 'image_reference_invalid' }));
  });

  test('the display name keeps the tag and shortens the digest', () => {
    expect(parseImageReference(`debian:12@sha256:${hex}`).display).toBe('debian:12@sha256:aaaaaaaaaaaa');
  });
});

describe('bases', () => {
  test('a name of the catalog wins over Docker Hub, a full name does not', () => {
    expect(resolveBase('python')).toMatchObject({ kind: 'catalog', entry: { name: 'python' } });
    expect(resolveBase('library/python')).toMatchObject({ kind: 'reference', reference: { repository: 'library/python' } });
    expect(resolveBase('python:3.13')).toMatchObject({ kind: 'reference' });
  });

  test('every catalog entry has a valid reference', () => {
    expect(catalog.map(({ name }) => name)).toEqual(['debian', 'python', 'node', 'bun', 'go', 'rust', 'java', 'browser-desktop']);
    for (const { reference } of catalog) expect(parseImageReference(reference).canonical).toBe(reference);
  });

  // As its summary says, whichever way it comes here.
  test.each([
    ['debian', true, null],
    ['python', true, ['ca-certificates', 'python3', 'python3-pip', 'python3-venv', 'python-is-python3', 'uv']],
    ['python', false, ['uv']],
    ['bun', false, ['nodejs', 'npm']],
    ['rust', false, ['pkg-config', 'clippy and rustfmt']],
    ['go', false, null],
  ])('%s, from plain Debian: %s, is given %j', (name, isPlainDebian, wanted) => {
    const entry = findCatalogEntry(name);
    const given = entry === null ? null : toolchainFor(entry, isPlainDebian);
    expect(given && [...given.apt, ...given.commands.map((command) => command.name)]).toEqual(wanted);
  });

  test.each([
    ['debian', 'stable'],
    ['debian:bookworm', 'bookworm'],
    ['debian:bookworm-slim', 'bookworm'],
    ['debian:12', 'bookworm'],
    ['debian:12.7-slim', 'bookworm'],
    ['debian:13', 'trixie'],
    ['debian:trixie-slim', 'trixie'],
    ['debian:stable-slim', 'stable'],
    ['debian:10', null],
    ['debian:bookworm-backports', null],
    ['python:3.13', null],
    ['reg.example.com/library/debian:12', null],
    [`debian:12@sha256:${hex}`, null],
    ['debian:constructor', null],
  ])('%s is made by bootstrapping %s', (text, suite) => {
    expect(bootstrapSuite(parseImageReference(text))).toBe(suite);
  });
});
