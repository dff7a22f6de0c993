// Saves environments as fast as it can and tells each one that is saved, until somebody kills it.
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { openRegistry } from '../../../sandbox-engine/registry/open-registry.ts';
import { exampleEnvironment } from './example-environment.ts';

const registry = await openRegistry({ folder: process.argv[2] ?? '', clock: systemClock });
for (let number = 1; ; number += 1) {
  const { id } = await registry.environments.insert(exampleEnvironment(number));
  process.stdout.write(`${id}\n`);
}
