// What an environment file opens and is given, before an environment is made of it.
import { Banner } from '../ui/Banner.tsx';

/** The sentences; nothing where it asks for nothing. */
export const FileAsks = ({ asks }: { asks: readonly string[] }) => {
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
