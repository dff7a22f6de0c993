// Runs every *.bench.ts of this folder, which exports `bench`, and writes the ratios to docs/performance.md.
// Names on the command line choose benches; then the document is left alone. Exits 1 where a bound does not hold.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, holds, type Ratio } from './ratio.ts';

const chosen = process.argv.slice(2);
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => chosen.length === 0 || chosen.some((name) => file.startsWith(`${name}.`)))
  .sort();

const toRow = (ratio: Ratio): string => {
  const { what, against, bound, ours, baseline } = ratio;
  return `| ${what} | ${against} | ${(ours / baseline).toFixed(2)} | ${bound.kind} ${bound.ratio} | ${holds(ratio) ? 'yes' : '**no**'} |`;
};

const ratios: Ratio[] = [];
for (const file of files) {
  process.stderr.write(`bench: ${file}\n`);
  const { bench } = (await import(join(import.meta.dirname, file))) as { bench: Bench };
  ratios.push(...(await bench()));
}

const table = ['| what | against | ratio | bound | holds |', '| --- | --- | --- | --- | --- |', ...ratios.map(toRow)].join('\n');
console.log(table);

if (chosen.length === 0 && ratios.length > 0) {
  const head =
    '# Performance\n\nRatios of medians, ours to the baseline, both measured in turns in one run of `npm run bench`; never bare times.\n';
  writeFileSync(join(import.meta.dirname, '../../docs/performance.md'), `${head}\n${table}\n`);
}
process.exit(ratios.length > 0 && ratios.every(holds) ? 0 : 1);
