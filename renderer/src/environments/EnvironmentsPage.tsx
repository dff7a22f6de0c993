// biome-ignore-all lint/a11y/useSemanticElements: a virtual list cannot be a table element; the roles say what it is, and its cells hold what takes the focus
// biome-ignore-all lint/a11y/useFocusableInteractive: a virtual list cannot be a table element; the roles say what it is, and its cells hold what takes the focus
// All environments: found by name or id, launched in one click, thousands of them without a hitch.
import './environments.css';
import { Button, Switch } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { IconBox, IconPlus, IconSearch } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Loading } from '../ui/Loading.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { EnvironmentRow } from './EnvironmentRow.tsx';
import { useEnvironmentList } from './use-environment-list.ts';

const rowHeight = 48;

const NothingHere = ({ search }: { search: string }) =>
  search === '' ? (
    <Empty
      icon={<IconBox size={20} />}
      title="No environments yet"
      actions={
        <Button component={Link} href="/environments/new" leftSection={<IconPlus size={14} />}>
          New environment
        </Button>
      }
    >
      An environment says what a sandbox is made of: a base, packages, build steps, what it may reach. Make one from a template, then build
      and launch it.
    </Empty>
  ) : (
    <Empty icon={<IconSearch size={20} />} title={`Nothing matches “${search}”`}>
      The search looks at names and ids. Archived environments are found only while “Archived” is on.
    </Empty>
  );

interface TableProps {
  rows: readonly string[];
  hasMore: boolean;
  onMore: () => Promise<void>;
}

const columns = ['Name', 'ID', 'Resources', 'Setup', 'Image', 'Updated'];

const EnvironmentTable = ({ rows, hasMore, onMore }: TableProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - 30) void onMore();
  }, [hasMore, last, rows.length, onMore]);

  return (
    <div className="env-table" ref={scroller} role="table" aria-label="Environments" aria-rowcount={rows.length + 1}>
      <div className="env-row is-head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <div role="columnheader" key={column} className={column === 'Updated' ? 'env-updated' : undefined}>
            {column}
          </div>
        ))}
        <div role="columnheader">
          <span className="visually-hidden">Actions</span>
        </div>
      </div>
      <div role="rowgroup" style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
        {items.map((item) => {
          const id = rows[item.index];
          return id && <EnvironmentRow key={id} id={id} index={item.index} top={item.start} />;
        })}
      </div>
    </div>
  );
};

/** The page. */
export const EnvironmentsPage = () => {
  const [, go] = useLocation();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 150);
  const [showsArchived, setShowsArchived] = useState(false);
  const { rows, total, isFirstLoad, problem, hasMore, loadMore } = useEnvironmentList(wanted, showsArchived);
  useHotkeys([['n', () => go('/environments/new')]]);

  return (
    <Page
      title="Environments"
      isFlush
      actions={
        <Button component={Link} href="/environments/new" leftSection={<IconPlus size={14} />}>
          New environment
        </Button>
      }
    >
      <div className="env-toolbar">
        <SearchField label="Search environments by name or id" placeholder="Search by name or id" value={search} onChange={setSearch} />
        <Switch label="Archived" checked={showsArchived} onChange={(event) => setShowsArchived(event.currentTarget.checked)} />
        <span className="grow" />
        <span className="faint num" role="status">
          {!isFirstLoad && `${total.toLocaleString('en-GB')} ${total === 1 ? 'environment' : 'environments'}`}
        </span>
      </div>
      {problem && (
        <div style={{ padding: 24 }}>
          <Banner tone="bad" title={problem.message} next={problem.next_action} />
        </div>
      )}
      {isFirstLoad && <Loading what="environments" />}
      {!isFirstLoad && !problem && rows.length === 0 && <NothingHere search={wanted} />}
      {rows.length > 0 && <EnvironmentTable rows={rows} hasMore={hasMore} onMore={loadMore} />}
    </Page>
  );
};
