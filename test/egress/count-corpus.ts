// Reads the results of the tests and says on stderr which ids of the network corpus were passed; one that no test passed, or that one failed, is a
// failure. For scripts/test-egress.sh.
import { readTestLines } from '../../scripts/read-test-lines.ts';
import { corpusIds, idsIn } from './corpus-ids.ts';

const results = process.argv.slice(2).flatMap((file) => {
  try {
    return readTestLines(file).filter((line) => line.kind === 'test');
  } catch {
    return []; // A file that is missing is counted as a failure elsewhere; its ids are missing here.
  }
});
const withStatus = (wanted: string): Set<string> =>
  new Set(results.filter(({ status }) => status === wanted).flatMap(({ name }) => idsIn(name)));
const [passed, failed] = [withStatus('passed'), withStatus('failed')];
const open = corpusIds.filter((id) => !passed.has(id) || failed.has(id));

process.stderr.write(`${corpusIds.length - open.length} of ${corpusIds.length} ids of the corpus passed\n`);
if (open.length > 0) process.stderr.write(`not passed: ${open.join(' ')}\n`);
process.exit(open.length === 0 ? 0 : 1);
