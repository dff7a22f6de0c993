// The launcher: what was used last one click away, what runs now, and templates to begin with.
import './home.css';
import { Button } from '@mantine/core';
import { IconChevronRight, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { EnvironmentView, Session, Template } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { hasFailedBuild, isBuilding, isLive, recentEnvironments, sessionsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useAwayIds } from '../store/use-away.ts';
import { launchObstacle, useLaunch } from '../store/use-launch.ts';
import { Ago } from '../ui/Ago.tsx';
import { askAgreement } from '../ui/agree-folders.tsx';
import { Elapsed } from '../ui/Elapsed.tsx';
import { LaunchButton } from '../ui/LaunchButton.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { resourceText } from '../ui/resource-text.ts';
import { SessionStatus } from '../ui/SessionStatus.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { EnvironmentBadge } from '../ui/Verdict.tsx';
import { Attention } from './Attention.tsx';

const Lesson = () => (
  <ol className="lesson">
    <li>
      <span className="lesson-number">1</span>
      <strong>Define an environment</strong>
      <span>A base, packages and build steps, written as a form or as YAML. Begin with a template.</span>
    </li>
    <li>
      <span className="lesson-number">2</span>
      <strong>Build and pin it</strong>
      <span>The recipe becomes an image. It is boot-tested, then pinned, so that every session starts from exactly it.</span>
    </li>
    <li>
      <span className="lesson-number">3</span>
      <strong>Launch a session</strong>
      <span>A sandbox of its own, with a workspace and terminals. Stop it, resume it, throw it away.</span>
    </li>
  </ol>
);

const EnvironmentCard = ({ environment }: { environment: EnvironmentView }) => {
  const runtimes = useStored((state) => state.runtimes);
  const running = useStored((state) => sessionsInOrder(state, environment.id).filter(isLive).length);
  const hasFailed = useStored((state) => hasFailedBuild(state, environment.id));
  const isUnderWay = useStored((state) => isBuilding(state, environment.id));
  const { isBusy, run } = useBusy('The session did not start');
  const launch = useLaunch(run, askAgreement);
  return (
    <article className="home-card" aria-label={environment.name}>
      <div>
        <div className="row">
          <Link href={`/environments/${environment.id}`} className="home-card-name clip grow">
            {environment.name}
          </Link>
          {running > 0 && <span className="faint num">{running} running</span>}
        </div>
        <div className="faint clip">{environment.description || `${environment.recipe.base} · ${resourceText(environment.resources)}`}</div>
      </div>
      <div className="home-card-foot">
        <EnvironmentBadge
          image={environment.image}
          verification={environment.setup_verification}
          hasFailed={hasFailed}
          isBuilding={isUnderWay}
          environmentId={environment.id}
        />
        <LaunchButton
          name={environment.name}
          obstacle={launchObstacle(environment, runtimes)}
          isBusy={isBusy}
          variant="default"
          onLaunch={() => void launch(environment.id)}
        />
      </div>
    </article>
  );
};

const SessionLine = ({ session }: { session: Session }) => {
  const away = useAwayIds();
  const step = session.steps.findLast((candidate) => candidate.status === 'running');
  return (
    <Link href={`/sessions/${session.id}`} className="row-link">
      <div className="grow">
        <div className="clip" style={{ fontWeight: 550 }}>
          {session.name}
        </div>
        <div className="faint clip">
          {step ? (
            <>
              {step.message ?? step.name} · <Elapsed startedAt={step.started_at} durationMs={step.duration_ms} />
            </>
          ) : (
            <>
              {session.environment_name} · <Ago at={session.started_at ?? session.created_at} />
            </>
          )}
        </div>
      </div>
      <SessionStatus session={session} away={away} />
    </Link>
  );
};

/** As where one is chosen: what a person kept is what they look for; to begin with nothing is no template there. */
const ownFirst = (templates: readonly Template[]): Template[] =>
  templates.filter(({ id }) => id !== 'empty').toSorted((a, b) => Number(b.is_own) - Number(a.is_own));

const Templates = ({ isWide }: { isWide: boolean }) => {
  const ask = useAsk();
  const [templates, setTemplates] = useState<Template[]>([]);
  useEffect(() => {
    void ask('templates.list', {}).then((reply) => reply.ok && setTemplates(ownFirst(reply.value.items)));
  }, [ask]);
  return (
    <Panel title="Start from a template" isFlush>
      <div className={isWide ? 'home-templates' : undefined}>
        {templates.map((template) => (
          <Link key={template.id} href={`/environments/new?template=${template.id}`} className="row-link">
            <div className="grow">
              <div className="row" style={{ gap: 6, fontWeight: 550 }}>
                <span className="clip">{template.name}</span>
                {template.is_own && <span className="tag">Your own</span>}
              </div>
              <div className="faint">{template.summary}</div>
            </div>
            <IconChevronRight size={14} aria-hidden="true" />
          </Link>
        ))}
      </div>
    </Panel>
  );
};

/** The page. */
export const HomePage = () => {
  const environments = useStored((state) => recentEnvironments(state, 9));
  const sessions = useStored((state) => sessionsInOrder(state).filter(isLive));
  const isEmpty = environments.length === 0;
  return (
    <Page
      title="Home"
      actions={
        <Button component={Link} href="/environments/new" leftSection={<IconPlus size={14} />}>
          New environment
        </Button>
      }
    >
      <div className="home-grid" data-first={isEmpty || undefined}>
        <div className="stack" style={{ gap: 24 }}>
          <Attention />
          {isEmpty ? (
            <section aria-labelledby="lesson">
              <h2 className="home-heading" id="lesson">
                From nothing to a live sandbox in three steps
              </h2>
              <Lesson />
            </section>
          ) : (
            <section aria-labelledby="recent">
              <h2 className="home-heading" id="recent">
                Recent environments
                <Link href="/environments" className="link">
                  All environments
                </Link>
              </h2>
              <div className="home-cards">
                {environments.map((environment) => (
                  <EnvironmentCard key={environment.id} environment={environment} />
                ))}
              </div>
            </section>
          )}
          {sessions.length > 0 && (
            <Panel title="Running sessions" isFlush>
              {sessions.map((session) => (
                <SessionLine key={session.id} session={session} />
              ))}
            </Panel>
          )}
        </div>
        <Templates isWide={isEmpty} />
      </div>
    </Page>
  );
};
