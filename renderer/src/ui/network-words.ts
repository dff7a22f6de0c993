// What each network of a session is called, and what that means: the same words as on the Network tab of an environment.
import type { Session } from '../../../sandbox-engine/contract/model.ts';

const words = {
  observed: {
    word: 'Observed: everything public',
    meaning: 'Everything public passes and is written down, until somebody ends the observation.',
  },
  unrestricted: {
    word: 'Unrestricted',
    meaning: 'Everything that the ordinary network of the runtime reaches; nothing of it is written down.',
  },
  rules: {
    word: 'By rules',
    meaning: 'Only what the rules of its environment allow. Whatever it tries is on its Network tab.',
  },
  closed: {
    word: 'No access',
    meaning: 'No rule allows anything. Whatever it tries is on its Network tab, where it can be allowed.',
  },
  none: { word: 'No access', meaning: 'Nothing: the sandbox has no network at all, and what it tries is not seen.' },
} as const;

/** The network of a session in a word, and in a sentence. Pure. */
export const networkOf = ({
  network,
  observed,
  config,
}: Pick<Session, 'network' | 'observed' | 'config'>): { word: string; meaning: string } => {
  if (observed) return words.observed;
  if (network !== 'gate') return words[network];
  return config?.['network rules'] === 'closed' ? words.closed : words.rules;
};
