// Decodes the progress messages of BuildKit, as far as steps and their logs go. Pure.
// Source: BuildKit's control.proto (StatusResponse, Vertex, VertexLog), protocol buffers wire format.

export interface Vertex {
  digest: string;
  name: string;
  cached: boolean;
  startedMs: number | null;
  completedMs: number | null;
  error: string;
}

export interface BuildKitStatus {
  vertexes: Vertex[];
  logs: VertexLog[];
}

interface VertexLog {
  vertex: string;
  bytes: Buffer;
  /** 1 is stdout, 2 is stderr. */
  stream: number;
}

interface Field {
  number: number;
  /** Of wire type 0. */
  value: number;
  /** Of wire type 2; empty for others. */
  bytes: Buffer;
}

const nothing = Buffer.alloc(0);
const fixedWidths: Record<number, number> = { 1: 8, 5: 4 };

const readVarint = (bytes: Buffer, from: number): { value: number; next: number } => {
  let value = 0;
  let factor = 1;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, next: at + 1 };
    factor *= 128;
  }
  return { value, next: bytes.length };
};

function* fieldsOf(bytes: Buffer): Generator<Field> {
  for (let at = 0; at < bytes.length; ) {
    const key = readVarint(bytes, at);
    const number = Math.floor(key.value / 8);
    const wireType = key.value % 8;
    at = key.next;
    if (wireType === 0) {
      const { value, next } = readVarint(bytes, at);
      yield { number, value, bytes: nothing };
      at = next;
    } else if (wireType === 2) {
      const { value: length, next } = readVarint(bytes, at);
      yield { number, value: 0, bytes: bytes.subarray(next, next + length) };
      at = next + length;
    } else {
      // Fixed-width fields carry nothing that we read; groups do not occur.
      at += fixedWidths[wireType] ?? bytes.length;
    }
  }
}

const timeOf = (bytes: Buffer): number => {
  let milliseconds = 0;
  for (const field of fieldsOf(bytes)) milliseconds += field.number === 1 ? field.value * 1000 : field.value / 1e6;
  return milliseconds;
};

const vertexFields: Record<number, (vertex: Vertex, field: Field) => void> = {
  1: (vertex, field) => {
    vertex.digest = field.bytes.toString('utf8');
  },
  3: (vertex, field) => {
    vertex.name = field.bytes.toString('utf8');
  },
  4: (vertex, field) => {
    vertex.cached = field.value === 1;
  },
  5: (vertex, field) => {
    vertex.startedMs = timeOf(field.bytes);
  },
  6: (vertex, field) => {
    vertex.completedMs = timeOf(field.bytes);
  },
  7: (vertex, field) => {
    vertex.error = field.bytes.toString('utf8');
  },
};

const vertexOf = (bytes: Buffer): Vertex => {
  const vertex: Vertex = { digest: '', name: '', cached: false, startedMs: null, completedMs: null, error: '' };
  for (const field of fieldsOf(bytes)) vertexFields[field.number]?.(vertex, field);
  return vertex;
};

const logOf = (bytes: Buffer): VertexLog => {
  const log: VertexLog = { vertex: '', bytes: nothing, stream: 1 };
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) log.vertex = field.bytes.toString('utf8');
    else if (field.number === 3) log.stream = field.value;
    else if (field.number === 4) log.bytes = field.bytes;
  }
  return log;
};

/** Reads one status message; what it does not know it skips. */
export const decodeBuildKitStatus = (bytes: Buffer): BuildKitStatus => {
  const status: BuildKitStatus = { vertexes: [], logs: [] };
  for (const field of fieldsOf(bytes)) {
    if (field.number === 1) status.vertexes.push(vertexOf(field.bytes));
    else if (field.number === 3) status.logs.push(logOf(field.bytes));
  }
  return status;
};
