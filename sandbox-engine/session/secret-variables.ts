// The secrets of a session as variables for what is started in it: asked for anew each time, so that a new value needs no new session.
// They go with the process and into nothing else: not the container's configuration, not an image, not a command line.
import type { Session } from '../contract/model.ts';
import { fileVariables } from './secret-files.ts';
import type { SessionDeps } from './session-parts.ts';

export interface SecretVariables {
  /** `NAME=value`, and `NAME_FILE=path` of those that are files. */
  env: string[];
  /** A sentence when the session was promised secrets that are not set any more; else null. */
  note: string | null;
}

const none: SecretVariables = { env: [], note: null };

/** What a process of this session is given; asks nobody when that is nothing. @throws secrets_damaged @throws secrets_locked */
export const secretVariables = async ({ secrets }: SessionDeps, session: Session): Promise<SecretVariables> => {
  if (session.secrets.length + session.secret_files.length === 0) return none;
  const { env: given, missing } = await secrets.variablesOf(session);
  const paths = fileVariables(session.secret_files.filter((name) => !missing.includes(name) && !session.secrets.includes(`${name}_FILE`)));
  const env = [...paths, ...given];
  if (missing.length === 0) return { env, note: null };
  const [them, are, it] = missing.length === 1 ? ['The secret', 'is', 'it'] : ['The secrets', 'are', 'each'];
  const again = `Set ${it} again: sandlot secret set ${missing.length === 1 ? missing[0] : 'NAME'}`;
  return { env, note: `${them} ${missing.join(', ')} ${are} not set any more and not in here. ${again}` };
};

/** The session with its words masked, as it is kept and told. The same object when there is nothing to mask. */
export const maskSession = (session: Session, redactText: (text: string) => string): Session => {
  const message = session.message === null ? null : redactText(session.message);
  const hasWords = session.steps.some((step) => step.message !== undefined);
  if (message === session.message && !hasWords) return session;
  const steps = session.steps.map((step) => (step.message === undefined ? step : { ...step, message: redactText(step.message) }));
  return { ...session, message, steps };
};
