// PLACEHOLDER until the setup room lands its own.
import type { Environment, LogLine, SetupRun } from '../contract/model.ts';
import type { CallOutput } from '../contract/calls.ts';
export interface SetupRuns { start: (environment: Environment, options: { idempotencyKey: string; kind: 'manual' | 'refresh' }) => Promise<SetupRun>; get: (id: string, waitSeconds: number) => Promise<SetupRun>; list: (id: string, limit: number) => Promise<SetupRun[]>; cancel: (id: string) => Promise<SetupRun>; logs: (id: string, options: { after: number; limit: number; waitSeconds: number }) => Promise<{ lines: LogLine[]; nextAfter: number; truncated: boolean; status: SetupRun['status'] }>; parity: (environment: Environment, runtimes: string[]) => Promise<CallOutput<'setup_runs.parity'>>; recover: () => Promise<void>; close: () => Promise<void>; }
const no = () => Promise.reject(new Error('setup runs have not landed yet'));
export const createSetupRuns = (_: unknown): SetupRuns => ({ start: no, get: no, list: async () => [], cancel: no, logs: no, parity: no, recover: async () => undefined, close: async () => undefined });
