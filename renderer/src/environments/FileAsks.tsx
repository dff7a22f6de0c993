// What an environment file opens and is given, before an environment is made of it.
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useAsk } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';

/** The sentences; nothing while the text cannot be read, which its problems say. */
export const FileAsks = ({ text, fileName }: { text: string; fileName: string | undefined }) => {
  const ask = useAsk();
  const [wanted] = useDebouncedValue(text, 250);
  const [asks, setAsks] = useState<string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void ask('environments.preview_file', { contents: wanted, ...(fileName === undefined ? {} : { file_name: fileName }) }).then(
      (reply) => {
        if (isCurrent) setAsks(reply.ok ? reply.value.asks : []);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [ask, wanted, fileName]);
  if (asks.length === 0) return null;
  return (
    <Banner
      tone="warn"
      title="Review what this file asks for"
      next={
        <ul style={{ margin: 0, paddingLeft: 18 }}>
          {asks.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      }
    />
  );
};
