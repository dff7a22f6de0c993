// What happens to running sessions when the app is quit: asked once, remembered if the person says so.
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import type { QuitChoice, Session } from '../../sandbox-engine/contract/model.ts';
import { counted } from '../../sandbox-engine/index.ts';
import type { Host } from '../host/host.ts';

/** What is used of Electron's dialog. */
export interface QuestionDialog {
  showMessageBox: (options: {
    type: 'question';
    message: string;
    detail: string;
    buttons: string[];
    defaultId: number;
    cancelId: number;
    checkboxLabel: string;
    checkboxChecked: boolean;
  }) => Promise<{ response: number; checkboxChecked: boolean }>;
}

/** `stay`: the person thought better of it. */
export type QuitAnswer = 'keep' | 'stop' | 'stay';

const answers: readonly QuitAnswer[] = ['keep', 'stop', 'stay'];

const ask = async (dialog: QuestionDialog, running: readonly Session[]): Promise<{ answer: QuitAnswer; isRemembered: boolean }> => {
  const [first] = running;
  const { response, checkboxChecked } = await dialog.showMessageBox({
    type: 'question',
    message: running.length === 1 ? `“${first?.name}” is running` : counted(running.length, 'session is running', 'sessions are running'),
    detail:
      'Kept running, they go on without the app, and are here when it starts again; what is behind network rules has no network until then. Stopped, their workspaces stay.',
    buttons: ['Keep running', running.length === 1 ? 'Stop it' : 'Stop all', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    checkboxLabel: 'Do not ask again',
    checkboxChecked: false,
  });
  const answer = answers[response] ?? 'stay';
  return { answer, isRemembered: checkboxChecked && answer !== 'stay' };
};

const answerOf = <T>(reply: Reply<unknown>): T | null => (reply.ok ? (reply.value as T) : null);

/** Decides how to quit; asks only where sessions run and nothing is remembered. A host that does not answer keeps them running. */
export const decideQuit = async (host: Pick<Host, 'dispatch'>, dialog: QuestionDialog): Promise<QuitAnswer> => {
  const [listed, settings] = await Promise.all([host.dispatch('sessions.list', {}), host.dispatch('settings.get', {})]);
  const running = (answerOf<{ sessions: Session[] }>(listed)?.sessions ?? []).filter(({ status }) => status === 'running');
  if (running.length === 0) return 'keep';
  const known = answerOf<{ on_quit: QuitChoice }>(settings)?.on_quit ?? 'ask';
  if (known !== 'ask') return known;
  const { answer, isRemembered } = await ask(dialog, running);
  if (isRemembered) await host.dispatch('settings.update', { on_quit: answer });
  return answer;
};
