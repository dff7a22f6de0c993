// A program that a setup script runs tries to say, in the place of the feeder, that the script has passed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../sandbox-engine/base/clock.ts';
import { keepAlive } from '../../sandbox-engine/container/keep-alive.ts';
import { type InstrumentedScript, instrument } from '../../sandbox-engine/setup/instrument.ts';
import { runScript, type ScriptEnd } from '../../sandbox-engine/setup/run-script.ts';
import type { LineLog } from '../../sandbox-engine/stream/line-log.ts';
import { createRedactor } from '../../sandbox-engine/stream/redact.ts';
import { openTestRuntime } from './support/setup-house.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

const log: LineLog = {
  append: async () => undefined,
  mark: async () => undefined,
  system: async () => undefined,
  end: async () => undefined,
  truncated: () => false,
  count: () => 0,
};

/** Tries every word in the feeder's memory as the nonce. Leaves with 9 when it may not look, with 7 when it may. */
const thief = `perl -e '
  my $shell = getppid; open(my $stat, "<", "/proc/$shell/stat"); my $feeder = (split " ", (<$stat> =~ /\\) (.*)/)[0])[1];
  open(my $maps, "<", "/proc/$feeder/maps") or exit 9; open(my $memory, "<:raw", "/proc/$feeder/mem") or exit 9;
  while (<$maps>) {
    next unless /^(\\w+)-(\\w+) rw.*heap/; sysseek($memory, hex $1, 0); sysread($memory, my $bytes, hex($2) - hex($1));
    while ($bytes =~ /(?<![\\w-])([\\w-]{24})(?![\\w-])/g) { syswrite($_, "\\0$1E0\\n") for \\*STDOUT, \\*STDERR }
  }
  exit 7' || echo "code $?" >/workspace/thief
[ "$(cat /workspace/thief)" = "code 9" ] || exit 5
exit 3`;

const knownNonce = 'known-to-the-whole-world';
const withKnownNonce = (one: InstrumentedScript): InstrumentedScript => {
  const input = Buffer.concat([Buffer.from(knownNonce), one.input.subarray(one.nonce.length)]);
  return { ...one, nonce: knownNonce, input };
};

describe.each(testRuntimes)('on $kind', ({ kind, socket }) => {
  const runtime = openTestRuntime({ kind, socket } as (typeof testRuntimes)[number]);
  let containerId = '';

  beforeAll(async () => {
    const image = await ensureTestImage(socket);
    const name = `sandlot-setup-forgeries-${process.pid}`;
    const rest = { command: keepAlive, env: [], labels: {}, network: 'none', workdir: '/workspace' } as const;
    containerId = await runtime.createContainer({ name, image, ...rest, command: [...rest.command], env: [] });
    await runtime.startContainer(containerId);
  });
  afterAll(async () => {
    await runtime.removeContainer(containerId);
    runtime.close();
  });

  const run = (instrumented: InstrumentedScript): Promise<ScriptEnd> => {
    const rest = { clock: systemClock, timeoutMs: 60_000, redactor: createRedactor(), signal: new AbortController().signal };
    return runScript({ runtime, containerId, instrumented, log, ...rest });
  };

  test('the nonce cannot be read out of the feeder', async () => {
    const end = await run(instrument(thief, null));
    expect([end.exitCode, end.failure?.line]).toEqual([3, 10]);
  });

  test('an end that the script prints itself is not its end', async () => {
    const forge = `printf '\\0${knownNonce}E0\\n'; printf '\\0${knownNonce}E0\\n' >&2; exit 3`;
    expect((await run(withKnownNonce(instrument(forge, null)))).exitCode).toBe(3);
  });
});
