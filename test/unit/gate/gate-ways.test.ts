// Over which way new gates reach the host: what is known of the runtime decides, what it turned out to be is remembered, a person wins.
// Source: NETWORK.md 3.3.
import { expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import type { ContainerDetails, ContainerRuntime, RuntimeInfo } from '../../../sandbox-engine/container/container-runtime.ts';
import type { Carriers } from '../../../sandbox-engine/gate/carriers.ts';
import { createGateWays, volumeFor, wayOfGate } from '../../../sandbox-engine/gate/gate-ways.ts';

const carriers: Carriers = { raise: async () => undefined, remove: async () => undefined, close: async () => undefined };

// The edge to a runtime: one that says under which kernel it is.
const runtimeOf = (id: string) => ({ info: async () => ({ isElsewhere: id === 'desktop' }) as RuntimeInfo }) as ContainerRuntime;

const failed = (name: string) => new SandlotError('gate_failed', 'no', { details: { checks: [{ name, passed: false, message: '' }] } });

test('a runtime under another kernel is reached over TCP, one of this machine by its sockets', async () => {
  const ways = createGateWays({ runtimeOf, carriers });
  expect([await ways.of('docker'), await ways.of('desktop')]).toEqual(['socket', 'tcp']);
});

test('a runtime whose gate could not see the sockets is reached over TCP from then on; no other trouble changes the way', async () => {
  const ways = createGateWays({ runtimeOf, carriers });
  for (const thrown of [failed('dns'), failed('route'), new SandlotError('gate_failed', 'it is gone'), new Error('socket')]) {
    ways.note('docker', thrown);
  }
  const before = await ways.of('docker');
  ways.note('docker', failed('socket'));
  expect([before, await ways.of('docker'), await ways.of('podman')]).toEqual(['socket', 'tcp', 'socket']);
});

test('what a person says counts for all', async () => {
  const ways = createGateWays({ runtimeOf, carriers, forced: 'socket' });
  ways.note('docker', failed('socket'));
  expect([await ways.of('docker'), await ways.of('desktop')]).toEqual(['socket', 'socket']);
});

test('the way of a gate that stands is read from what is mounted into it', () => {
  const gate = (type: string, target: string) => ({ mounts: [{ type, name: '', source: '', target }] }) as unknown as ContainerDetails;
  expect([wayOfGate(gate('volume', '/run/sandlot')), wayOfGate(gate('bind', '/run/sandlot')), wayOfGate(gate('volume', '/data'))]).toEqual([
    ...['tcp', 'socket', 'socket'],
  ]);
  expect([volumeFor('socket', 'ses_1'), volumeFor('tcp', 'ses_1')]).toEqual([{}, { socketVolume: 'sandlot-sockets-ses_1' }]);
});
