// The one gate into the engine: knows the name, checks the input strictly, calls, and makes failure a value.
// Every door (IPC, web, socket) hands over what it got, unchecked.

import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import type { CallArguments, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import { type CallName, calls } from '../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../sandbox-engine/contract/errors.ts';
import { SandlotError, toErrorBody } from '../../sandbox-engine/index.ts';
import { inputProblems } from './input-problems.ts';
import { isTyping } from './is-typing.ts';
import { nearestWord } from './nearest-word.ts';

/** An input may hold this many characters in all; bigger things travel in pieces. */
export const maxInputCharacters = 1_048_576;

type AnyHandlers = { [N in CallName]?: (input: CallArguments<N>) => Promise<CallOutput<N>> };

export interface DispatchOptions {
  handlers: AnyHandlers;
  newRequestId: () => string;
  /** Also parses what handlers answer: for tests and development. */
  checkOutputs: boolean;
  /** Told of what nobody expected, before it becomes `internal`. */
  onUnexpected: (thrown: unknown, call: string, requestId: string) => void;
  /** Masks secrets in what a refusal says: it may repeat words of a runtime or of git. */
  redactText?: (text: string) => string;
}

/** Never rejects. */
export type Dispatch = (name: string, input: unknown) => Promise<Reply<unknown>>;

/** Characters in all texts and keys of a value; stops counting beyond the limit, and a cycle is beyond it. */
const countCharacters = (value: unknown, limit: number): number => {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && count <= limit) {
    const next = open.pop();
    if (typeof next === 'string') count += next.length;
    else if (next !== null && typeof next === 'object') {
      for (const [key, inner] of Object.entries(next)) {
        count += key.length + 1;
        open.push(inner);
      }
    }
  }
  return count;
};

/** The error with every text in it masked. */
const maskError = (error: ErrorBody, redactText: (text: string) => string): ErrorBody => {
  const maskValue = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(maskValue);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskValue(inner)]));
  };
  return {
    ...error,
    message: redactText(error.message),
    details: maskValue(error.details) as ErrorBody['details'],
    next_action: error.next_action === null ? null : redactText(error.next_action),
  };
};

const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name);

const refuseUnknown = (name: string): never => {
  const near = nearestWord(name, Object.keys(calls));
  const shown = name.length > 100 ? `${name.slice(0, 100)}...` : name;
  throw new SandlotError('unknown_call', `There is no call "${shown}".${near === null ? '' : ` Did you mean "${near}"?`}`, {
    details: { nearest: near },
    nextAction: near === null ? 'See docs/api.md for all calls.' : `Call "${near}".`,
  });
};

const checkInput = (name: CallName, input: unknown): unknown => {
  if (name === 'terminals.write' && isTyping(input)) return input;
  if (countCharacters(input, maxInputCharacters) > maxInputCharacters) {
    throw new SandlotError('too_large', `The input of ${name} has more than ${maxInputCharacters} characters.`, {
      details: { max_characters: maxInputCharacters },
      nextAction: 'Send less at once.',
    });
  }
  const parsed = calls[name].input.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = inputProblems(calls[name].input, input, parsed.error.issues);
  const first = problems[0] ?? { path: '', message: 'is not valid' };
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  throw new SandlotError('invalid_request', `${name}: ${first.path === '' ? 'the input' : first.path} ${first.message}${more}.`, {
    details: { problems },
  });
};

const checkOutput = (name: CallName, output: unknown): unknown => {
  const parsed = calls[name].output.safeParse(output);
  if (parsed.success) return parsed.data;
  const problems = inputProblems(calls[name].output, output, parsed.error.issues);
  throw new Error(`${name} answered against the contract: ${problems.map((problem) => `${problem.path} ${problem.message}`).join('; ')}`);
};

/** Makes the gate over one table of handlers. */
export const createDispatch = ({ handlers, newRequestId, checkOutputs, onUnexpected, redactText }: DispatchOptions): Dispatch => {
  const run = async (name: string, input: unknown): Promise<unknown> => {
    if (!isCallName(name)) return refuseUnknown(name);
    const checked = checkInput(name, input);
    const handler = handlers[name] as ((input: unknown) => Promise<unknown>) | undefined;
    if (handler === undefined) throw new Error(`${name} has no handler`);
    const output = await handler(checked);
    return checkOutputs ? checkOutput(name, output) : output;
  };
  return async (name, input) => {
    try {
      return { ok: true, value: await run(String(name), input) };
    } catch (thrown) {
      const requestId = newRequestId();
      if (!(thrown instanceof SandlotError)) onUnexpected(thrown, String(name).slice(0, 100), requestId);
      const error = toErrorBody(thrown, requestId);
      return { ok: false, error: redactText === undefined ? error : maskError(error, redactText) };
    }
  };
};
