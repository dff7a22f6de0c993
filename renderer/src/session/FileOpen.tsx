// A file of a session, opened for reading.
import { Button, Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import { useAsk } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { CodeField } from '../ui/CodeField.tsx';
import { formatBytes } from '../ui/format.ts';

const shownBytes = 524_288;

const modeOf = (path: string): 'yaml' | 'shell' | 'text' => {
  if (/\.ya?ml$/.test(path)) return 'yaml';
  return /\.(?:ba|z)?sh$|\/\.(?:bashrc|profile)$/.test(path) ? 'shell' : 'text';
};

interface FileOpenProps {
  sessionId: string;
  /** null: none is open. */
  path: string | null;
  onClose: () => void;
  onSave: (path: string) => void;
}

const Contents = ({ path, piece }: { path: string; piece: CallOutput<'files.read'> }) => {
  if (piece.encoding === 'base64') {
    return <Banner tone="plain" title="This is no text" next={`${formatBytes(piece.size)} of something else. Download it to open it.`} />;
  }
  if (piece.size === 0) return <Banner tone="plain" title="This file is empty" />;
  return (
    <>
      {piece.next < piece.size && (
        <Banner
          tone="plain"
          title={`The first ${formatBytes(piece.next)} of ${formatBytes(piece.size)}`}
          next="Download it to have all of it."
        />
      )}
      <CodeField label={`Contents of ${path}`} mode={modeOf(path)} value={piece.content} isFilling hasLineNumbers />
    </>
  );
};

/** The window. Known secrets in it are masked; a download is the file as it is. */
export const FileOpen = ({ sessionId, path, onClose, onSave }: FileOpenProps) => {
  const ask = useAsk();
  const [piece, setPiece] = useState<{ path: string; value: CallOutput<'files.read'> } | null>(null);
  const [failure, setFailure] = useState<ErrorBody | null>(null);
  useEffect(() => {
    setFailure(null);
    if (path === null) return undefined;
    let isCurrent = true;
    void ask('files.read', { session_id: sessionId, path, max_bytes: shownBytes }).then((reply) => {
      if (!isCurrent) return;
      if (reply.ok) setPiece({ path, value: reply.value });
      else setFailure(reply.error);
    });
    return () => {
      isCurrent = false;
    };
  }, [ask, sessionId, path]);
  return (
    <Modal opened={path !== null} onClose={onClose} title={path ?? ''} size="xl">
      {path !== null && (
        <div className="file-open">
          {failure && <Banner tone="bad" title={failure.message} next={failure.next_action} />}
          {!failure && piece?.path !== path && <div className="faint">Opening…</div>}
          {!failure && piece?.path === path && <Contents path={path} piece={piece.value} />}
          <div className="row">
            <Button variant="default" size="xs" onClick={() => onSave(path)}>
              Download
            </Button>
            <span className="faint">For reading. Known secrets are masked here, not in the download.</span>
          </div>
        </div>
      )}
    </Modal>
  );
};
