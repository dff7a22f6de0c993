// What is started from a menu is said to be under way, and no longer when it is over.
import { Notifications, notificationsStore } from '@mantine/notifications';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { useBusy } from '../../../renderer/src/ui/use-busy.ts';
import { button, draw } from './drawn.tsx';

const said = () => notificationsStore.getState().notifications.map(({ message, loading }) => [message, loading]);

type Answer = { ok: true; value: string };

const Item = ({ label, call, onGot }: { label: string; call: Promise<Answer>; onGot: (value: string | null) => void }) => {
  const { run } = useBusy('It did not start', 'The build is being started…');
  return (
    <button type="button" onClick={() => void run(call).then(onGot)}>
      {label}
    </button>
  );
};

test('a call that takes longer than a moment says so until its answer is here; one that is quick does not', async () => {
  let answer: (value: Answer) => void = () => undefined;
  const quick = Promise.resolve<Answer>({ ok: true, value: 'quick' });
  const slow = new Promise<Answer>((resolve) => {
    answer = resolve;
  });
  const got: (string | null)[] = [];
  draw(
    <>
      <Notifications />
      <Item label="quick" call={quick} onGot={(value) => got.push(value)} />
      <Item label="slow" call={slow} onGot={(value) => got.push(value)} />
    </>,
  );
  await act(async () => button('quick').click());
  expect([got, said()]).toEqual([['quick'], []]);
  await act(async () => button('slow').click());
  await act(async () => await vi.waitFor(() => expect(said()).toEqual([['The build is being started…', true]])));
  await act(async () => answer({ ok: true, value: 'slow' }));
  expect([got, said()]).toEqual([['quick', 'slow'], []]);
});
