// A host in a process of its own, to be killed: launches a session with a counting terminal, says so on its output, and stays.
// Arguments: runtime kind, socket, data folder, home, image.
import { anEnvironment, aPlan, openSessionHouse } from './session-house.ts';

const [kind, socket = '', folder = '', home = '', image = ''] = process.argv.slice(2);

const begin = async (): Promise<void> => {
  const house = await openSessionHouse({ kind: kind === 'podman' ? 'podman' : 'docker', socket, folder, home });
  const session_start = [{ name: 'slow', run: 'until [ -e /workspace/go ]; do sleep 0.1; done; exit 4' }];
  const environment = anEnvironment({ session_start, network_policy: { version: 'v1', rules: [] } });
  const { id } = await house.sessions.launch(aPlan(environment, image));
  const terminal = await house.sessions.openTerminal(id, { cols: 120, rows: 40 });
  await house.sessions.resizeTerminal(terminal.id, 100, 30);
  const script = async () => (await house.sessions.get(id)).start_script;
  while ((await script()).status !== 'running') await house.streams.waitForGrowth(terminal.stream_id, Number.MAX_SAFE_INTEGER, 50);
  // Before the counting, which takes half a second: what the script says is on the disk then.
  await house.until((await script()).stream_id ?? '', /== slow/);
  // One process: bash takes a Ctrl+C that comes while a child of its loop ends as the child's own, and counts on.
  const count = `perl -e '$| = 1; for (my $i = 0; ; $i++) { print "n-$i\\n"; select undef, undef, undef, 0.1 }'`;
  await house.sessions.writeTerminal(terminal.id, Buffer.from(`${count}\n`));
  await house.until(terminal.stream_id, /\nn-5\r/);
  process.stdout.write(`${JSON.stringify({ session: id, terminal: terminal.id, stream: terminal.stream_id })}\n`);
};

begin().catch((thrown: unknown) => {
  process.stderr.write(`${String(thrown)}\n`);
  process.exit(1);
});
