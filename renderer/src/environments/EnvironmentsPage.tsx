// All environments: found by name or id, launched in one click, thousands of them without a hitch.
import './environments.css';
import { Button, Switch } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { IconBox, IconPlus, IconSearch } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { counted } from '../ui/format.ts';
import { Loading } from '../ui/Loading.tsx';
import { Page } from '../ui/Page.tsx';
import { RowList } from '../ui/RowList.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { usePlaceState } from '../ui/use-place-state.ts';
import { environmentColumns } from './environment-columns.tsx';
import { useEnvironmentList } from './use-environment-list.ts';

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

/** The page. */
export const EnvironmentsPage = () => {
  const [, go] = useLocation();
  const [search, setSearch] = usePlaceState<string>('search', '');
  const [wanted] = useDebouncedValue(search.trim(), 150);
  const [archived, setArchived] = usePlaceState<'no' | 'yes'>('archived', 'no', { known: ['no', 'yes'] });
  const showsArchived = archived === 'yes';
  const { rows, total, isFirstLoad, problem, hasMore, loadMore } = useEnvironmentList(wanted, showsArchived);
  useHotkeys([['n', () => go('/environments/new')]]);

  return (
    <Page
      title="Environments"
      isFlush
      actions={
        (rows.length > 0 || wanted !== '' || isFirstLoad) && (
          <Button component={Link} href="/environments/new" leftSection={<IconPlus size={14} />}>
            New environment
          </Button>
        )
      }
    >
      <div className="list-bar">
        <SearchField label="Search environments by name or id" placeholder="Search by name or id" value={search} onChange={setSearch} />
        <Switch label="Archived" checked={showsArchived} onChange={(event) => setArchived(event.currentTarget.checked ? 'yes' : 'no')} />
        <span className="grow" />
        <span className="faint num" role="status">
          {!isFirstLoad && counted(total, 'environment')}
        </span>
      </div>
      {problem && (
        <div className="list-note">
          <Banner tone="bad" title={problem.message} next={problem.next_action} />
        </div>
      )}
      {isFirstLoad && <Loading what="environments" />}
      {!isFirstLoad && !problem && rows.length === 0 && <NothingHere search={wanted} />}
      {rows.length > 0 && (
        <RowList
          label="Environments"
          layout="is-environments"
          rows={rows}
          keyOf={({ id }) => id}
          columns={environmentColumns}
          isTall
          onEnd={hasMore ? () => void loadMore() : undefined}
        />
      )}
    </Page>
  );
};
