// The files of a session: look around, open, download, upload; and its artifacts as a list.
import './workspace.css';
import './files.css';
import { ActionIcon, Button, FileButton, Progress, SegmentedControl, Tooltip } from '@mantine/core';
import { IconDownload, IconFolder, IconFolderOpen, IconPackage, IconRefresh, IconUpload, IconX } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import type { FileEntry, Session } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { CopyCommand } from '../ui/Copy.tsx';
import { Empty } from '../ui/Empty.tsx';
import { formatBytes } from '../ui/format.ts';
import { usePlaceState } from '../ui/use-place-state.ts';
import { FileOpen } from './FileOpen.tsx';
import { FileRows, isFolder } from './FileRows.tsx';
import { useFolder } from './use-folder.ts';
import { droppedFiles, type FileToSend, type MovingFile, useMoving } from './use-moving.ts';
import { wayBackWords } from './way-back.ts';

const home = '/workspace';

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

const Crumbs = ({ path, onGo }: { path: string; onGo: (path: string) => void }) => {
  const parts = path.split('/').filter((part) => part !== '');
  return (
    <nav className="crumbs" aria-label="Folder">
      <button type="button" className="crumb" onClick={() => onGo('/')} aria-label="The sandbox's root">
        /
      </button>
      {parts.map((part, at) => {
        const to = `/${parts.slice(0, at + 1).join('/')}`;
        return (
          <span key={to}>
            {at > 0 && <span className="faint">/</span>}
            <button type="button" className="crumb" aria-current={at === parts.length - 1 ? 'page' : undefined} onClick={() => onGo(to)}>
              {part}
            </button>
          </span>
        );
      })}
    </nav>
  );
};

const MovingList = ({ moving }: { moving: readonly MovingFile[] }) => (
  <section className="moving-list" aria-label="On their way">
    {moving.map(({ id, name, way, moved, size, cancel }) => (
      <div key={id} className="moving">
        {way === 'in' ? <IconUpload size={14} aria-hidden="true" /> : <IconDownload size={14} aria-hidden="true" />}
        <span className="clip grow">{name}</span>
        {size !== null && size > 0 && <Progress value={(100 * moved) / size} aria-label={`How far ${name} is`} />}
        <span className="dim">
          {formatBytes(moved)}
          {size !== null && ` of ${formatBytes(size)}`}
        </span>
        <ActionIcon aria-label={`Cancel ${name}`} onClick={cancel}>
          <IconX size={14} />
        </ActionIcon>
      </div>
    ))}
  </section>
);

const VolumeNote = ({ session }: { session: Session }) => {
  const command = `${useStored((state) => state.commandLine)} session cp ${session.id}:/workspace ./`;
  return (
    <div className="volume-note">
      <span>
        The workspace is the volume <span className="mono">{session.volume}</span> of {session.runtime}, not a folder of this machine. To
        open it here, copy it out:
      </span>
      <CopyCommand command={command} />
    </div>
  );
};

const NoFiles = ({ isArtifacts, folder }: { isArtifacts: boolean; folder: string }) =>
  isArtifacts ? (
    <Empty icon={<IconPackage size={20} />} title="No artifacts yet">
      What programs of this session put into /workspace/artifacts (reports, builds, pictures) is listed here with its size, ready to be
      downloaded.
    </Empty>
  ) : (
    <Empty icon={<IconFolderOpen size={20} />} title={`${folder} is empty`}>
      Drop files here to upload them, or make some in a terminal.
    </Empty>
  );

const Files = ({ session }: { session: Session }) => {
  const [view, setView] = usePlaceState<'files' | 'artifacts'>('show', 'files', { isStep: true, known: ['files', 'artifacts'] });
  const [wanted, setWanted] = usePlaceState<string>('folder', home, { isStep: true });
  const [opened, setOpened] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const isArtifacts = view === 'artifacts';
  const { listing, failure, refresh } = useFolder(session, isArtifacts ? null : wanted);
  const { moving, send, save } = useMoving(session.id, refresh);
  const folder = isArtifacts ? (listing?.path ?? home) : wanted;
  const upload = (files: readonly FileToSend[]) => void (files.length > 0 && send(files, folder));
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void droppedFiles(event.dataTransfer).then(upload);
  };
  const open = (entry: FileEntry, path: string) => (isFolder(entry) ? setWanted(path) : setOpened(path));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are also uploaded by the button; this is for the mouse
    <div
      className="workspace-part"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onKeyDown={(event) => {
        if (event.key === 'Backspace' && !isArtifacts && opened === null && wanted !== '/') setWanted(parentOf(wanted));
      }}
    >
      <div className="workspace-bar">
        <SegmentedControl
          size="xs"
          aria-label="What is listed"
          value={view}
          onChange={(value) => setView(value as typeof view)}
          data={[
            { value: 'files', label: 'Files' },
            { value: 'artifacts', label: 'Artifacts' },
          ]}
        />
        <span className="grow" />
        <Tooltip label="Look again">
          <ActionIcon aria-label="Look again" onClick={refresh}>
            <IconRefresh size={15} />
          </ActionIcon>
        </Tooltip>
        <FileButton multiple onChange={(files) => upload(files.map((file) => ({ file, path: file.name })))}>
          {(props) => (
            <Button variant="default" size="xs" leftSection={<IconUpload size={14} />} {...props}>
              Upload
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} />}
          onClick={() => void save(folder)}
          disabled={listing?.total === 0}
        >
          Download all
        </Button>
      </div>
      <div className="files-path">
        {isArtifacts ? <span className="mono dim">{folder}</span> : <Crumbs path={wanted} onGo={setWanted} />}
      </div>
      {failure && (
        <Banner
          tone="bad"
          title={failure.message}
          next={failure.next_action}
          actions={
            wanted === home ? (
              <Button variant="default" onClick={refresh}>
                Try again
              </Button>
            ) : (
              <Button variant="default" onClick={() => setWanted(home)}>
                Go to {home}
              </Button>
            )
          }
        />
      )}
      <div className="files-room">
        <div className="files-list">
          {!failure && listing?.total === 0 && <NoFiles isArtifacts={isArtifacts} folder={folder} />}
          {!failure && listing !== null && listing.total > 0 && (
            <FileRows folder={listing.path} entries={listing.entries} onOpen={open} onSave={(path) => void save(path)} />
          )}
          {listing !== null && listing.total > listing.entries.length && (
            <div className="workspace-foot faint">… and {listing.total - listing.entries.length} more. The download has them all.</div>
          )}
        </div>
        {isOver && <div className="drop-hint">Drop to upload to {folder}</div>}
      </div>
      {moving.length > 0 && <MovingList moving={moving} />}
      <VolumeNote session={session} />
      <FileOpen sessionId={session.id} path={opened} onClose={() => setOpened(null)} onSave={(path) => void save(path)} />
    </div>
  );
};

/** The part. */
export const FilesPart = ({ session }: { session: Session }) =>
  session.status === 'running' ? (
    <Files session={session} />
  ) : (
    <Empty icon={<IconFolder size={20} />} title="The session does not run">
      {session.status === 'stopped'
        ? `Its files are kept. ${wayBackWords(session)} to look at them.`
        : 'Its files are shown here once it runs.'}
    </Empty>
  );
