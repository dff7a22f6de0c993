import { Button, FileButton } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { CodeField, type CodeFieldHandle } from '../ui/CodeField.tsx';
import { notifyFailure } from '../ui/notify.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ProblemList } from '../ui/ProblemList.tsx';
import type { FileProblem } from './use-file-problems.ts';

interface FileSourceProps {
  text: string;
  problems: readonly FileProblem[];
  onText: (text: string, fileName?: string) => void;
}

/** An environment file, pasted or opened, with its problems at their places. */
export const FileSource = ({ text, problems, onText }: FileSourceProps) => {
  const code = useRef<CodeFieldHandle | null>(null);
  const read = async (file: File) => {
    try {
      onText(await file.text(), file.name);
    } catch (thrown) {
      notifyFailure(`${file.name} could not be read`, {
        message: (thrown as Error).message,
        next_action: 'Open it again, or paste its text.',
      });
    }
  };
  return (
    <Panel
      title="Environment file"
      note="A bare recipe is fine too"
      isFlush
      actions={
        <FileButton accept=".yml,.yaml,.json" onChange={(file) => file && void read(file)}>
          {(props) => (
            <Button variant="default" leftSection={<IconFileUpload size={14} />} {...props}>
              Open file
            </Button>
          )}
        </FileButton>
      }
    >
      <div style={{ height: 340, padding: 10 }}>
        <CodeField
          label="Environment file as YAML"
          mode="yaml"
          value={text}
          onChange={(value) => onText(value)}
          problems={problems}
          handle={code}
          isFilling
          hasLineNumbers
        />
      </div>
      <ProblemList problems={problems} onChoose={(problem) => code.current?.goTo(problem.line, problem.column)} />
    </Panel>
  );
};
