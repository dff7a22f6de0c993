// Commits everything that a session has changed, in the session.
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Changes, Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { notifyDone, notifyFailure } from '../ui/notify.tsx';

interface CommitBoxProps {
  session: Session;
  changes: Changes;
  onCommitted: () => void;
}

/** The box; where there is no repository it says what else can be done. */
export const CommitBox = ({ session, changes, onCommitted }: CommitBoxProps) => {
  const ask = useAsk();
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  if (changes.kind === 'folder') {
    return <div className="commit-box faint">There is no git repository here, so nothing can be committed. Save the patch instead.</div>;
  }
  const commit = async () => {
    if (message.trim() === '' || isBusy) return;
    setBusy(true);
    const reply = await ask('sessions.commit', { session_id: session.id, message });
    setBusy(false);
    if (!reply.ok) return notifyFailure('The commit did not work', reply.error);
    setMessage('');
    notifyDone(`Committed as ${reply.value.commit.slice(0, 10)}.`);
    onCommitted();
  };
  return (
    <form
      className="commit-box"
      onSubmit={(event) => {
        event.preventDefault();
        void commit();
      }}
    >
      <Textarea
        aria-label="Message of the commit"
        placeholder={changes.has_uncommitted ? 'What this commit does' : 'Everything is committed'}
        autosize
        minRows={2}
        maxRows={6}
        disabled={!changes.has_uncommitted}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void commit();
        }}
      />
      <span className="faint">By “Sandlot session”, unless git in the sandbox has been told a name.</span>
      <Button type="submit" size="xs" loading={isBusy} disabled={!changes.has_uncommitted || message.trim() === ''}>
        Commit all
      </Button>
    </form>
  );
};
