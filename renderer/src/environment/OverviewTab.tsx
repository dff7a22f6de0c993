// An environment at a glance: what a session would run on now, whether that is proven, and what it is called.
import { Button, Textarea, TextInput } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import type { Build, EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import type { Editing } from '../store/actions.ts';
import { buildsOf, sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useAwayIds } from '../store/use-away.ts';
import { Ago } from '../ui/Ago.tsx';
import { Banner } from '../ui/Banner.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { Facts } from '../ui/Facts.tsx';
import { counted, formatBytes, formatSeconds, shortDigest, shortId } from '../ui/format.ts';
import { PairsEditor } from '../ui/PairsEditor.tsx';
import { Panel } from '../ui/Panel.tsx';
import { resourceText } from '../ui/resource-text.ts';
import { SessionStatus } from '../ui/SessionStatus.tsx';
import { StepList } from '../ui/StepList.tsx';
import { ImageBadge, Verdict } from '../ui/Verdict.tsx';
import { AttachedTo } from './AttachedTo.tsx';
import { Chain } from './Chain.tsx';
import { RepositoryPanel } from './RepositoryPanel.tsx';
import { isTestNext } from './setup-words.ts';
import { testObstacle, useSetupTest } from './use-setup-test.ts';

const BuildFailure = ({ build }: { build: Build }) => (
  <Banner
    tone="bad"
    title={build.failed_step === null ? 'The last build failed' : `The last build failed at “${build.failed_step}”`}
    next={build.error?.message.replace(/^./, (letter) => letter.toUpperCase())}
    actions={
      <Button variant="default" component={Link} href={`/environments/${build.environment_id}/builds`}>
        See its log
      </Button>
    }
  />
);

const ImagePanel = ({ environment }: { environment: EnvironmentView }) => {
  const { image } = environment;
  const pinned = useStored((state) => (image.build_id ? state.builds[image.build_id] : undefined));
  const active = useStored((state) => (environment.active_build_id ? state.builds[environment.active_build_id] : undefined));
  const newest = useStored((state) => buildsOf(state, environment.id)[0]);
  const bad = image.state === 'missing' ? 'bad' : 'warn';
  return (
    <Panel
      title="Image"
      actions={
        <Link className="link" href={`/environments/${environment.id}/builds`}>
          Builds and pins
        </Link>
      }
    >
      <div className="stack-tight">
        {image.state === 'active' || image.state === 'none' ? (
          <div className="row is-said">
            <ImageBadge image={image} />
            <span className="dim">{image.message}</span>
          </div>
        ) : (
          <Banner
            tone={bad}
            title={image.message}
            next="Sessions fall back to the default base until you build again or pin another build."
          />
        )}
        {newest?.status === 'failed' && <BuildFailure build={newest} />}
        {pinned && image.image_id && (
          <div className="row dim" style={{ gap: 12 }}>
            <CopyText value={image.image_id} shown={shortDigest(image.image_id)} label="image id" />
            {pinned.image_size !== null && <span className="num">{formatBytes(pinned.image_size)}</span>}
            <span>
              built <Ago at={pinned.finished_at ?? pinned.created_at} />
            </span>
          </div>
        )}
        {active && (
          <div style={{ margin: '0 -14px -10px' }}>
            <StepList
              label="Steps of the running build"
              steps={active.steps.map((step) => ({
                name: step.name,
                status: step.status,
                startedAt: step.started_at,
                durationMs: step.duration_ms,
              }))}
            />
          </div>
        )}
      </div>
    </Panel>
  );
};

const SetupPanel = ({ editing }: { editing: Editing }) => {
  const { environment, isDirty } = editing;
  const [, go] = useLocation();
  const { isBusy, test } = useSetupTest(editing, (run) => go(`/environments/${environment.id}/setup?run=${run}&side=test`));
  const hasRuntime = useStored((state) => state.runtimes.some((runtime) => runtime.status === 'connected'));
  const obstacle = testObstacle(editing, null, hasRuntime);
  const { setup_verification: verification } = environment;
  const failed = verification.last_run?.status === 'failed' ? verification.last_run : null;
  return (
    <Panel
      title="Setup"
      actions={
        <Link className="link" href={`/environments/${environment.id}/setup`}>
          {environment.setup ? 'Open setup' : 'Add a setup script'}
        </Link>
      }
    >
      <div className="stack-tight">
        <div className="row is-said">
          <Verdict verification={verification} environmentId={environment.id} />
          <span className="dim">{verification.message}</span>
        </div>
        {isTestNext(environment) && (
          <div>
            <Button loading={isBusy} disabled={obstacle !== null} title={obstacle ?? undefined} onClick={() => void test()}>
              {isDirty ? 'Save and test setup' : 'Test setup'}
            </Button>
          </div>
        )}
        {failed && (
          <Banner
            tone={failed.failure_code === 'host_stopped' ? 'warn' : 'bad'}
            title={
              failed.hint ??
              (failed.failed_line ? `Line ${failed.failed_line} failed: ${failed.failed_command ?? ''}` : 'The last setup run failed.')
            }
            next={failed.next_action}
          />
        )}
      </div>
    </Panel>
  );
};

const RecentSessions = ({ id }: { id: string }) => {
  const away = useAwayIds();
  const sessions = useStored((state) => sessionsInOrder(state, id).slice(0, 5));
  if (sessions.length === 0) return null;
  return (
    <Panel title="Sessions" isFlush>
      <table className="grid-table is-fixed" aria-label="Newest sessions">
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <td className="clip">
                <Link href={`/sessions/${session.id}`} style={{ fontWeight: 550 }} title={session.name}>
                  {session.name}
                </Link>
              </td>
              <td style={{ width: 120 }}>
                <SessionStatus session={session} away={away} />
              </td>
              <td className="dim" style={{ width: 116, textAlign: 'right' }}>
                <Ago at={session.started_at ?? session.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
};

const NamePanel = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const stored = environment.metadata;
  const shownMetadata = Object.fromEntries(
    Object.entries({ ...stored, ...(patch.metadata ?? {}) }).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const putMetadata = (next: Record<string, string>) => {
    // Metadata merges on the host: a name that is gone must be sent as null.
    const removed = Object.keys(stored).filter((name) => !(name in next));
    edit({ metadata: { ...next, ...Object.fromEntries(removed.map((name) => [name, null])) } });
  };
  return (
    <Panel title="About">
      <div className="stack" style={{ gap: 12 }}>
        <TextInput
          label="Name"
          maxLength={256}
          value={patch.name ?? environment.name}
          onChange={(event) => edit({ name: event.currentTarget.value })}
        />
        <Textarea
          label="Description"
          description="Agents read it when they choose an environment."
          autosize
          minRows={2}
          value={patch.description ?? environment.description}
          onChange={(event) => edit({ description: event.currentTarget.value })}
        />
        <div>
          <div style={{ fontSize: 12, fontWeight: 600, marginBottom: 4 }}>Metadata</div>
          <PairsEditor noun="entry" value={shownMetadata} onChange={putMetadata} />
        </div>
      </div>
    </Panel>
  );
};

const networkText = (environment: EnvironmentView): string => {
  if (!('rules' in environment.network_policy)) return 'Unrestricted';
  return environment.network_policy.rules.length === 0 ? 'No access' : counted(environment.network_policy.rules.length, 'rule');
};

/** The tab. */
export const OverviewTab = ({ editing }: { editing: Editing }) => {
  const { environment } = editing;
  const builds = useStored((state) => buildsOf(state, environment.id).length);
  return (
    <div className="overview wide">
      <Chain environment={environment} />
      <div className="stack">
        <ImagePanel environment={environment} />
        <SetupPanel editing={editing} />
        <RecentSessions id={environment.id} />
        <RepositoryPanel editing={editing} />
        <NamePanel editing={editing} />
      </div>
      <Panel title="Facts">
        <Facts
          items={[
            ['ID', <CopyText key="id" value={environment.id} shown={shortId(environment.id)} label="id" />],
            ['Slug', <CopyText key="slug" value={environment.slug} label="slug" />],
            ['Runtime', environment.runtime],
            [
              'Base',
              <span key="base" className="mono">
                {environment.recipe.base}
              </span>,
            ],
            ['Resources', resourceText(environment.resources)],
            ['Disk', `${environment.disk_gib} GiB`],
            ['Network', networkText(environment)],
            ['Attached to', <AttachedTo key="agents" id={environment.id} />],
            ['Idle stop', formatSeconds(environment.idle_stop_seconds)],
            ['Builds', builds],
            ['Revision', environment.revision],
            ['Updated', <Ago key="updated" at={environment.updated_at} />],
            ['Created', <Ago key="created" at={environment.created_at} />],
          ]}
        />
      </Panel>
    </div>
  );
};
