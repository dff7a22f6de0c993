// The two tables of the monitor: attempts one by one, and destinations with their sums.
import './egress-rows.css';
import type { ContactedDestination, EgressGrant, LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from '../ui/Ago.tsx';
import { EgressVerdict } from '../ui/EgressVerdict.tsx';
import { reasonWord } from '../ui/egress-outcome.ts';
import { formatBytes, formatCount } from '../ui/format.ts';
import { type RowFocus, RowList, type RowListColumn } from '../ui/RowList.tsx';
import { destinationText, fromParts, fromText, preciseTime } from './egress-words.ts';
import { RowAllow } from './RowAllow.tsx';
import { useOrigin } from './use-attempt.ts';

const attemptsBefore: RowListColumn<LoggedAttempt>[] = [
  { name: 'Time', cell: ({ at }) => <span className="num dim">{preciseTime(at)}</span> },
  { name: 'Outcome', cell: ({ verdict, reason }) => <EgressVerdict verdict={verdict} reason={reason} /> },
];

interface FromProps {
  attempt: LoggedAttempt;
  isOneEnvironment: boolean;
  isOneSession: boolean;
}

/** What all rows have is not said in each. */
const From = ({ attempt, isOneEnvironment, isOneSession }: FromProps) => {
  const { environment, session, terminal } = useOrigin(attempt);
  const names = { ...(isOneEnvironment ? {} : { environment }), ...(isOneSession ? {} : { session }), terminal };
  const { where, what } = fromParts(attempt, names);
  return (
    <span className="dim egress-from" title={fromText(attempt, names)}>
      {where !== null && <span className="clip egress-from-where">{where}</span>}
      <span className="clip">{where === null ? what : ` · ${what}`}</span>
    </span>
  );
};

const attemptsAfter: RowListColumn<LoggedAttempt>[] = [
  { name: 'Reason', cell: ({ reason, sentence }) => <span title={sentence}>{reasonWord(reason)}</span> },
  { name: 'Received', isExtra: true, cell: ({ bytes_received }) => <span className="num dim">{formatBytes(bytes_received)}</span> },
  { name: 'Count', isNumber: true, cell: ({ count }) => <span className="num">{formatCount(count)}</span> },
];

const destinationsBefore: RowListColumn<ContactedDestination>[] = [
  { name: 'Last', cell: ({ last_verdict, last_reason }) => <EgressVerdict verdict={last_verdict} reason={last_reason} /> },
];

const destinationsAfter: RowListColumn<ContactedDestination>[] = [
  { name: 'Allowed', isNumber: true, cell: ({ allowed }) => <span className="num">{formatCount(allowed)}</span> },
  { name: 'Blocked', isNumber: true, cell: ({ blocked }) => <span className="num">{formatCount(blocked)}</span> },
  { name: 'Failed', isNumber: true, isExtra: true, cell: ({ failed }) => <span className="num">{formatCount(failed)}</span> },
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

interface DestinationProps {
  text: string;
  focus: RowFocus;
  isChosen: boolean;
  onPress: () => void;
}

/** Where it went; pressed, it is looked at. */
const Destination = ({ text, focus, isChosen, onPress }: DestinationProps) => (
  <button
    type="button"
    className="text-button mono egress-destination clip"
    {...focus}
    aria-expanded={isChosen}
    title={text}
    onClick={onPress}
  >
    {text}
  </button>
);

interface AttemptRowsProps extends ListProps<LoggedAttempt> {
  grants: readonly EgressGrant[];
  /** All are of one session, which need not be named in each row. */
  isOneEnvironment: boolean;
  isOneSession: boolean;
  onEnd: () => void;
}

/** Attempts, the newest first. */
export const AttemptRows = ({ rows, grants, chosen, isOneEnvironment, isOneSession, onChoose, onEnd }: AttemptRowsProps) => (
  <RowList
    label="Attempts"
    layout="is-attempts"
    rows={rows}
    keyOf={({ id }) => id}
    columns={[
      ...attemptsBefore,
      {
        name: 'Destination',
        cell: (row, focus) => (
          <Destination text={destinationText(row)} focus={focus} isChosen={row.id === chosen} onPress={() => onChoose(row.id)} />
        ),
      },
      { name: 'From', cell: (row) => <From attempt={row} {...{ isOneEnvironment, isOneSession }} /> },
      ...attemptsAfter,
      {
        name: 'Allow',
        isNameHidden: true,
        isWhole: true,
        cell: (row, _focus, part) => <RowAllow attempt={row} grants={grants} focus={part} />,
      },
    ]}
    chosen={chosen}
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
    columns={[
      ...destinationsBefore,
      {
        name: 'Destination',
        cell: (row, focus) => {
          const key = keyOfDestination(row);
          return <Destination text={destinationText(row)} focus={focus} isChosen={key === chosen} onPress={() => onChoose(key)} />;
        },
      },
      ...destinationsAfter,
    ]}
    chosen={chosen}
  />
);
