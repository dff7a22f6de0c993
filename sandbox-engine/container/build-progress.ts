// Turns the records of a build into steps and log bytes: Docker's classic builder, Podman's, BuildKit. Knows no connection.

import type { Vertex } from './buildkit-status.ts';
import { decodeBuildKitStatus } from './buildkit-status.ts';
import type { BuildEvent } from './container-runtime.ts';
import { placeOfBuildKitStep } from './dockerfile-steps.ts';
import type { ProgressRecord } from './progress-records.ts';
import { failureIn } from './progress-records.ts';

export interface BuildProgress {
  push: (record: ProgressRecord) => void;
  /** Closes the open step; call it when no more records come. */
  end: (failed: boolean) => void;
  /** The builder said that it made an image. */
  hasImage: () => boolean;
  /** The daemon's words, once it has said that the build failed. */
  failure: () => string | null;
}

interface ProgressOptions {
  instructions: string[];
  onEvent: (event: BuildEvent) => void;
  monotonicMs: () => number;
}

type Reader = Pick<BuildProgress, 'end'> & { push: (record: ProgressRecord) => void };

const classicStep = /^STEP (\d+)(?:\/(\d+))? ?: ?([\s\S]*?)\n?$/i;
/** Docker's classic builder paints what comes from stderr; Podman's tells nothing. */
const stderrColour = '\u001b[91m';
const classicCached = /^(?: ---> Using cache|--> Using cache)/;

interface OpenStep {
  index: number;
  startedMs: number;
  cached: boolean;
}

const textOf = (record: ProgressRecord): string => record.stream ?? (record.status === undefined ? '' : `${record.status}\n`);

const countOrNull = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));

const createClassicReader = ({ instructions, onEvent, monotonicMs }: ProgressOptions): Reader => {
  let open: OpenStep | null = null;
  const close = (failed: boolean): void => {
    if (open === null) return;
    onEvent({ kind: 'step_done', index: open.index, durationMs: Math.round(monotonicMs() - open.startedMs), cached: open.cached, failed });
    open = null;
  };
  const begin = (index: number, counted: number | null, text: string): void => {
    close(false);
    // Podman appends instructions of its own, for the labels that it was given.
    if (instructions.length > 0 && index > instructions.length) return;
    open = { index, startedMs: monotonicMs(), cached: false };
    onEvent({ kind: 'step', index, total: instructions.length || counted, text, cached: false });
  };
  const push = (record: ProgressRecord): void => {
    const text = textOf(record);
    const step = classicStep.exec(text);
    if (step !== null) begin(Number(step[1]), countOrNull(step[2]), step[3] ?? '');
    else if (open !== null && classicCached.test(text)) open.cached = true;
    if (text !== '')
      onEvent({ kind: 'log', index: open?.index ?? null, bytes: Buffer.from(text, 'utf8'), isError: text.startsWith(stderrColour) });
  };
  return { push, end: close };
};

const buildKitStep = /^\[(?:[^\]]*?\s)?(\d+)\/(\d+)\] ([\s\S]*)$/;

const createBuildKitReader = ({ instructions, onEvent }: ProgressOptions): Reader => {
  const places = new Map<string, number>();
  const open = new Set<string>();
  const done = new Set<string>();
  const total = instructions.length === 0 ? null : instructions.length;

  const start = (vertex: Vertex, step: RegExpExecArray): void => {
    const index = placeOfBuildKitStep(instructions, Number(step[1]), Number(step[2]));
    places.set(vertex.digest, index);
    open.add(vertex.digest);
    onEvent({ kind: 'step', index, total: total ?? Number(step[2]), text: step[3] ?? '', cached: vertex.cached });
    const headline = `#${index} ${step[3]}${vertex.cached ? ' (cached)' : ''}\n`;
    onEvent({ kind: 'log', index, bytes: Buffer.from(headline) });
  };
  const finish = (vertex: Vertex, index: number): void => {
    open.delete(vertex.digest);
    done.add(vertex.digest);
    const durationMs = Math.round((vertex.completedMs ?? 0) - (vertex.startedMs ?? vertex.completedMs ?? 0));
    onEvent({ kind: 'step_done', index, durationMs, cached: vertex.cached, failed: vertex.error !== '' });
  };
  const pushVertex = (vertex: Vertex): void => {
    const step = buildKitStep.exec(vertex.name);
    if (step === null || (vertex.startedMs === null && vertex.completedMs === null && !vertex.cached) || done.has(vertex.digest)) return;
    if (!open.has(vertex.digest)) start(vertex, step);
    if (vertex.completedMs !== null) finish(vertex, places.get(vertex.digest) ?? 0);
  };
  const push = (record: ProgressRecord): void => {
    if (typeof record.aux !== 'string') return;
    const status = decodeBuildKitStatus(Buffer.from(record.aux, 'base64'));
    for (const vertex of status.vertexes) pushVertex(vertex);
    for (const { vertex, bytes, stream } of status.logs)
      onEvent({ kind: 'log', index: places.get(vertex) ?? null, bytes, isError: stream === 2 });
  };
  const end = (failed: boolean): void => {
    for (const digest of open) onEvent({ kind: 'step_done', index: places.get(digest) ?? 0, durationMs: null, cached: false, failed });
    open.clear();
  };
  return { push, end };
};

const namesImage = (record: ProgressRecord): boolean =>
  (typeof record.aux === 'object' && record.aux !== null && 'ID' in record.aux) ||
  /^Successfully (built|tagged) /.test(record.stream ?? '');

/** Makes a reader for one build's records; events come out as the records go in, nothing waits for the end. */
export const createBuildProgress = (options: ProgressOptions): BuildProgress => {
  const classic = createClassicReader(options);
  const buildKit = createBuildKitReader(options);
  let hasImage = false;
  let failure: string | null = null;
  return {
    push: (record) => {
      const words = failureIn(record);
      if (words !== null) {
        failure = words.trim();
        options.onEvent({ kind: 'log', index: null, bytes: Buffer.from(`${failure}\n`) });
        return;
      }
      if (namesImage(record)) hasImage = true;
      if (record.id === 'moby.buildkit.trace') buildKit.push(record);
      else classic.push(record);
    },
    end: (failed) => {
      classic.end(failed);
      buildKit.end(failed);
    },
    hasImage: () => hasImage,
    failure: () => failure,
  };
};
