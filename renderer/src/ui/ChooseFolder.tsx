import { ActionIcon, Tooltip } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';

interface ChooseFolderProps {
  /** Which field it is for, as a screen reader says it. */
  label: string;
  choose: () => Promise<string | null>;
  onFolder: (folder: string) => void;
}

/** At the end of a field for a folder of this machine: chooses one with the dialog of the system. */
export const ChooseFolder = ({ label, choose, onFolder }: ChooseFolderProps) => (
  <Tooltip label="Choose a folder…">
    <ActionIcon
      aria-label={label}
      onClick={() => {
        void choose().then((folder) => folder !== null && onFolder(folder));
      }}
    >
      <IconFolderOpen size={15} />
    </ActionIcon>
  </Tooltip>
);
