// Builds of an environment: the list, the one that is looked at with its steps and log, and the ledger of pins.
import { Button } from '@mantine/core';
import { IconHammer } from '@tabler/icons-react';
import { useCallback } from 'react';
import type { Build, EnvironmentView, Pin } from '../../../sandbox-engine/contract/model.ts';
import { type Editing, useAsk } from '../store/actions.ts';
import { buildsOf, isPinnedBuild, pinsOf } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useBuild } from '../store/use-build.ts';
import { useGone } from '../store/use-gone.ts';
import { usePages } from '../store/use-pages.ts';
import { Ago } from '../ui/Ago.tsx';
import { Banner } from '../ui/Banner.tsx';
import { Elapsed } from '../ui/Elapsed.tsx';
import { Empty } from '../ui/Empty.tsx';
import { shortDigest, totalMs } from '../ui/format.ts';
import { GoneNote } from '../ui/GoneNote.tsx';
import { Loading } from '../ui/Loading.tsx';
import { Status, type Tone } from '../ui/Status.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { usePlaceState } from '../ui/use-place-state.ts';
import { WindowedList } from '../ui/WindowedList.tsx';
import { BuildDetail } from './BuildDetail.tsx';
import { buildLabel } from './build-label.ts';

const tones: Record<Build['status'], Tone> = { queued: 'run', running: 'run', succeeded: 'ok', failed: 'bad', cancelled: 'plain' };

/** How long a build took, or has taken so far. */
const BuildTime = ({ build }: { build: Build }) => {
  const durationMs = build.finished_at && build.started_at ? totalMs(build.steps) : null;
  return <Elapsed startedAt={build.finished_at ? null : build.started_at} durationMs={durationMs} />;
};

interface BuildItemProps {
  build: Build;
  isPinned: boolean;
  isShown: boolean;
  onPick: () => void;
}

const BuildItem = ({ build, isPinned, isShown, onPick }: BuildItemProps) => (
  <button type="button" className="text-button build-item" aria-current={isShown} onClick={onPick}>
    <span className="row">
      <Status tone={tones[build.status]} label={build.status.charAt(0).toUpperCase() + build.status.slice(1)} />
      {isPinned && <span className="tag is-ok">Pinned</span>}
      <span className="grow" />
      <span className="faint">
        <BuildTime build={build} />
      </span>
    </span>
    <span className="row faint" style={{ gap: 6 }}>
      <span title={`Fingerprint of recipe, base and runtime: ${build.fingerprint}`}>
        recipe <span className="mono">{build.fingerprint.slice(0, 10)}</span>
      </span>
      <span>·</span>
      <Ago at={build.created_at} />
    </span>
    {build.failed_step && <span className="clip tone-bad">{build.failed_step}</span>}
    {build.reused_build_id && <span className="dim">Nothing changed: the same image</span>}
  </button>
);

const pinWords: Record<Pin['action'], string> = { pinned: 'Pinned', unpinned: 'Unpinned', rejected: 'Rejected' };
const pinTones: Record<Pin['action'], Tone> = { pinned: 'ok', unpinned: 'plain', rejected: 'bad' };

const Ledger = ({ environment }: { environment: EnvironmentView }) => {
  const pins = useStored((state) => pinsOf(state, environment.id));
  if (pins.length === 0) return null;
  return (
    <section aria-label="What was pinned" className="pin-ledger">
      <h2 className="panel-title">What was pinned, and why it was not</h2>
      <div className="stack-tight">
        {pins.map((pin) => (
          <div key={pin.id}>
            <div className="row">
              <Status tone={pinTones[pin.action]} label={pinWords[pin.action]} isHollow={pin.action === 'unpinned'} />
              {pin.image_id && <span className="mono faint">{shortDigest(pin.image_id)}</span>}
              <span className="grow" />
              <span className="faint">
                <Ago at={pin.at} />
              </span>
            </div>
            {pin.reason && <div className="faint">{pin.reason}</div>}
          </div>
        ))}
      </div>
    </section>
  );
};

/** Which build is looked at: the one that the address names, else the latest. */
const useShownBuild = (builds: readonly Build[]) => {
  const ask = useAsk();
  const [picked, setPicked] = usePlaceState<string>('build', '', { isStep: true });
  const named = builds.find(({ id }) => id === picked);
  const look = useCallback((id: string) => ask('builds.get', { build_id: id }), [ask]);
  return { shown: named ?? builds[0], setPicked, gone: useGone(picked, named !== undefined, look) ? picked : null };
};

/** The tab. */
export const BuildsTab = ({ editing }: { editing: Editing }) => {
  const { environment } = editing;
  const ask = useAsk();
  const builds = useStored((state) => buildsOf(state, environment.id));
  // A new build comes to the front unless another one was picked since.
  const { shown, setPicked, gone } = useShownBuild(builds);
  const load = useCallback(
    (cursor: { cursor?: string }) => ask('builds.list', { environment_id: environment.id, limit: 100, ...cursor }),
    [ask, environment.id],
  );
  const { isFirstLoad, hasMore, problem, loadMore } = usePages(load);
  const { isBusy, run } = useBusy('The build did not start');
  const build = useBuild(run);
  if (!shown && problem)
    return (
      <div className="list-note">
        <Banner tone="bad" title={problem.message} next={problem.next_action} />
      </div>
    );
  if (!shown && isFirstLoad) return <Loading what="builds" />;
  const note = gone !== null && <GoneNote noun="build" id={gone} instead={shown ? 'this is the latest' : 'there is none yet'} />;
  if (!shown)
    return (
      <>
        {note}
        <Empty
          icon={<IconHammer size={20} />}
          title="Not built yet"
          actions={
            <Button loading={isBusy} onClick={() => void build(environment)}>
              {buildLabel(editing.isDirty)}
            </Button>
          }
        >
          A build turns the recipe into an image, tests that it boots, and pins it. Until then sessions start on the default base.
        </Empty>
      </>
    );
  const pinned = builds.find(({ id }) => id === environment.image.build_id);
  const isPinned = (build: Build) => isPinnedBuild(environment, build, pinned);
  return (
    <>
      {note}
      <div className="builds">
        <div className="build-list">
          <WindowedList
            label="Builds"
            role="navigation"
            items={builds}
            keyOf={({ id }) => id}
            usualHeight={58}
            draw={(build) => (
              <BuildItem
                build={build}
                isPinned={isPinned(build)}
                isShown={build.id === shown.id}
                onPick={() => setPicked(build.id === builds[0]?.id ? '' : build.id)}
              />
            )}
            onEnd={hasMore ? loadMore : undefined}
          />
          <Ledger environment={environment} />
        </div>
        <BuildDetail key={shown.id} build={shown} isPinned={isPinned(shown)} />
      </div>
    </>
  );
};
