import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useNewPorts } from '../store/use-new-ports.ts';
import { counted } from '../ui/format.ts';

/** How many ports are listened at since the tab was last looked at, beside its name; nothing while there are none. */
export const NewPorts = ({ session, isShown }: { session: Session; isShown: boolean }) => {
  const count = useNewPorts(session, isShown);
  if (count === 0) return null;
  return (
    <span
      className="tab-count is-new num"
      title={`${counted(count, 'port is', 'ports are')} listened at since you last looked`}
      aria-hidden="true"
    >
      {count}
    </span>
  );
};
