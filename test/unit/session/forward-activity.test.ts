// What passes over a forward is activity in the session: a connection that stays, such as a web socket, keeps it from being stopped as idle.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ContainerRuntime, ExecHandle } from '../../../sandbox-engine/container/container-runtime.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { forwardFrame } from '../../../sandbox-engine/session/forward-frames.ts';
import { createForwards } from '../../../sandbox-engine/session/forwards.ts';

type Take = Parameters<ExecHandle['each']>[0];

/** A forward of a session that runs, with one connection that is open. */
const openConnection = async () => {
  const typed: Uint8Array[] = [];
  let say: Take = () => undefined;
  const handle = {
    each: (take: Take) => {
      say = take;
      return new Promise<void>(() => undefined);
    },
    type: async (bytes: Uint8Array) => void typed.push(bytes),
    close: () => undefined,
  } as unknown as ExecHandle;
  const session = { id: 'ses_1', status: 'running', container_id: 'c', runtime: 'docker', forwards: [] } as unknown as Session;
  const touched: string[] = [];
  const forwards = createForwards({
    runtimeOf: () => ({ exec: async () => handle }) as unknown as ContainerRuntime,
    sessionOf: async () => session,
    keep: async () => undefined,
    touch: (id) => void touched.push(id),
    changed: () => undefined,
  });
  onTestFinished(() => forwards.close());
  const { local_port } = await forwards.ask(session, 80);
  const far = connect(local_port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void far.destroy());
  await once(far, 'connect');
  // The first frame opens the channel inside.
  await expect.poll(() => typed.length).toBe(1);
  touched.length = 0;
  return { far, touched, typed, say: (frame: Buffer) => say(frame) };
};

test('bytes of this machine that go in are activity', async () => {
  const { far, touched, typed } = await openConnection();
  far.write('x');
  await expect.poll(() => typed.length).toBe(2);
  expect(touched).toEqual(['ses_1']);
});

test('bytes that come out are activity, and what only keeps the pace is none', async () => {
  const { far, touched, say } = await openConnection();
  void say(forwardFrame('credit', 1, Buffer.from([0, 0, 0, 1])));
  expect(touched).toEqual([]);
  const heard = once(far, 'data');
  void say(forwardFrame('bytes', 1, Buffer.from('y')));
  await heard;
  expect(touched).toEqual(['ses_1']);
});
