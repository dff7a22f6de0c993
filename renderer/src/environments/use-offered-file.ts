// An environment file that a session's repository brought, for the page that makes environments. Nothing is made of it by itself.
import { useEffect, useRef } from 'react';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { notifyFailure } from '../ui/notify.tsx';

/** The file with the repository in it that it came from, when it names none itself. Pure. */
export const withRepo = (contents: string, source: string | null): string =>
  source === null || /^["']?repo["']?[ \t]*:/m.test(contents) || contents.trimStart().startsWith('{')
    ? contents
    : `${contents.replace(/\n*$/, '\n')}\n# The repository that this file came with.\nrepo:\n  source: ${JSON.stringify(source)}\n`;

/** Reads the file of a session once and hands it over. */
export const useOfferedFile = (sessionId: string | null, onFile: (text: string, name: string) => void): void => {
  const ask = useAsk();
  const taken = useRef<string | null>(null);
  const source = useStored((state) => {
    const session = sessionId === null ? undefined : state.sessions[sessionId];
    return session === undefined ? undefined : (state.environments[session.environment_id]?.repo?.source ?? null);
  });
  useEffect(() => {
    if (sessionId === null || source === undefined || taken.current === sessionId) return;
    taken.current = sessionId;
    void ask('sessions.offered_file', { session_id: sessionId }).then((reply) => {
      if (!reply.ok) notifyFailure('The environment file could not be read', reply.error);
      else if (reply.value.file !== null) onFile(withRepo(reply.value.file.contents, source), reply.value.file.name);
    });
  }, [ask, sessionId, source, onFile]);
};
