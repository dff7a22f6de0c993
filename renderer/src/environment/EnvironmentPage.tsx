// One environment: its tabs, and the one bar that saves whatever was edited on any of them.
import './builds.css';
import './environment.css';
import './recipe.css';
import { IconBox } from '@tabler/icons-react';
import { type ComponentType, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { type Editing, useAsk, useEditing } from '../store/actions.ts';
import { hasFailedBuild, isBuilding } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { launchObstacle, placeOfObstacle } from '../store/use-launch.ts';
import { Banner } from '../ui/Banner.tsx';
import { isNotThere } from '../ui/is-not-there.ts';
import { LaunchNote } from '../ui/LaunchNote.tsx';
import { Loading } from '../ui/Loading.tsx';
import { NoSuchPart } from '../ui/NoSuchPart.tsx';
import { NotThere } from '../ui/NotThere.tsx';
import { Page } from '../ui/Page.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { EnvironmentBadge } from '../ui/Verdict.tsx';
import { AccessTab } from './AccessTab.tsx';
import { BuildsTab } from './BuildsTab.tsx';
import { EnvironmentActions } from './EnvironmentActions.tsx';
import { KnowledgeTab } from './KnowledgeTab.tsx';
import { NetworkTab } from './NetworkTab.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { RecipeTab } from './RecipeTab.tsx';
import { ResourcesTab } from './ResourcesTab.tsx';
import { SaveBar } from './SaveBar.tsx';
import { SessionsTab } from './SessionsTab.tsx';
import { SetupTab } from './SetupTab.tsx';
import { VariablesTab } from './VariablesTab.tsx';

interface TabDefinition {
  id: string;
  label: string;
  view: ComponentType<{ editing: Editing }>;
  /** Fields whose edits put a dot on the tab. */
  fields: readonly string[];
  isFull?: boolean;
}

const tabs: readonly TabDefinition[] = [
  { id: 'overview', label: 'Overview', view: OverviewTab, fields: ['name', 'description', 'metadata', 'repo'] },
  { id: 'recipe', label: 'Recipe', view: RecipeTab, fields: ['recipe_yaml'], isFull: true },
  { id: 'setup', label: 'Setup', view: SetupTab, fields: ['setup'], isFull: true },
  { id: 'builds', label: 'Builds', view: BuildsTab, fields: [], isFull: true },
  { id: 'network', label: 'Network', view: NetworkTab, fields: ['network_policy'] },
  { id: 'access', label: 'Privileges', view: AccessTab, fields: ['privileged', 'computer_use', 'mounts'] },
  {
    id: 'resources',
    label: 'Resources',
    view: ResourcesTab,
    fields: ['resources', 'disk_gib', 'idle_stop_seconds', 'retention_seconds', 'live', 'warm'],
  },
  { id: 'variables', label: 'Variables & secrets', view: VariablesTab, fields: ['env_vars', 'secrets', 'secret_files'] },
  { id: 'knowledge', label: 'Knowledge', view: KnowledgeTab, fields: ['knowledge', 'runbook', 'skills', 'mcp_servers'] },
  { id: 'sessions', label: 'Sessions', view: SessionsTab, fields: [], isFull: true },
];

const TabBar = ({ id, active, patch }: { id: string; active: string; patch: Editing['patch'] }) => (
  <nav className="env-tabs" aria-label="Parts of this environment">
    {tabs.map((tab) => {
      const isEdited = tab.fields.some((field) => field in patch);
      return (
        <Link
          key={tab.id}
          href={`/environments/${id}/${tab.id}`}
          className={tab.id === active ? 'env-tab is-active' : 'env-tab'}
          aria-current={tab.id === active ? 'page' : undefined}
        >
          {tab.label}
          {isEdited && (
            <>
              <span className="env-tab-edited" aria-hidden="true" />
              <span className="visually-hidden">, not saved</span>
            </>
          )}
        </Link>
      );
    })}
  </nav>
);

/** Whether it is its setup that keeps it from being launched, which the tab of that name says. */
const saysSetup = ({ archived_at, setup_verification }: EnvironmentView): boolean =>
  archived_at === null && !setup_verification.can_start_sessions;

const Loaded = ({ environment, tab }: { environment: EnvironmentView; tab: string }) => {
  const editing = useEditing(environment);
  const hasFailed = useStored((state) => hasFailedBuild(state, environment.id));
  const isUnderWay = useStored((state) => isBuilding(state, environment.id));
  const obstacle = launchObstacle(
    environment,
    useStored((state) => state.runtimes),
  );
  const shown = tabs.find((candidate) => candidate.id === tab);
  const View = shown?.view;
  const [, go] = useLocation();
  usePageDeeds(
    tabs.map(
      ({ id, label }) => id !== tab && { label: `Show ${label}`, isPart: true, run: () => go(`/environments/${environment.id}/${id}`) },
    ),
  );
  return (
    <Page
      title={editing.patch.name ?? environment.name}
      parent={{ label: 'Environments', href: '/environments' }}
      isFlush
      beside={
        <>
          <EnvironmentBadge
            image={environment.image}
            verification={environment.setup_verification}
            hasFailed={hasFailed}
            isBuilding={isUnderWay}
            environmentId={environment.id}
          />
          {environment.archived_at !== null && <span className="tag">Archived</span>}
        </>
      }
      actions={<EnvironmentActions environment={environment} obstacle={obstacle} />}
      note={<LaunchNote obstacle={obstacle} way={placeOfObstacle(environment)} isSaid={tab === 'setup' && saysSetup(environment)} />}
      tabs={<TabBar id={environment.id} active={tab} patch={editing.patch} />}
    >
      <div className="env-page">
        <div className={shown?.isFull ? 'env-scroll is-full' : 'env-scroll'}>
          {View ? <View editing={editing} /> : <NoSuchPart name={tab} href={`/environments/${environment.id}`} label="Overview" />}
        </div>
        <SaveBar editing={editing} />
      </div>
    </Page>
  );
};

/** The page; it asks for the environment anew, because an image may have been removed behind our back. */
export const EnvironmentPage = ({ id, tab }: { id: string; tab: string }) => {
  const ask = useAsk();
  const environment = useStored((state) => state.environments[id]);
  const isOpen = useStored((state) => state.link === 'open');
  const [refusal, setRefusal] = useState<ErrorBody | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    void ask('environments.get', { environment_id: id }).then((reply) => setRefusal(reply.ok ? null : reply.error));
    void ask('builds.list', { environment_id: id, limit: 50 });
    void ask('pins.list', { environment_id: id });
    void ask('setup_runs.list', { environment_id: id, limit: 20 });
  }, [ask, id, isOpen]);
  if (environment) return <Loaded environment={environment} tab={tab} />;
  if (refusal === null) return <Loading what="the environment" />;
  if (!isNotThere(refusal))
    return (
      <Page title="Environment" parent={{ label: 'Environments', href: '/environments' }}>
        <Banner tone="bad" title={refusal.message} next={refusal.next_action} />
      </Page>
    );
  return <NotThere noun="environment" icon={<IconBox size={20} />} parent={{ label: 'Environments', href: '/environments' }} />;
};
