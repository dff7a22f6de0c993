// What needs a look, each with its reason, one press from where it is mended. Nothing at all when all is well.
import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { newestBuilds, recentEnvironments, sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useSecrets } from '../store/use-secrets.ts';
import { Panel } from '../ui/Panel.tsx';
import { Status } from '../ui/Status.tsx';
import { attentionOf } from './attention-items.ts';

const shownAtFirst = 5;

/** The panel. */
export const Attention = () => {
  const environments = useStored((state) => recentEnvironments(state));
  const sessions = useStored((state) => sessionsInOrder(state));
  const runtimes = useStored((state) => state.runtimes);
  const builds = useStored((state) => state.builds);
  const { list: secrets } = useSecrets();
  const [showsAll, setShowsAll] = useState(false);
  const items = useMemo(
    () => attentionOf({ environments, sessions, runtimes, secrets, newestBuilds: newestBuilds(builds) }),
    [environments, sessions, runtimes, secrets, builds],
  );
  if (items.length === 0) return null;
  const more = items.length - shownAtFirst;
  return (
    <Panel
      title="Needs attention"
      isFlush
      actions={
        more > 0 && (
          <Button variant="subtle" size="compact-xs" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Fewer' : `${more} more`}
          </Button>
        )
      }
    >
      {items.slice(0, showsAll ? items.length : shownAtFirst).map(({ key, tone, title, text, href }) => (
        <Link key={key} href={href} className="row-link">
          <div className="grow">
            <Status tone={tone} label={title} isCut />
            <div className="attention-text faint">{text}</div>
          </div>
          <IconChevronRight size={14} aria-hidden="true" />
        </Link>
      ))}
    </Panel>
  );
};
