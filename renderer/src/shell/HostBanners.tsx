// What concerns the whole window: the host is away, the registry is damaged or read only, no runtime can be used.
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { RegistryState } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { confirm } from '../ui/confirm.tsx';
import { formatBytes } from '../ui/format.ts';
import { useBusy } from '../ui/use-busy.ts';

const RestoreButton = ({ registry }: { registry: RegistryState }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The backup was not restored');
  const newest = registry.backups[0];
  if (!newest) return null;
  const when = new Date(newest.at).toLocaleString('en-GB');
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
  const look = async () => {
    const found = await run(ask('registry.orphans', { import: false }));
    if (!found) return;
    confirm({
      title: found.environments.length === 0 ? 'Nothing to bring back' : `Bring back ${found.environments.length} environments?`,
      body:
        found.environments.length === 0
          ? 'The runtime knows no environments that are missing here.'
          : `Only the runtime still knows these: ${found.environments.map((environment) => environment.name).join(', ')}.`,
      confirm: 'Bring back',
      onConfirm: () => void run(ask('registry.orphans', { import: true })),
    });
  };
  return (
    <Button variant="default" loading={isBusy} onClick={() => void look()}>
      Look for environments in the runtime
    </Button>
  );
};

const RegistryBanner = ({ registry }: { registry: RegistryState }) => {
  if (registry.status === 'ok') return null;
  const aside = registry.kept_aside ? `The damaged file was kept at ${registry.kept_aside}.` : undefined;
  return (
    <Banner
      isBar
      tone={registry.status === 'damaged' ? 'bad' : 'warn'}
      title={registry.message}
      next={
        aside ?? (registry.status === 'read_only' ? 'You can look at everything, but changes are refused until this is mended.' : undefined)
      }
      actions={
        registry.status !== 'read_only' && (
          <>
            <OrphansButton />
            <RestoreButton registry={registry} />
          </>
        )
      }
    />
  );
};

/** The banners under the window's top edge; nothing when all is well. */
export const HostBanners = () => {
  const link = useStored((state) => state.link);
  const registry = useStored((state) => state.registry);
  const hasRuntime = useStored((state) => state.runtimes.some((runtime) => runtime.status === 'connected'));
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
    </>
  );
};
