// The egress monitor: what the sandboxes of all environments, or of one, try to reach.
import { Button } from '@mantine/core';
import { IconNetwork } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useStored } from '../store/store.ts';
import { Empty } from '../ui/Empty.tsx';
import { Page } from '../ui/Page.tsx';
import { usePlaceState } from '../ui/use-place-state.ts';
import { EgressView } from './EgressView.tsx';
import { EnvironmentChoice } from './EnvironmentChoice.tsx';

/** What is said where nothing was tried yet. */
const Teaching = () => (
  <Empty
    icon={<IconNetwork size={20} />}
    title="Nothing was tried yet"
    actions={
      <Button variant="default" component={Link} href="/environments">
        Choose an environment
      </Button>
    }
  >
    Whatever a sandbox behind a network policy reaches for is written down here: where, whether it was allowed, which rule decided and what
    caused it. Give an environment rules on its <strong>Network</strong> tab, then test its setup or launch a session. Sandboxes with
    unrestricted access go past the policy, so nothing is seen of them.
  </Empty>
);

/** The page. */
export const EgressPage = () => {
  const [chosen, choose] = usePlaceState<string>('environment', '');
  const environmentId = chosen === '' ? null : chosen;
  const hasRules = useStored((state) => chosen in state.environments);
  return (
    <Page
      title="Network"
      isFlush
      actions={
        <>
          {hasRules && (
            <Link href={`/environments/${environmentId}/network`} className="link">
              Open its rules
            </Link>
          )}
          <EnvironmentChoice value={environmentId} onChange={(id) => choose(id ?? '')} />
        </>
      }
    >
      <EgressView
        key={environmentId ?? 'all'}
        scope={environmentId === null ? {} : { environment_id: environmentId }}
        environmentId={environmentId}
        empty={<Teaching />}
      />
    </Page>
  );
};
