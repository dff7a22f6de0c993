// The bases that have a short name, and how each is made when no image registry can be reached: a bootstrapped Debian, then
// packages of the distribution, then the language's own package manager. Data; the image room acts on it.
// Source: SPEC.md 3; Debian suite names and numbers of the release notes of bookworm (12) and trixie (13).
import { browserDesktop } from './browser-desktop.ts';
import type { ImageReference } from './reference.ts';

/** How to make a base from bootstrapped Debian: packages first, then shell commands as root, in order. */
export interface Toolchain {
  suite: string;
  apt: string[];
  commands: { name: string; run: string }[];
}

/** One base of the catalog. `reference` is where it is pulled from, fully written. */
export interface CatalogEntry {
  name: string;
  summary: string;
  reference: string;
  toolchain: Toolchain;
  /** What its summary says and the image of `reference` does not bring. */
  besides?: Pick<Toolchain, 'apt' | 'commands'>;
}

const suite = 'bookworm';

const uv = {
  name: 'uv',
  run: 'PIP_BREAK_SYSTEM_PACKAGES=1 PIP_ROOT_USER_ACTION=ignore python3 -m pip install --no-cache-dir uv',
};

/** The catalog, in the order in which it is shown. */
export const catalog: readonly CatalogEntry[] = [
  {
    name: 'debian',
    summary: 'Plain Debian: shell, git and sudo, nothing else.',
    reference: 'docker.io/library/debian:bookworm-slim',
    toolchain: { suite, apt: [], commands: [] },
  },
  {
    name: 'python',
    summary: 'Python 3 with pip, venv and uv.',
    reference: 'docker.io/library/python:3.13-slim-bookworm',
    toolchain: {
      suite,
      apt: ['ca-certificates', 'python3', 'python3-pip', 'python3-venv', 'python-is-python3'],
      commands: [uv],
    },
    besides: { apt: [], commands: [uv] },
  },
  {
    name: 'node',
    summary: 'Node.js with npm.',
    reference: 'docker.io/library/node:22-bookworm-slim',
    toolchain: { suite, apt: ['ca-certificates', 'nodejs', 'npm'], commands: [] },
  },
  {
    name: 'bun',
    summary: 'Bun, with Node.js and npm.',
    reference: 'docker.io/oven/bun:1-debian',
    toolchain: {
      suite,
      apt: ['ca-certificates', 'nodejs', 'npm'],
      commands: [{ name: 'bun', run: 'npm install -g --no-fund --no-audit bun' }],
    },
    besides: { apt: ['nodejs', 'npm'], commands: [] },
  },
  {
    name: 'go',
    summary: 'Go with git and a C compiler for cgo.',
    reference: 'docker.io/library/golang:1-bookworm',
    toolchain: { suite, apt: ['ca-certificates', 'git', 'golang-go', 'gcc', 'libc6-dev'], commands: [] },
  },
  {
    name: 'rust',
    summary: 'Rust with cargo, clippy and rustfmt.',
    reference: 'docker.io/library/rust:1-slim-bookworm',
    toolchain: { suite, apt: ['ca-certificates', 'cargo', 'rustc', 'rust-clippy', 'rustfmt', 'pkg-config', 'libc6-dev'], commands: [] },
    // The official image has the smallest set of components.
    besides: { apt: ['pkg-config'], commands: [{ name: 'clippy and rustfmt', run: 'rustup component add clippy rustfmt' }] },
  },
  {
    name: 'java',
    summary: 'OpenJDK with Maven.',
    reference: 'docker.io/library/maven:3-eclipse-temurin-21',
    toolchain: { suite, apt: ['ca-certificates', 'default-jdk-headless', 'maven'], commands: [] },
  },
  {
    name: 'browser-desktop',
    summary: 'A small desktop with Chromium, seen and used in the app.',
    // No image of this kind is published by a project that we follow: it is always made from Debian.
    reference: 'docker.io/library/debian:bookworm-slim',
    toolchain: { suite, ...browserDesktop },
  },
];

/** What goes onto a base of the catalog: all of its toolchain onto plain Debian, else what its own image lacks. Null: nothing. */
export const toolchainFor = ({ toolchain, besides }: CatalogEntry, isPlainDebian: boolean): Toolchain | null => {
  const wanted = isPlainDebian ? toolchain : besides === undefined ? null : { suite: toolchain.suite, ...besides };
  return wanted === null || (wanted.apt.length === 0 && wanted.commands.length === 0) ? null : wanted;
};

/** Finds a base of the catalog by its name. */
export const findCatalogEntry = (name: string): CatalogEntry | null => catalog.find((entry) => entry.name === name) ?? null;

const suiteNames: Record<string, string> = {
  '12': 'bookworm',
  '13': 'trixie',
  bookworm: 'bookworm',
  trixie: 'trixie',
  stable: 'stable',
  latest: 'stable',
};

/** The Debian suite that makes the same as an official Debian image, or null when the reference is none of those (a pinned
 * digest never is). `12.7` reads as 12: a mirror has the newest point release only. */
export const bootstrapSuite = (reference: ImageReference): string | null => {
  const isOfficial = reference.registry === 'docker.io' && reference.repository === 'library/debian' && reference.digest === null;
  if (!isOfficial) return null;
  const tag = (reference.tag ?? 'latest').replace(/-slim$/, '').replace(/^(\d+)\.\d+$/, '$1');
  return Object.hasOwn(suiteNames, tag) ? (suiteNames[tag] ?? null) : null;
};
