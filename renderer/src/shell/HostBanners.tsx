// What concerns the whole window: the host is away, the registry is damaged or read only, no runtime can be used.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RegistryState, RuntimeProbe } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { awayRuntimes } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { confirm } from '../ui/confirm.tsx';
import { counted, formatBytes, momentText } from '../ui/format.ts';
import { notifyDone, notifyNotice } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';

const RestoreButton = ({ registry }: { registry: RegistryState }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The backup was not restored');
  const newest = registry.backups[0];
  if (!newest) return null;
  const when = momentText(newest.at);
  const open = () =>
    confirm({
      title: 'Restore the newest backup?',
      body: `Environments, builds and sessions go back to how they were on ${when} (${formatBytes(newest.size)}). The present file is put aside, not deleted.`,
      confirm: 'Restore backup',
      onConfirm: () => void run(ask('registry.restore', { path: newest.path })),
    });
  return (
    <Button variant="default" loading={isBusy} onClick={open}>
      Restore backup of {when}
    </Button>
  );
};

const OrphansButton = () => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('Nothing was brought back');
  const bringBack = async () => {
    const brought = await run(ask('registry.orphans', { import: true }));
    if (brought)
      notifyDone(
        `${counted(brought.environments.length, 'environment')} brought back. Check their settings: only recipes are in the labels.`,
      );
  };
  const look = async () => {
    const found = await run(ask('registry.orphans', { import: false }));
    if (!found) return;
    const { environments } = found;
    if (environments.length === 0) return notifyNotice('info', 'The runtime knows no environments that are missing here.');
    confirm({
      title: `Bring back ${counted(environments.length, 'environment')}?`,
      body: `Only the runtime still knows these: ${environments.map(({ name }) => name).join(', ')}. Recipes come back where an image carries them, all other settings at their defaults.`,
      confirm: 'Bring back',
      onConfirm: () => void bringBack(),
    });
  };
  return (
    <Button variant="default" loading={isBusy} onClick={() => void look()}>
      Look in the runtime
    </Button>
  );
};

const nextOf = ({ status, kept_aside, message }: RegistryState): string | undefined => {
  if (status === 'read_only') return 'You can look at everything, but changes are refused until this is mended.';
  return kept_aside && !message.includes(kept_aside) ? `The damaged file was kept at ${kept_aside}.` : undefined;
};

const RegistryBanner = ({ registry }: { registry: RegistryState }) => {
  const [accepted, setAccepted] = useState<string | null>(null);
  if (registry.status === 'ok' || accepted === registry.message) return null;
  const isDamaged = registry.status === 'damaged';
  return (
    <Banner
      isBar
      tone={isDamaged ? 'bad' : 'warn'}
      title={registry.message}
      next={nextOf(registry)}
      actions={
        registry.status !== 'read_only' && (
          <>
            {isDamaged && <RestoreButton registry={registry} />}
            {isDamaged && <OrphansButton />}
            <Button variant="subtle" color="gray" onClick={() => setAccepted(registry.message)}>
              {isDamaged ? 'Go on with the empty one' : 'Dismiss'}
            </Button>
          </>
        )
      }
    />
  );
};

const RuntimeBanner = ({ runtime }: { runtime: RuntimeProbe }) => {
  const name = runtime.kind === 'podman' ? 'Podman' : 'Docker';
  const isBack = runtime.status === 'reconnecting';
  return (
    <Banner
      isBar
      tone={isBack ? 'run' : 'warn'}
      title={isBack ? `Reconnecting to ${name}` : `${name} cannot be used: ${runtime.message}`}
      next="Sessions on it go on if it runs, but cannot be reached, and its environments start nothing. Sandlot goes on by itself when it is back."
      actions={
        <Button variant="default" component={Link} href="/runtimes">
          See what to do
        </Button>
      }
    />
  );
};

/** The banners under the window's top edge; nothing when all is well. */
export const HostBanners = () => {
  const link = useStored((state) => state.link);
  const registry = useStored((state) => state.registry);
  const hasRuntime = useStored((state) => state.runtimes.some((runtime) => runtime.status === 'connected'));
  const away = useStored(awayRuntimes);
  return (
    <>
      {link === 'lost' && (
        <Banner
          isBar
          tone="run"
          title="Reconnecting to the host"
          next="What you see may be old. Sandboxes keep running; nothing is lost."
        />
      )}
      {registry && <RegistryBanner registry={registry} />}
      {registry && link === 'open' && !hasRuntime && (
        <Banner
          isBar
          tone="warn"
          title="No container runtime can be used"
          next="Environments can be edited, but not built or launched."
          actions={
            <Button variant="default" component={Link} href="/runtimes">
              See what to do
            </Button>
          }
        />
      )}
      {hasRuntime && link === 'open' && away.map((runtime) => <RuntimeBanner key={runtime.id} runtime={runtime} />)}
    </>
  );
};
