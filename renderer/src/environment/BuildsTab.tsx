// Builds of an environment: the list, the one that is looked at with its steps and log, and the ledger of pins.
import { Button } from '@mantine/core';
import { IconHammer } from '@tabler/icons-react';
import { useState } from 'react';
import type { Build, EnvironmentView, Pin } from '../../../sandbox-engine/contract/model.ts';
import { type Editing, useAsk } from '../store/actions.ts';
import { buildsOf, pinsOf } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { Ago } from '../ui/Ago.tsx';
import { Elapsed } from '../ui/Elapsed.tsx';
import { Empty } from '../ui/Empty.tsx';
import { shortDigest, totalMs } from '../ui/format.ts';
import { Status, type Tone } from '../ui/Status.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { BuildDetail } from './BuildDetail.tsx';

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
      <span className="mono">{build.fingerprint.slice(0, 10)}</span>
      <span>·</span>
      <Ago at={build.created_at} />
    </span>
    {build.failed_step && <span className="clip tone-bad">{build.failed_step}</span>}
    {build.reused_build_id && <span className="faint">Same fingerprint: image shared, nothing built</span>}
  </button>
);

const pinWords: Record<Pin['action'], string> = { pinned: 'Pinned', unpinned: 'Unpinned', rejected: 'Rejected' };
const pinTones: Record<Pin['action'], Tone> = { pinned: 'ok', unpinned: 'plain', rejected: 'bad' };

const Ledger = ({ environment }: { environment: EnvironmentView }) => {
  const pins = useStored((state) => pinsOf(state, environment.id));
  if (pins.length === 0) return null;
  return (
    <section aria-label="Pin ledger" style={{ padding: '10px 14px 14px 24px' }}>
      <h2 className="panel-title" style={{ marginBottom: 6 }}>
        Pin ledger
      </h2>
      <div className="stack-tight" style={{ fontSize: 12 }}>
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

/** The tab. */
export const BuildsTab = ({ editing }: { editing: Editing }) => {
  const { environment } = editing;
  const ask = useAsk();
  const builds = useStored((state) => buildsOf(state, environment.id));
  const [picked, setPicked] = useState<string | null>(null);
  const { isBusy, run } = useBusy('The build did not start');
  // A new build comes to the front unless another one was picked since.
  const shown = builds.find((build) => build.id === picked) ?? builds[0];
  if (!shown)
    return (
      <Empty
        icon={<IconHammer size={20} />}
        title="Not built yet"
        actions={
          <Button loading={isBusy} onClick={() => void run(ask('builds.start', { environment_id: environment.id, pin: true }))}>
            Build & pin
          </Button>
        }
      >
        A build turns the recipe into an image, tests that it boots, and pins it. Until then sessions start on the default base.
      </Empty>
    );
  const pinnedId = environment.image.state === 'none' ? null : environment.image.build_id;
  return (
    <div className="builds">
      <div className="build-list">
        <nav aria-label="Builds">
          {builds.map((build) => (
            <BuildItem
              key={build.id}
              build={build}
              isPinned={build.id === pinnedId}
              isShown={build.id === shown.id}
              onPick={() => setPicked(build.id === builds[0]?.id ? null : build.id)}
            />
          ))}
        </nav>
        <Ledger environment={environment} />
      </div>
      <BuildDetail key={shown.id} build={shown} isPinned={shown.id === pinnedId} />
    </div>
  );
};
