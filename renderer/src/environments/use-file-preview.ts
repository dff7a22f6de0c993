// What would be made of an environment file: its name, and what it opens and is given. Asked of the host while the text is typed.
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import { useAsk } from '../store/actions.ts';

export type FilePreview = CallOutput<'environments.preview_file'>;

/** The preview; null until there is one, and while the text cannot be read, which its problems say. */
export const useFilePreview = (text: string, fileName: string | undefined, isShown: boolean): FilePreview | null => {
  const ask = useAsk();
  const [wanted] = useDebouncedValue(text, 250);
  const [preview, setPreview] = useState<FilePreview | null>(null);
  useEffect(() => {
    if (!isShown) return;
    let isCurrent = true;
    void ask('environments.preview_file', { contents: wanted, ...(fileName === undefined ? {} : { file_name: fileName }) }).then(
      (reply) => isCurrent && setPreview(reply.ok ? reply.value : null),
    );
    return () => {
      isCurrent = false;
    };
  }, [ask, wanted, fileName, isShown]);
  return preview;
};
