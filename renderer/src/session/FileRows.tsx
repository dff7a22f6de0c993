// The entries of a folder: opened by their name, downloaded by their button.
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconDownload, IconFile, IconFileSymlink, IconFolder } from '@tabler/icons-react';
import type { FileEntry } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from '../ui/Ago.tsx';
import { formatBytes } from '../ui/format.ts';
import { plainName } from '../ui/plain-name.ts';
import { type RowFocus, RowList, type RowListColumn } from '../ui/RowList.tsx';

/** Whether it can be gone into. */
export const isFolder = (entry: FileEntry): boolean => entry.kind === 'folder' || entry.leads_to === 'folder';

const joined = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;

const Icon = ({ entry }: { entry: FileEntry }) => {
  if (entry.kind === 'link') return <IconFileSymlink size={15} className="faint" aria-hidden="true" />;
  if (entry.kind === 'folder') return <IconFolder size={15} className="tone-warn" aria-hidden="true" />;
  return <IconFile size={15} className="faint" aria-hidden="true" />;
};

const canOpen = (entry: FileEntry): boolean => isFolder(entry) || entry.kind === 'file' || entry.leads_to === 'file';

const Name = ({ entry, focus, onOpen }: { entry: FileEntry; focus: RowFocus; onOpen: () => void }) => (
  <button type="button" className="file-name" {...focus} aria-disabled={!canOpen(entry)} onClick={() => canOpen(entry) && onOpen()}>
    <Icon entry={entry} />
    <span className="clip">{plainName(entry.name)}</span>
    {entry.target !== null && <span className="faint clip">→ {plainName(entry.target)}</span>}
    {entry.kind === 'other' && <span className="faint">no file</span>}
  </button>
);

const facts: readonly RowListColumn<FileEntry>[] = [
  { name: 'Size', isNumber: true, cell: ({ kind, size }) => <span className="dim">{kind === 'file' ? formatBytes(size) : ''}</span> },
  {
    name: 'Changed',
    cell: ({ modified_at: at }) => (
      <span className="dim">
        <Ago at={at} />
      </span>
    ),
  },
];

interface FileRowsProps {
  folder: string;
  entries: readonly FileEntry[];
  onOpen: (entry: FileEntry, path: string) => void;
  onSave: (path: string) => void;
}

/** The list. */
export const FileRows = ({ folder, entries, onOpen, onSave }: FileRowsProps) => (
  <RowList
    label={`Files in ${folder}`}
    layout="is-files"
    rows={entries}
    keyOf={({ name }) => name}
    columns={[
      {
        name: 'Name',
        cell: (entry, focus) => <Name entry={entry} focus={focus} onOpen={() => onOpen(entry, joined(folder, entry.name))} />,
      },
      ...facts,
      {
        name: 'Download',
        isNameHidden: true,
        isWhole: true,
        cell: (entry, _focus, part) =>
          canOpen(entry) && (
            <Tooltip label={isFolder(entry) ? 'Download as a tar file' : 'Download'}>
              <ActionIcon
                {...part}
                size="sm"
                aria-label={`Download ${plainName(entry.name)}`}
                onClick={() => onSave(joined(folder, entry.name))}
              >
                <IconDownload size={15} />
              </ActionIcon>
            </Tooltip>
          ),
      },
    ]}
  />
);
