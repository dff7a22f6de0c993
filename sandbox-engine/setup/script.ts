// PLACEHOLDER until the setup room lands its own.
import type { SetupWarning } from '../contract/model.ts';
export const checkScript = (script: string): { script: string; size: number; warnings: SetupWarning[] } => ({ script: script.replaceAll('\r\n', '\n').trimEnd(), size: Buffer.byteLength(script), warnings: [] });
