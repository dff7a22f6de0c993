// Names a secret in environments, as their own page would: saved at once, and over nothing that somebody else has just saved.
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import type { Ask } from '../store/store.ts';
import { notifyFailure } from '../ui/notify.tsx';

/** Which environments get a secret, and how. */
export interface Gift {
  ids: readonly string[];
  form: 'variable' | 'file' | 'both';
}

/** Saves the environment with the name, unless it has it already. */
const nameIn = async (ask: Ask, environment: EnvironmentView, name: string, form: Gift['form']): Promise<Reply<EnvironmentView>> => {
  const { id, secrets, secret_files: files, revision } = environment;
  if (secrets.includes(name) || files.includes(name)) return { ok: true, value: environment };
  const named = {
    ...(form === 'file' ? {} : { secrets: [...secrets, name] }),
    ...(form === 'variable' ? {} : { secret_files: [...files, name] }),
  };
  return await ask('environments.update', { environment_id: id, patch: { ...named, revision } });
};

/** The returned function answers the environments whose sessions get it now; of those that it could not be given to it says why. */
export const useGiveSecret = () => {
  const ask = useAsk();
  const giveTo = async (name: string, id: string, form: Gift['form']): Promise<EnvironmentView | null> => {
    const found = await ask('environments.get', { environment_id: id });
    const saved = found.ok ? await nameIn(ask, found.value, name, form) : found;
    if (saved.ok) return saved.value;
    notifyFailure(`${name} is set, but not given to an environment`, saved.error);
    return null;
  };
  return async (name: string, { ids, form }: Gift): Promise<EnvironmentView[]> =>
    (await Promise.all(ids.map((id) => giveTo(name, id, form)))).filter((one) => one !== null);
};
