// What screens do beyond asking: unsaved edits, streams and keystrokes.
import { useCallback, useMemo } from 'react';
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { CallOutput, EnvironmentPatch } from '../../../sandbox-engine/contract/calls.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { base64FromBytes } from './base64.ts';
import { dropDraft, putDraft, rebaseDraft, savePatch } from './draft.ts';
import { editsSettled } from './edits-under-way.ts';
import { createKeyQueue } from './key-queue.ts';
import { type AppStore, type Ask, useAppStore, useStored } from './store.ts';
import type { StreamSource } from './stream-hub.ts';

/** Calls the host. */
export const useAsk = (): Ask => useAppStore().ask;

/** An environment as it is being edited: stored fields overlaid with the unsaved ones. */
export interface Editing {
  environment: EnvironmentView;
  patch: EnvironmentPatch;
  isDirty: boolean;
  /** Somebody else saved since these edits were begun. */
  isOutdated: boolean;
  edit: (patch: EnvironmentPatch) => void;
  discard: () => void;
  /** Makes the edits count as based on the newest revision. */
  rebase: () => void;
  /** Waits for edits that are on their way; answers whether there is something to save. */
  settle: () => Promise<boolean>;
  /** Saves; on failure the edits stay as they are. */
  save: () => Promise<Reply<EnvironmentView>>;
}

const saveDraft = async ({ state, ask }: AppStore, environment: EnvironmentView): Promise<Reply<EnvironmentView>> => {
  const sent = state.getState().drafts[environment.id];
  if (!sent) return { ok: true, value: environment };
  const reply = await ask('environments.update', { environment_id: environment.id, patch: savePatch(environment, sent) });
  if (!reply.ok) return reply;
  // What was typed while the answer was on its way stays an edit, of the new revision.
  state.setState((known) => {
    const now = known.drafts[environment.id];
    const clean = dropDraft(known, environment.id);
    return now && now !== sent ? putDraft(clean, reply.value, now.patch) : clean;
  }, true);
  return reply;
};

/** Saves what is edited in an environment, also where its page is not shown; without edits nothing is asked. */
export const useSaveEdits = () => {
  const store = useAppStore();
  return async (environment: EnvironmentView): Promise<Reply<EnvironmentView>> => {
    await editsSettled(environment.id);
    return await saveDraft(store, environment);
  };
};

/** The edits of one environment; they outlive leaving the page. */
export const useEditing = (environment: EnvironmentView): Editing => {
  const store = useAppStore();
  const { state } = store;
  const draft = useStored((known) => known.drafts[environment.id]);
  return {
    environment,
    patch: draft?.patch ?? {},
    isDirty: draft !== undefined,
    isOutdated: draft !== undefined && draft.revision < environment.revision,
    edit: (patch) => state.setState((known) => putDraft(known, environment, patch), true),
    discard: () => state.setState((known) => dropDraft(known, environment.id), true),
    rebase: () => state.setState((known) => rebaseDraft(known, environment.id, environment.revision), true),
    settle: async () => {
      await editsSettled(environment.id);
      return state.getState().drafts[environment.id] !== undefined;
    },
    save: () => saveDraft(store, environment),
  };
};

/** The bytes of a stream, for a viewer. */
export const useStreamSource = (streamId: string): StreamSource => {
  const { streams } = useAppStore();
  return useMemo(() => streams.source(streamId), [streams, streamId]);
};

/** Asks for the sizes that a terminal's screen has had; where they are not known, none. */
export const usePastSizes = (sessionId: string, terminalId: string): (() => Promise<CallOutput<'tape.sizes'>>) => {
  const { ask } = useAppStore();
  return useCallback(async () => {
    const reply = await ask('tape.sizes', { session_id: sessionId, terminal_id: terminalId });
    return reply.ok ? reply.value : { sizes: [], size: 0 };
  }, [ask, sessionId, terminalId]);
};

export interface TerminalInput {
  write: (bytes: Uint8Array) => void;
  resize: (cols: number, rows: number) => void;
}

/** Keystrokes and sizes of one terminal. A terminal that is gone swallows both: its tab says so already. */
export const useTerminalInput = (terminalId: string): TerminalInput => {
  const { ask } = useAppStore();
  return useMemo(
    () => ({
      write: createKeyQueue(async (bytes) => (await ask('terminals.write', { terminal_id: terminalId, data: base64FromBytes(bytes) })).ok),
      resize: (cols, rows) => void ask('terminals.resize', { terminal_id: terminalId, cols, rows }),
    }),
    [ask, terminalId],
  );
};
