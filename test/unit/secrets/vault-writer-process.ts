// Sets one secret again and again until it is killed; says each number once it is safe.
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { createVault } from '../../../sandbox-engine/secrets/vault.ts';

const vault = createVault({ folder: process.argv[2] ?? '', clock: systemClock });
const before = (await vault.read()).secrets.find(({ name }) => name === 'COUNT');
for (let count = Number(before?.value.replace('value ', '') ?? 0) + 1; ; count += 1) {
  await vault.set('COUNT', `value ${count}`);
  process.stdout.write(`${count}\n`);
}
