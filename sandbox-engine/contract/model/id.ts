// Ids: a prefix that says what it names, and a ULID in lower case.
import { z } from 'zod';

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`));
export const environmentId = id('env');
export const buildId = id('bld');
export const pinId = id('pin');
export const sessionId = id('ses');
export const terminalId = id('trm');
export const execId = id('exe');
export const setupRunId = id('run');
export const streamId = id('str');
export const grantId = id('grt');
export const screenId = id('scr');
export const agentId = id('agt');
export const templateId = id('tpl');
