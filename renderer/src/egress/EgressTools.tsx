// What narrows the monitor: attempts or destinations, verdict, a part of host and port; and the way to hold it still.
import { Button, SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { EgressOutcome } from '../../../sandbox-engine/contract/model.ts';
import { SearchField } from '../ui/SearchField.tsx';
import { usePlaceState } from '../ui/use-place-state.ts';

export type Shown = 'attempts' | 'destinations';
type Outcome = 'all' | EgressOutcome;

const outcomes: { value: Outcome; label: string; title: string }[] = [
  { value: 'all', label: 'All', title: 'Everything that was tried' },
  { value: 'allowed', label: 'Allowed', title: 'Let through' },
  { value: 'blocked', label: 'Blocked', title: 'Kept back by the policy' },
  { value: 'failed', label: 'Failed', title: 'Let through, and then not found or not reached' },
];

/** The filters, and what they ask the host for. */
export const useFilters = () => {
  const [shown, setShown] = usePlaceState<Shown>('show', 'attempts', { isStep: true, known: ['attempts', 'destinations'] });
  const [verdict, setVerdict] = usePlaceState<Outcome>('verdict', 'all', { known: outcomes.map(({ value }) => value) });
  const [text, setText] = usePlaceState<string>('host', '');
  const [isPaused, setPaused] = useState(false);
  const [wanted] = useDebouncedValue(text.trim(), 150);
  const filter = { ...(verdict === 'all' ? {} : { verdict }), ...(wanted === '' ? {} : { text: wanted }) };
  return { shown, setShown, verdict, setVerdict, text, setText, isPaused, setPaused, filter, isFiltered: Object.keys(filter).length > 0 };
};

interface EgressToolsProps {
  filters: ReturnType<typeof useFilters>;
  /** Attempts that came while it was held still. */
  missed: number;
}

/** The bar. */
export const EgressTools = ({ filters, missed }: EgressToolsProps) => {
  const { shown, setShown, verdict, setVerdict, text, setText, isPaused, setPaused } = filters;
  const goOn = `Go on${missed > 0 ? ` (${missed})` : ''}`;
  return (
    <div className="egress-tools">
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
        aria-label="What became of it"
        value={verdict}
        onChange={(value) => setVerdict(value as Outcome)}
        data={outcomes.map(({ value, label, title }) => ({ value, label: <span title={title}>{label}</span> }))}
      />
      <SearchField className="egress-search" label="Filter by host or port" placeholder="Host or port" value={text} onChange={setText} />
      <span className="grow" />
      <Button
        variant="default"
        className="egress-pause"
        aria-label={isPaused ? goOn : 'Pause'}
        title={isPaused ? 'Show what came meanwhile' : 'Hold the list still; what is tried is written down all the same'}
        leftSection={isPaused ? <IconPlayerPlay size={13} /> : <IconPlayerPause size={13} />}
        aria-pressed={isPaused}
        onClick={() => setPaused(!isPaused)}
      >
        {isPaused ? goOn : 'Pause'}
      </Button>
    </div>
  );
};
