// What narrows the monitor: attempts or destinations, verdict, a part of host and port; and the way to hold it still.
import { Button, SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import { SearchField } from '../ui/SearchField.tsx';

export type Shown = 'attempts' | 'destinations';
type Verdict = 'all' | 'allowed' | 'blocked';

/** The filters, and what they ask the host for. */
export const useFilters = () => {
  const [shown, setShown] = useState<Shown>('attempts');
  const [verdict, setVerdict] = useState<Verdict>('all');
  const [text, setText] = useState('');
  const [isPaused, setPaused] = useState(false);
  const [wanted] = useDebouncedValue(text.trim(), 150);
  const filter = { ...(verdict === 'all' ? {} : { verdict }), ...(wanted === '' ? {} : { text: wanted }) };
  return { shown, setShown, verdict, setVerdict, text, setText, isPaused, setPaused, filter, isFiltered: Object.keys(filter).length > 0 };
};

interface EgressToolsProps {
  filters: ReturnType<typeof useFilters>;
  sums: CallOutput<'egress.summary'> | null;
  /** Attempts that came while it was held still. */
  missed: number;
  tools: ReactNode;
}

/** The bar. */
export const EgressTools = ({ filters, sums, missed, tools }: EgressToolsProps) => {
  const { shown, setShown, verdict, setVerdict, text, setText, isPaused, setPaused } = filters;
  return (
    <div className="egress-tools">
      {tools}
      <SegmentedControl
        aria-label="What is shown"
        value={shown}
        onChange={(value) => setShown(value as Shown)}
        data={[
          { value: 'attempts', label: 'Attempts' },
          { value: 'destinations', label: 'Destinations' },
        ]}
      />
      <SegmentedControl
        aria-label="Verdict"
        value={verdict}
        onChange={(value) => setVerdict(value as Verdict)}
        data={[
          { value: 'all', label: 'All' },
          { value: 'allowed', label: 'Allowed' },
          { value: 'blocked', label: 'Blocked' },
        ]}
      />
      <SearchField className="egress-search" label="Filter by host or port" placeholder="Host or port" value={text} onChange={setText} />
      <span className="grow" />
      <span className="faint num" role="status">
        {sums && `${sums.allowed.toLocaleString('en-GB')} allowed · ${sums.blocked.toLocaleString('en-GB')} blocked`}
      </span>
      <Button
        variant="default"
        leftSection={isPaused ? <IconPlayerPlay size={13} /> : <IconPlayerPause size={13} />}
        aria-pressed={isPaused}
        onClick={() => setPaused(!isPaused)}
      >
        {isPaused ? `Go on${missed > 0 ? ` (${missed})` : ''}` : 'Pause'}
      </Button>
    </div>
  );
};
