// Runs every *.bench.ts of this folder, which exports `bench`, and writes the ratios to docs/performance.md.
// Names on the command line choose benches; then the document is left alone. Exits 1 where a bound does not hold.
import { readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { benchRuntimes } from './bench-runtimes.ts';
import { type Bench, holds, type Ratio } from './ratio.ts';

/** Processes that wanted a processor, for each processor, before the first bench: above 1 the machine was busy with other things. */
const busyBefore = (loadavg()[0] ?? 0) / cpus().length;
const chosen = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => chosen.length === 0 || chosen.some((name) => file.startsWith(`${name}.`)))
  .sort();

const verdictOf = (ratio: Ratio): string => {
  if (ratio.bound === null) return '';
  return holds(ratio) ? 'yes' : '**no**';
};

const toRow = (ratio: Ratio): string => {
  const { what, against, bound, ours, baseline } = ratio;
  return `| ${what} | ${against} | ${(ours / baseline).toFixed(2)} | ${bound === null ? '' : `${bound.kind} ${bound.ratio}`} | ${verdictOf(ratio)} |`;
};

const versions = async (): Promise<string> => {
  const runtimes = await Promise.all(
    benchRuntimes().map(async ({ kind, client }) => {
      const { Version, ApiVersion } = await client.version();
      return `${kind} ${Version} (API ${ApiVersion})`;
    }),
  );
  return [`Node ${process.versions.node}`, ...runtimes, `${cpus().length} processors`].join(', ');
};

const head = async (): Promise<string> => `# Performance

Ratios of medians, ours to the baseline, both measured in turns in one run of \`npm run bench\`; never bare times.
Written by that command on ${new Date().toISOString().slice(0, 10)}: ${await versions()}.
Other work on the machine before it: ${busyBefore.toFixed(1)} waiting processes a processor; above 1 the short pairs (keystroke, markers) suffer most.
Where the specification gives a limit instead of a rival, the limit is the baseline, and 0.10 means a tenth of what is allowed.
`;

const ratios: Ratio[] = [];
let failed = 0;
for (const file of files) {
  process.stderr.write(`bench: ${file}\n`);
  try {
    const { bench } = (await import(join(import.meta.dirname, file))) as { bench: Bench };
    ratios.push(...(await bench()));
  } catch (thrown) {
    failed += 1;
    process.stderr.write(`bench: ${file} failed: ${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
  }
}

const table = ['| what | against | ratio | bound | holds |', '| --- | --- | --- | --- | --- |', ...ratios.map(toRow)].join('\n');
console.log(table);

if (chosen.length === 0 && failed === 0 && ratios.length > 0) {
  writeFileSync(join(import.meta.dirname, '../../docs/performance.md'), `${await head()}\n${table}\n`);
}
process.exit(failed === 0 && ratios.length > 0 && ratios.every(holds) ? 0 : 1);
