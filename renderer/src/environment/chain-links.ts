// How far an environment has come from its recipe to a session: one link a stage, each with its state in a word. Pure.
import type { Build, EnvironmentView, Session } from '../../../sandbox-engine/contract/model.ts';
import { counted, formatBytes } from '../ui/format.ts';
import type { Tone } from '../ui/Status.tsx';
import { verdictWord } from '../ui/Verdict.tsx';

export interface ChainLink {
  name: string;
  tone: Tone;
  word: string;
  detail: string;
  /** The tab that it is about. */
  tab: string;
  /** Nothing has happened there yet. */
  isHollow: boolean;
}

const recipeLink = ({ recipe }: EnvironmentView): ChainLink => {
  const packages = Object.values(recipe.packages).flat().length;
  const parts = [packages > 0 && counted(packages, 'package'), recipe.initialize.length > 0 && counted(recipe.initialize.length, 'step')];
  const detail = parts.filter(Boolean).join(', ');
  return { name: 'Recipe', tone: 'ok', word: recipe.base, detail, tab: 'recipe', isHollow: false };
};

const buildWords: Record<Build['status'], [Tone, string]> = {
  queued: ['run', 'Waiting'],
  running: ['run', 'Building'],
  succeeded: ['ok', 'Succeeded'],
  failed: ['bad', 'Failed'],
  cancelled: ['plain', 'Cancelled'],
};

const buildLink = (newest: Build | undefined): ChainLink => {
  const here = { name: 'Build', tab: 'builds' };
  if (newest === undefined) return { ...here, tone: 'plain', word: 'Not built', detail: '', isHollow: true };
  const [tone, word] = buildWords[newest.status];
  const running = newest.steps.find(({ status }) => status === 'running');
  return { ...here, tone, word, detail: newest.failed_step ?? running?.name ?? '', isHollow: newest.status === 'cancelled' };
};

const imageLink = ({ image }: EnvironmentView, pinned: Build | undefined): ChainLink => {
  const here = { name: 'Image', tab: 'builds' };
  if (image.state === 'missing') return { ...here, tone: 'bad', word: 'Missing', detail: 'build again', isHollow: false };
  if (image.image_id === null) return { ...here, tone: 'plain', word: 'Default base', detail: '', isHollow: true };
  const size = pinned?.image_size ?? null;
  return { ...here, tone: 'ok', word: size === null ? 'Built' : formatBytes(size), detail: '', isHollow: false };
};

const pinWords: Record<EnvironmentView['image']['state'], [Tone, string, string]> = {
  active: ['ok', 'Pinned', ''],
  stale: ['warn', 'Stale', 'the recipe is newer'],
  missing: ['bad', 'Broken', 'its image is gone'],
  none: ['plain', 'None', ''],
};

const pinLink = ({ image }: EnvironmentView): ChainLink => {
  const [tone, word, detail] = pinWords[image.state];
  return { name: 'Pin', tone, word, detail, tab: 'builds', isHollow: image.state === 'none' };
};

const setupTones: Partial<Record<EnvironmentView['setup_verification']['label'], Tone>> = {
  Ready: 'ok',
  Verified: 'ok',
  'Re-testing': 'run',
  Running: 'run',
  Stale: 'warn',
  Never: 'plain',
};

const setupLink = ({ setup, setup_verification: { label, last_run: last, blocked } }: EnvironmentView): ChainLink => {
  const here = { name: 'Setup', tab: 'setup' };
  if (setup === null) return { ...here, tone: 'plain', word: 'No script', detail: '', isHollow: true };
  const kept = blocked ? `${blocked.destinations} blocked` : '';
  const line = label === 'Failed' && last?.failed_line ? `line ${last.failed_line}` : kept;
  return { ...here, tone: setupTones[label] ?? 'bad', word: verdictWord(label), detail: line, isHollow: label === 'Never' };
};

const sessionsLink = (sessions: readonly Session[]): ChainLink => {
  const running = sessions.filter(({ status }) => status === 'running' || status === 'starting').length;
  const word = running === 0 ? 'None running' : `${running} running`;
  return { name: 'Sessions', tone: running === 0 ? 'plain' : 'ok', word, detail: '', tab: 'sessions', isHollow: running === 0 };
};

/** The links in their order; `builds` newest first, `pinned` the build whose image is pinned. */
export const chainOf = (
  environment: EnvironmentView,
  { builds, pinned, sessions }: { builds: readonly Build[]; pinned: Build | undefined; sessions: readonly Session[] },
): ChainLink[] => [
  recipeLink(environment),
  buildLink(builds[0]),
  imageLink(environment, pinned),
  pinLink(environment),
  setupLink(environment),
  sessionsLink(sessions),
];
