import { expect, test } from 'vitest';
import { createBuildQueue } from '../../../sandbox-engine/image/build-queue.ts';

const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

test('builds of one runtime run one after the other, those of two runtimes side by side', async () => {
  const queue = createBuildQueue();
  const order: string[] = [];
  const first = gate();
  const other = gate();
  queue.add('docker', 'a', async () => {
    order.push('a begins');
    await first.opened;
    order.push('a ends');
  });
  const b = gate();
  queue.add('docker', 'b', async () => {
    order.push('b begins');
    b.open();
  });
  queue.add('podman', 'c', async () => {
    order.push('c begins');
    other.open();
  });
  await other.opened;
  first.open();
  await b.opened;
  expect(order).toEqual(['a begins', 'c begins', 'a ends', 'b begins']);
});

test('a waiting build is cancelled without waiting for its turn, and the order of the others holds', async () => {
  const queue = createBuildQueue();
  const order: string[] = [];
  const first = gate();
  const cancelled = gate();
  const last = gate();
  queue.add('docker', 'a', async () => {
    await first.opened;
    order.push('a');
  });
  queue.add('docker', 'b', async (signal) => {
    order.push(`b aborted=${signal.aborted}`);
    cancelled.open();
  });
  queue.add('docker', 'c', async () => {
    order.push('c');
    last.open();
  });
  expect(queue.cancel('b')).toBe(true);
  await cancelled.opened;
  first.open();
  await last.opened;
  expect(order).toEqual(['b aborted=true', 'a', 'c']);
  expect(queue.cancel('a')).toBe(false);
});
