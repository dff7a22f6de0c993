// What tests of sessions with network rules ask of a real host: an environment, a running session, a command inside, a request.
import type { NetworkRule, Session } from '../../../sandbox-engine/contract/model.ts';
import { type RealHost, until } from './real-host.ts';

/** An HTTP request as a program without proxy variables makes it; prints the lines of the answer that match. */
export const askFor = (name: string, shown: string): string =>
  `exec 2>&1; env -u http_proxy -u HTTP_PROXY timeout 5 bash -c 'exec 3<>/dev/tcp/${name}/80; printf "GET / HTTP/1.1\\r\\nHost: ${name}\\r\\nConnection: close\\r\\n\\r\\n" >&3; head -n 20 <&3 | tr -d "\\r" | grep -iE "${shown}"' || echo "nothing: $?"`;

/** An environment on the default base with these rules. */
export const createRuled = (host: RealHost, runtime: string, rules: NetworkRule[], body: { name: string } & Record<string, unknown>) =>
  host.call('environments.create', {
    body: { recipe_yaml: 'base: debian\n', runtime, network_policy: { version: 'v1', rules }, ...body },
  });

/** A session of it that is no longer starting. */
export const launchRuled = async (host: RealHost, environmentId: string): Promise<Session> => {
  const { id } = await host.call('sessions.launch', { environment_id: environmentId });
  return await until(
    () => host.call('sessions.get', { session_id: id }),
    ({ status }) => status !== 'starting',
    300_000,
  );
};

/** What a command printed in a session. */
export const runInside = async (host: RealHost, sessionId: string, script: string): Promise<string> => {
  const { id } = await host.call('execs.start', { session_id: sessionId, command: ['bash', '-c', script] });
  const ended = await until(
    () => host.call('execs.get', { exec_id: id, wait_seconds: 5 }),
    ({ status }) => status !== 'running',
  );
  return (await host.text(ended.stdout_stream_id)).trim();
};
