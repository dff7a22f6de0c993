// Opens the secrets of a data folder before anything is read from a sandbox, so that every value is known to the mask.
import { systemClock } from '../base/clock.ts';
import type { Registry } from '../registry/registry.ts';
import { createVault } from '../secrets/vault.ts';
import type { KeyProtector } from '../secrets/vault-key.ts';
import { createRedactor } from '../stream/redact.ts';
import { isRegistryWhole } from './recover.ts';
import { createSecretKeeper, type SecretKeeper } from './secret-keeper.ts';

interface SecretPlace {
  dataFolder: string;
  keyProtector?: KeyProtector;
}

/** Opens them. One file that cannot be read is said by whatever needs it, and by the doctor; what needs none goes on. */
export const openSecrets = async ({ dataFolder, keyProtector }: SecretPlace, registry: Registry): Promise<SecretKeeper> => {
  const vault = createVault({ folder: dataFolder, clock: systemClock, ...(keyProtector === undefined ? {} : { protector: keyProtector }) });
  const knowsAllSessions = () => isRegistryWhole({ registry, dataFolder });
  const secrets = createSecretKeeper({ vault, registry, clock: systemClock, redactor: createRedactor(), knowsAllSessions });
  await secrets.changed().catch(() => undefined);
  return secrets;
};
