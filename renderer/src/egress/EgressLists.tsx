// The two tables of the monitor: attempts one by one, and destinations with their sums.
import type { ContactedDestination, LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from '../ui/Ago.tsx';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { formatBytes } from '../ui/format.ts';
import { causeText, destinationText, reasonWord, timeText } from './egress-words.ts';
import { RowList, type RowListColumn } from './RowList.tsx';

const attemptsBefore: RowListColumn<LoggedAttempt>[] = [
  { name: 'Time', cell: ({ at }) => <span className="num dim">{timeText(at)}</span> },
  { name: 'Verdict', cell: ({ verdict }) => <EgressVerdict verdict={verdict} /> },
];

const attemptsAfter: RowListColumn<LoggedAttempt>[] = [
  { name: 'Reason', cell: ({ reason, sentence }) => <span title={sentence}>{reasonWord(reason)}</span> },
  { name: 'Cause', isExtra: true, cell: (attempt) => causeText(attempt) },
  { name: 'Received', isExtra: true, cell: ({ bytes_received }) => <span className="num dim">{formatBytes(bytes_received)}</span> },
  { name: 'Count', cell: ({ count }) => <span className="num">{count.toLocaleString('en-GB')}</span> },
];

const destinationsBefore: RowListColumn<ContactedDestination>[] = [
  { name: 'Last', cell: ({ last_verdict }) => <EgressVerdict verdict={last_verdict} /> },
];

const destinationsAfter: RowListColumn<ContactedDestination>[] = [
  { name: 'Allowed', cell: ({ allowed }) => <span className="num">{allowed.toLocaleString('en-GB')}</span> },
  { name: 'Blocked', cell: ({ blocked }) => <span className="num">{blocked.toLocaleString('en-GB')}</span> },
  { name: 'Reason', isExtra: true, cell: ({ last_reason }) => reasonWord(last_reason) },
  { name: 'Received', isExtra: true, cell: ({ bytes_received }) => <span className="num dim">{formatBytes(bytes_received)}</span> },
  { name: 'When', cell: ({ last_at }) => <Ago at={last_at} /> },
];

/** What a destination is told apart by. */
export const keyOfDestination = ({ host, port }: ContactedDestination): string => `${host} ${port}`;

interface ListProps<Row> {
  rows: readonly Row[];
  chosen: string | null;
  onChoose: (key: string) => void;
}

/** Attempts, the newest first. */
export const AttemptRows = ({ rows, chosen, onChoose, onEnd }: ListProps<LoggedAttempt> & { onEnd: () => void }) => (
  <RowList
    label="Attempts"
    layout="is-attempts"
    rows={rows}
    keyOf={({ id }) => id}
    main={{ name: 'Destination', text: destinationText }}
    before={attemptsBefore}
    after={attemptsAfter}
    chosen={chosen}
    onChoose={({ id }) => onChoose(id)}
    onEnd={onEnd}
  />
);

/** Destinations, the last tried first. */
export const DestinationRows = ({ rows, chosen, onChoose }: ListProps<ContactedDestination>) => (
  <RowList
    label="Destinations"
    layout="is-destinations"
    rows={rows}
    keyOf={keyOfDestination}
    main={{ name: 'Destination', text: destinationText }}
    before={destinationsBefore}
    after={destinationsAfter}
    chosen={chosen}
    onChoose={(row) => onChoose(keyOfDestination(row))}
  />
);
