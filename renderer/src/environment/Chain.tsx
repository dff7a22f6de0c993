// From the recipe to a session in one picture: each stage with its state, each a way to its tab.
import './chain.css';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { buildsOf, sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { Status } from '../ui/Status.tsx';
import { chainOf } from './chain-links.ts';

/** The strip. */
export const Chain = ({ environment }: { environment: EnvironmentView }) => {
  const { id, image } = environment;
  const builds = useStored((state) => buildsOf(state, id));
  const pinned = useStored((state) => (image.build_id ? state.builds[image.build_id] : undefined));
  const sessions = useStored((state) => sessionsInOrder(state, id));
  return (
    <ol className="chain" aria-label="From the recipe to a session">
      {chainOf(environment, { builds, pinned, sessions }).map(({ name, tone, word, detail, tab, isHollow }, index) => (
        <li key={name}>
          {index > 0 && <IconChevronRight className="chain-arrow" size={14} aria-hidden="true" />}
          <Link href={`/environments/${id}/${tab}`} className="chain-link">
            <span className="faint">{name}</span>
            <Status tone={tone} label={word} isHollow={isHollow} isCut />
            <span className="chain-detail faint" title={detail}>
              {detail}
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
};
