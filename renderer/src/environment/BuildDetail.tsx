// One build: its steps with times beside its log, what failed and what to do, its boot test, and the pin.
import { Button } from '@mantine/core';
import { IconCheck, IconPin, IconPinnedOff, IconPlayerStop, IconX } from '@tabler/icons-react';
import { useMemo, useRef } from 'react';
import { Link } from 'wouter';
import type { BootTest, Build, BuildStep } from '../../../sandbox-engine/contract/model.ts';
import { useAsk, useStreamSource } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { type FeedViewHandle, streamFeed } from '../ui/feed.ts';
import { formatBytes, shortDigest } from '../ui/format.ts';
import { LogView } from '../ui/LogView.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { type ShownStep, StepList } from '../ui/StepList.tsx';
import { useBusy } from '../ui/use-busy.ts';

const PinButtons = ({ build, isPinned }: { build: Build; isPinned: boolean }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy(isPinned ? 'The pin stays' : 'This build was not pinned');
  const pin = async () => {
    const line = await run(ask('pins.create', { build_id: build.id }));
    if (line?.action === 'pinned') notifyDone('Pinned. New sessions start from this image.');
  };
  if (build.status === 'queued' || build.status === 'running')
    return (
      <Button
        variant="default"
        loading={isBusy}
        leftSection={<IconPlayerStop size={14} />}
        onClick={() => void run(ask('builds.cancel', { build_id: build.id }))}
      >
        Cancel build
      </Button>
    );
  if (build.status !== 'succeeded') return null;
  return isPinned ? (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconPinnedOff size={14} />}
      onClick={() => void run(ask('pins.remove', { environment_id: build.environment_id }))}
    >
      Unpin
    </Button>
  ) : (
    <Button variant="default" loading={isBusy} leftSection={<IconPin size={14} />} onClick={() => void pin()}>
      Pin this build
    </Button>
  );
};

const BootChecks = ({ test }: { test: BootTest }) => (
  <section aria-label="Boot test" style={{ borderTop: '1px solid var(--line)', padding: '10px 14px' }}>
    <h2 className="panel-title" style={{ marginBottom: 6 }}>
      Boot test
    </h2>
    <div className="stack-tight" style={{ gap: 4, fontSize: 12.5 }}>
      {test.checks.map((check) => (
        <div key={check.name} className={check.passed ? 'row' : 'row tone-bad'} title={check.message}>
          {check.passed ? <IconCheck size={14} color="var(--ok)" aria-label="passed" /> : <IconX size={14} aria-label="failed" />}
          <span className={check.passed ? 'clip' : undefined}>{check.passed ? check.name : check.message}</span>
        </div>
      ))}
    </div>
  </section>
);

interface FailureProps {
  build: Build;
  error: NonNullable<Build['error']>;
  /** Brings the step with this name into sight. */
  onShow: (name: string) => void;
}

/** What failed, with the way to its place in the log. */
const Failure = ({
  build: { environment_id: environmentId, steps, failed_step: failed },
  error: { message, next_action: next },
  onShow,
}: FailureProps) => {
  if (failed === null) return <Banner isBar tone="bad" title={message} next={next} />;
  const place = steps.findIndex(({ name, status }) => name === failed && status === 'failed') + 1;
  return (
    <Banner
      isBar
      tone="bad"
      title={
        <span className="row" style={{ gap: 6 }} title={failed}>
          <span style={{ flexShrink: 0 }}>{place === 0 ? 'Failed at' : `Failed at step ${place} of ${steps.length} of the build:`}</span>
          <span className="clip">{failed}</span>
        </span>
      }
      next={
        <>
          <div className="banner-lines">{`${message.charAt(0).toUpperCase()}${message.slice(1)}`}</div>
          {next}
        </>
      }
      actions={
        <>
          <Button component={Link} href={`/environments/${environmentId}/recipe?failed=${encodeURIComponent(failed)}`} variant="default">
            Open the recipe
          </Button>
          <Button variant="default" onClick={() => onShow(failed)}>
            Show in the log
          </Button>
        </>
      }
    />
  );
};

/** A step that the end of its build came before is not one that was cut short. */
const statusOf = ({ status, started_at: startedAt }: BuildStep): ShownStep['status'] =>
  status === 'cancelled' && startedAt === null ? 'unreached' : status;

/** The steps of a build as they are listed. */
export const toShown = (build: Build): ShownStep[] =>
  build.steps.map((step) => ({ name: step.name, status: statusOf(step), startedAt: step.started_at, durationMs: step.duration_ms }));

/** The build. A step that is pressed is looked for in the log. */
export const BuildDetail = ({ build, isPinned }: { build: Build; isPinned: boolean }) => {
  const source = useStreamSource(build.stream_id);
  const feed = useMemo(() => streamFeed(source), [source]);
  const log = useRef<FeedViewHandle>(null);
  // Where it failed is what one looks for; where it did not, its beginning.
  const showStep = (name: string) => void (log.current?.find(`✗ ${name}`) || log.current?.find(`── ${name}`));
  return (
    <div className="build-detail">
      <div className="build-head">
        <CopyText value={build.id} shown={`${build.id.slice(0, 4)}…${build.id.slice(-6)}`} label="build id" />
        <span className="dim mono clip">{build.base}</span>
        {build.image_id && <CopyText value={build.image_id} shown={shortDigest(build.image_id)} label="image id" />}
        {build.image_size !== null && <span className="dim num">{formatBytes(build.image_size)}</span>}
        <span className="grow" />
        <PinButtons build={build} isPinned={isPinned} />
      </div>
      {build.status === 'queued' && (
        <Banner
          isBar
          tone="run"
          title="Waits for its turn: a runtime builds one image at a time."
          next="It begins by itself. Steps and log are shown here then."
        />
      )}
      {build.error && <Failure build={build} error={build.error} onShow={showStep} />}
      <div className="build-panes">
        <div className="build-steps">
          <StepList steps={toShown(build)} label="Build steps" onPick={({ name }) => showStep(name)} />
          {build.boot_test && <BootChecks test={build.boot_test} />}
        </div>
        <div className="build-log">
          <LogView label="Build log" feed={feed} handle={log} />
        </div>
      </div>
    </div>
  );
};
