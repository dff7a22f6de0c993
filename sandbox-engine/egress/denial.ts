// What the sandbox is told when a request is refused or fails: a short answer that names the reason, the destination, the rule that decided
// and the rule that would allow it. Source: NETWORK.md 1.7.
import { failureReasons } from '../contract/egress-outcome.ts';
import type { EgressReason, Explanation } from '../contract/model/network.ts';

export interface DenialParts {
  status: number;
  reason: EgressReason;
  /** What was wrong, when there is no destination to explain. */
  detail: string | null;
  explanation: Explanation | null;
  keepAlive: boolean;
  /** A HEAD request is answered without a body. */
  withBody: boolean;
}

const phrases: Record<number, string> = {
  400: 'Bad Request',
  403: 'Forbidden',
  405: 'Method Not Allowed',
  414: 'URI Too Long',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
  502: 'Bad Gateway',
};

// Nothing that a sandbox or a server wrote may become a line of its own.
const oneLine = (text: string): string => text.replace(/[^\x20-\x7e]+/g, '?').slice(0, 1_000);

const ruleText = ({ rule }: Explanation): string => (rule === null ? 'no rule' : `rule ${rule + 1}`);

const bodyOf = ({ reason, detail, explanation }: DenialParts): string => {
  const lines = [explanation?.sentence ?? 'The sandbox policy refused this request.'];
  if (detail !== null) lines.push(detail);
  lines.push(`Reason: ${reason}`);
  if (explanation !== null) {
    // What let it through may be no rule: a grant, or that all passes.
    if (explanation.rule !== null || !failureReasons.includes(reason)) lines.push(`Decided by: ${ruleText(explanation)}`);
    if (explanation.instead !== undefined) lines.push(explanation.instead);
    if (explanation.how_to_allow !== null) {
      lines.push(`To allow it, add this rule to the environment's network policy: ${JSON.stringify(explanation.how_to_allow)}`);
    }
  }
  return `${lines.map(oneLine).join('\n')}\n`;
};

/** Writes the whole answer. Many tools show nothing but the first line, so the reason stands there too. */
export const writeDenial = (parts: DenialParts): Buffer => {
  const { status, reason, explanation, keepAlive, withBody } = parts;
  const body = bodyOf(parts);
  const about =
    explanation === null
      ? ''
      : `X-Sandlot-Host: ${oneLine(explanation.host ?? '')}\r\nX-Sandlot-Port: ${explanation.port ?? ''}\r\n` +
        `X-Sandlot-Rule: ${ruleText(explanation)}\r\n`;
  const head =
    `HTTP/1.1 ${status} ${phrases[status] ?? 'Refused'} (Sandlot: ${reason})\r\nX-Sandlot-Reason: ${reason}\r\n${about}` +
    `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\n` +
    `${keepAlive ? '' : 'Connection: close\r\n'}\r\n`;
  return Buffer.from(withBody ? head + body : head, 'latin1');
};
