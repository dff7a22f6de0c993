// The host's own log: one small file and one older one. Never holds inputs, outputs, tokens or what a sandbox printed, and masks secrets
// that an error's text may carry all the same.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';

const maxLogBytes = 1_048_576;

export interface HostLog {
  debug: (fields: object, message: string) => void;
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
  /** From now on every line passes through this first. */
  maskWith: (redactText: (text: string) => string) => void;
  close: () => void;
}

/** Opens `host.log` in a folder; what is over 1 MiB becomes `host.log.1`. */
export const openHostLog = (folder: string): HostLog => {
  const path = join(folder, 'host.log');
  let file = openSync(path, 'a', 0o600);
  let size = fstatSync(file).size;
  let isOpen = true;
  let mask = (line: string): string => line;
  const rotate = (): void => {
    closeSync(file);
    renameSync(path, `${path}.1`);
    file = openSync(path, 'a', 0o600);
    size = 0;
  };
  const write = (line: string): void => {
    // Once closed, the number of the file may belong to another one.
    if (!isOpen) return;
    try {
      if (size > maxLogBytes) rotate();
      size += writeSync(file, mask(line));
    } catch {
      // A full disk must not end the host for the sake of its log.
    }
  };
  const logger = pino(
    {
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: pino.stdSerializers.errWithCause },
      redact: { paths: ['*.token', '*.authorization', '*.cookie', 'error.config', 'error.headers'], censor: '[redacted]' },
    },
    { write },
  );
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    maskWith: (redactText) => {
      mask = redactText;
    },
    close: () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
};
