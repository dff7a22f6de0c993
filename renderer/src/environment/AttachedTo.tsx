// The agents that have this environment: while there is one, it cannot be deleted.
import { Link } from 'wouter';
import { agentsOf } from '../store/select.ts';
import { useStored } from '../store/store.ts';

/** So many are named; the others are on the agents' own page. */
const mostNamed = 4;

/** Their names, each a way to its page. */
export const AttachedTo = ({ id }: { id: string }) => {
  const agents = useStored((state) => agentsOf(state, id));
  if (agents.length === 0) {
    return (
      <Link href="/agents" className="link">
        No agent
      </Link>
    );
  }
  return (
    <span>
      {agents.slice(0, mostNamed).map((agent, index) => (
        <span key={agent.id}>
          {index > 0 && ', '}
          <Link href={`/agents/${agent.id}`} className="link">
            {agent.name}
          </Link>
        </span>
      ))}
      {agents.length > mostNamed && (
        <>
          {' and '}
          <Link href="/agents" className="link">
            {agents.length - mostNamed} more
          </Link>
        </>
      )}
    </span>
  );
};
