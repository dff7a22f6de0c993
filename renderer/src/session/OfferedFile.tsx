// Says that a session's repository brings an environment; whoever wants it reviews it first, on the page that makes environments.
import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link } from 'wouter';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';

const mostKept = 50;

/** The banner; nothing when there is no such file, or when it was put away for this environment. */
export const OfferedFile = ({ session }: { session: Session }) => {
  const source = useStored((state) => state.environments[session.environment_id]?.repo?.source ?? session.environment_id);
  const [away, setAway] = useLocalStorage<string[]>({ key: 'sandlot-offers-away', defaultValue: [], getInitialValueInEffect: false });
  if (session.offered_file === undefined || session.status !== 'running' || away.includes(source)) return null;
  return (
    <Banner
      isBar
      tone="plain"
      title={`This repository brings an environment: ${session.offered_file}`}
      next="Nothing of it was applied."
      actions={
        <>
          <Button variant="default" component={Link} href={`/environments/new?session=${session.id}&runtime=${session.runtime}`}>
            Review and create
          </Button>
          <Button variant="subtle" onClick={() => setAway([...away, source].slice(-mostKept))}>
            Not now
          </Button>
        </>
      }
    />
  );
};
