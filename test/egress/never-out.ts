// What the corpus aims at and no interface of this machine but loopback may ever see. Names of the world are reserved words of a test, and
// addresses that somebody of this machine may really use are left out.
import { addressPattern, textPattern } from '../runtime/support/capture.ts';

/** As the wire has it: a name in a question, and a name in a greeting or a request. */
const namePatterns = (name: string): string[] => [
  name
    .split('.')
    .map((label) => Buffer.from([label.length]).toString('hex') + textPattern(label))
    .join(''),
  textPattern(name),
];

/** Patterns for a capture. */
export const neverOut: string[] = [
  ...['6.6.6.6', '20.0.0.9', '20.0.0.10', '240.0.0.1', '168.63.129.16', '100.100.100.200', '192.168.65.254', '10.1.2.3'].map(
    addressPattern,
  ),
  ...['allowed.test', 'blocked.test', 'evil.test', 'plain.test', 'big.test', 'corp.test', 'ssh.test'].flatMap(namePatterns),
];
