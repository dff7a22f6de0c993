// The doctor as a whole: what keeps Sandlot from working on this machine, and whether the secrets can be read.
import { SandlotError } from '../base/errors.ts';
import { runDoctor } from '../container/doctor.ts';
import type { DoctorReport } from '../contract/model.ts';
import type { House } from './house.ts';

const keptBy = {
  key_file: 'their key is in a file that only you can read',
  keychain: 'their key is in the keychain of this system',
} as const;

/** One check, or none where no secret was ever set. */
const checkSecrets = async ({ secrets: { vault } }: Pick<House, 'secrets'>): Promise<DoctorReport['checks']> => {
  const name = 'secrets';
  try {
    const [{ secrets }, protection] = [await vault.read(), await vault.protection()];
    if (protection === null) return [];
    return [{ name, status: 'ok', message: `${secrets.length} kept encrypted; ${keptBy[protection]}.`, fix: null }];
  } catch (thrown) {
    if (!(thrown instanceof SandlotError)) throw thrown;
    return [{ name, status: 'failed', message: thrown.message, fix: thrown.code === 'secrets_damaged' ? 'sandlot secret reset' : null }];
  }
};

/** Looks at everything. `ok` means that a session could be started here. */
export const examine = async (house: Pick<House, 'runtimes' | 'dataFolder' | 'env' | 'secrets'>): Promise<DoctorReport> => {
  const report = await runDoctor(house);
  const checks = [...report.checks, ...(await checkSecrets(house))];
  return { ...report, checks, ok: checks.every(({ status }) => status !== 'failed') };
};
