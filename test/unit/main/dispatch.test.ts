import { describe, expect, test } from 'vitest';
import { createDispatch, maxInputCharacters } from '../../../main/host/dispatch.ts';
import { SandlotError } from '../../../sandbox-engine/index.ts';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';

const unexpected: unknown[] = [];
const dispatch = createDispatch({
  handlers: {
    'templates.list': async () => ({ items: [] }),
    'setup.check': async ({ script }) => ({ script, size: script.length, warnings: [] }),
    'bases.list': async () => ({ bases: 7 }) as never,
    'runtimes.list': async () => {
      throw new TypeError('x is not a function');
    },
    'app.doctor': async () => {
      throw new SandlotError('runtime_unavailable', 'No runtime.', { nextAction: 'Start one.' });
    },
    'environments.create': async () => {
      throw new SandlotError('already_exists', 'reached the handler');
    },
  },
  newRequestId: () => 'req_1',
  checkOutputs: true,
  onUnexpected: (thrown) => unexpected.push(thrown),
});

const errorOf = async (name: unknown, input: unknown) => {
  const reply = await dispatch(name as string, input);
  if (reply.ok) throw new Error('expected a refusal');
  return reply.error;
};

/** A change with the access that was seen; what it writes itself is left to the policy check. */
const seen = (network_policy: unknown) => ({
  environment_id: `env_${'0'.repeat(26)}`,
  patch: { network_policy: null, expected_access: { network_policy, privileged: false } },
});

const problemOf = async (name: string, input: unknown) => (await errorOf(name, input)).details['problems'];

describe('dispatch', () => {
  test('answers what the handler answers', async () => {
    expect(await dispatch('setup.check', { script: 'true' })).toEqual({ ok: true, value: { script: 'true', size: 4, warnings: [] } });
  });

  test.each([
    ['template.list', 'templates.list'],
    ['environments.creat', 'environments.create'],
    ['something.quite.else.that.is.long', null],
    ['__proto__', null],
    ['constructor', null],
    ['', null],
  ])('refuses the unknown call "%s" and names %s', async (name, nearest) => {
    const error = await errorOf(name, {});
    expect([error.code, error.details['nearest'], error.request_id]).toEqual(['unknown_call', nearest, 'req_1']);
  });

  test.each([[42], [null], [undefined], [{}], [['templates.list', 'x']]])('a call name that is no text is unknown: %j', async (name) => {
    expect((await errorOf(name, {})).code).toBe('unknown_call');
  });

  test.each<[string, unknown, { path: string; message: string }[]]>([
    ['setup.check', undefined, [{ path: '', message: 'is missing; give an object' }]],
    ['setup.check', null, [{ path: '', message: 'must be an object, not null' }]],
    ['setup.check', [], [{ path: '', message: 'must be an object, not a list' }]],
    ['setup.check', {}, [{ path: '/script', message: 'is missing; give a text' }]],
    ['setup.check', { script: 7 }, [{ path: '/script', message: 'must be a text, not number 7' }]],
    ['setup.check', { script: '', skript: 1 }, [{ path: '/skript', message: 'is not known here; did you mean "script"?' }]],
    ['templates.list', { a: 1 }, [{ path: '/a', message: 'is not known here; nothing may be given' }]],
    ['environments.create', { body: { name: '' } }, [{ path: '/body/name', message: 'must be at least 1 character(s) long' }]],
    [
      'environments.create',
      { body: { name: 'a', 'net/work_policy': {} } },
      [{ path: '/body/net~1work_policy', message: 'is not known here; did you mean "network_policy"?' }],
    ],
    [
      'environments.create',
      { body: { name: 'a', recipe: { packages: { atp: [] } } } },
      [{ path: '/body/recipe/packages/atp', message: 'is not known here; did you mean "apt"?' }],
    ],
    [
      'environments.update',
      seen({ version: 'v1', ruls: [] }),
      [{ path: '/patch/expected_access/network_policy/ruls', message: 'is not known here; did you mean "rules"?' }],
    ],
    [
      'environments.create',
      { body: { name: 'a', session_start: [{ name: 'x', run: ['y'] }] } },
      [{ path: '/body/session_start/0/run', message: 'must be a text, not a list' }],
    ],
    [
      'environments.get',
      { environment_id: 'env_1' },
      [{ path: '/environment_id', message: 'must look like /^env_[0-9a-z]{26}$/, not the text "env_1"' }],
    ],
    [
      'environments.create',
      { body: { name: 'a', resources: { size: 'small', cpus: 0 } } },
      [{ path: '/body/resources/cpus', message: 'must be more than 0' }],
    ],
    ['environments.list', { limit: 101 }, [{ path: '/limit', message: 'must be at most 100' }]],
    ['environments.list', { limit: 1.5 }, [{ path: '/limit', message: 'must be a whole number, not number 1.5' }]],
    ...(
      [
        [null, ', not null'],
        [[], ', not a list'],
        ['', ', not the text ""'],
        [{ rules: [] }, '; here version must be one of v1, not nothing'],
        [{ version: 'v1' }, '; here rules is missing; give a list'],
        [{ version: 'v1', rules: [1] }, '; here rules/0 must be an object, not number 1'],
        [{ version: 'v2', rules: [] }, '; here version must be one of v1, not the text "v2"'],
      ] as const
    ).map(([network_policy, end]): [string, unknown, { path: string; message: string }[]] => [
      'environments.update',
      seen(network_policy),
      [
        {
          path: '/patch/expected_access/network_policy',
          message: `must be {} (unrestricted) or {"version": "v1", "rules": []} (no network)${end}`,
        },
      ],
    ]),
    ...(
      [
        ['small', ', not the text "small"'],
        [null, ', not null'],
        [{ cpus: 2 }, '; here size must be one of small, medium, large, not nothing'],
        [{ size: 'huge' }, '; here size must be one of small, medium, large, not the text "huge"'],
      ] as const
    ).map(([resources, end]): [string, unknown, { path: string; message: string }[]] => [
      'environments.create',
      { body: { name: 'a', resources } },
      [{ path: '/body/resources', message: `must be {"size": "small"} (or medium, large), or {"cpus": 2, "memory_gib": 4}${end}` }],
    ]),
  ])('%s %j names place and remedy', async (name, input, problems) => {
    expect(await problemOf(name, input)).toEqual(problems);
  });

  test('an input of ten million characters is too large and never reaches the handler', async () => {
    expect((await errorOf('environments.create', { body: { name: 'a', runbook: 'x'.repeat(10_000_000) } })).code).toBe('too_large');
  });

  test('an input just below the bound reaches the handler', async () => {
    const script = 'x'.repeat(maxInputCharacters - 100);
    expect((await dispatch('setup.check', { script })).ok).toBe(true);
  });

  test('what a handler refuses keeps its code and next action', async () => {
    expect(await errorOf('app.doctor', {})).toEqual({
      code: 'runtime_unavailable',
      message: 'No runtime.',
      details: {},
      next_action: 'Start one.',
      request_id: 'req_1',
    });
  });

  test.each([['runtimes.list'], ['bases.list'], ['sessions.list']])('%s breaks, becomes internal and is told', async (name) => {
    unexpected.length = 0;
    expect((await errorOf(name, {})).code).toBe('internal');
    expect(unexpected).toHaveLength(1);
  });
});

test('a refusal that repeats a secret says it masked, in its message, its details and what to do next', async () => {
  const secret = 'tok_4f9a2c7d1e';
  const masking = createDispatch({
    handlers: {
      'bases.list': async () => {
        throw new SandlotError('runtime_error', `could not clone https://user:${secret}@host`, {
          details: { tried: [{ url: secret }, 3, null] },
          nextAction: `git clone ${secret}`,
        });
      },
    },
    newRequestId: () => 'req_1',
    checkOutputs: true,
    onUnexpected: () => undefined,
    redactText: createRedactor([{ name: 'TOKEN', value: secret }]).redactText,
  });
  expect(await masking('bases.list', {})).toEqual({
    ok: false,
    error: {
      code: 'runtime_error',
      message: 'could not clone https://user:***@host',
      details: { tried: [{ url: '***' }, 3, null] },
      next_action: 'git clone ***',
      request_id: 'req_1',
    },
  });
});
