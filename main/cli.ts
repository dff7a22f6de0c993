// The command line. A reader that went away (`| head`) ends it quietly.
import { runProgram } from './cli/program.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}
process.on('SIGINT', () => {
  // A command that can stop its own work listens too, and ends with 130 when that is done.
  if (process.listenerCount('SIGINT') === 1) process.exit(130);
});
await runProgram(process.argv.slice(2));
