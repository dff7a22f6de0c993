// The images that Sandlot made: what each is for, who needs it, how large it is; what nobody needs can go.
import { Button } from '@mantine/core';
import { IconRefresh, IconStack2 } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { OwnImage } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { Ago } from '../ui/Ago.tsx';
import { Banner } from '../ui/Banner.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Empty } from '../ui/Empty.tsx';
import { formatBytes, shortDigest } from '../ui/format.ts';
import { Loading } from '../ui/Loading.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Status } from '../ui/Status.tsx';
import { useBusy } from '../ui/use-busy.ts';

const kindWords: Record<OwnImage['kind'], string> = {
  base: 'Base',
  build: 'Build of a recipe',
  prepared: 'Prepared by setup',
  gate: 'Gate of networks',
  other: 'Other',
};
const howWords: Record<OwnImage['used_by'][number]['how'], string> = { pinned: 'pinned', prepared: 'verdict', session: 'session' };

const mostShown = 3;

const Users = ({ image: { used_by: users, kind, is_unused: isUnused } }: { image: OwnImage }) => {
  if (users.length === 0) {
    const needed = kind === 'base' ? 'New builds start from it' : 'Needed by Sandlot itself';
    return isUnused ? <Status tone="plain" label="Nobody" isHollow /> : <span className="faint">{needed}</span>;
  }
  return (
    <span className="row" style={{ flexWrap: 'wrap', columnGap: 10 }}>
      {users.slice(0, mostShown).map(({ environment_id: id, name, how }) => (
        <span key={`${id} ${name} ${how}`} className="clip">
          {id === null ? (
            name
          ) : (
            <Link className="link" href={`/environments/${id}`}>
              {name}
            </Link>
          )}{' '}
          <span className="faint">{howWords[how]}</span>
        </span>
      ))}
      {users.length > mostShown && <span className="faint">and {users.length - mostShown} more</span>}
    </span>
  );
};

const Row = ({ image, onRemove }: { image: OwnImage; onRemove: (image: OwnImage) => Promise<void> }) => {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    await onRemove(image);
    setBusy(false);
  };
  return (
    <tr>
      <td>
        <CopyText value={image.id} shown={shortDigest(image.id)} label="image id" />
        <div className="faint clip" title={image.tags.join(', ')}>
          {image.tags[0] ?? 'no name'}
        </div>
      </td>
      <td>
        <span className="clip">{kindWords[image.kind]}</span>
        <div className="faint clip">{image.runtime}</div>
      </td>
      <td>
        <Users image={image} />
      </td>
      <td className="num dim" style={{ textAlign: 'right' }}>
        {formatBytes(image.size)}
      </td>
      <td className="num dim">
        <Ago at={image.created_at} />
      </td>
      <td style={{ textAlign: 'right' }}>
        {image.is_unused && (
          <Button
            variant="subtle"
            size="compact-xs"
            loading={isBusy}
            onClick={() => void remove()}
            aria-label={`Remove image ${shortDigest(image.id)}`}
          >
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
};

const Table = ({ images, onRemove }: { images: readonly OwnImage[]; onRemove: (image: OwnImage) => Promise<void> }) => (
  <Panel title="Images" note="sizes with all layers, which images share; only what Sandlot made is listed" isFlush>
    <table className="grid-table is-fixed">
      <thead>
        <tr>
          <th scope="col" style={{ width: '24%' }}>
            Image
          </th>
          <th scope="col" style={{ width: '24%' }}>
            Kind
          </th>
          <th scope="col">Needed by</th>
          <th scope="col" style={{ width: 84, textAlign: 'right' }}>
            Size
          </th>
          <th scope="col" style={{ width: 96 }}>
            Made
          </th>
          <th scope="col" style={{ width: 84 }}>
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {images.map((image) => (
          <Row key={`${image.runtime} ${image.id}`} image={image} onRemove={onRemove} />
        ))}
      </tbody>
    </table>
  </Panel>
);

/** The page. */
export const ImagesPage = () => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The images could not be listed');
  const removing = useBusy('The image was not removed');
  const [found, setFound] = useState<{ images: OwnImage[]; away: string[] } | null>(null);
  const read = useCallback(async () => {
    const value = await run(ask('images.list', {}));
    if (value !== null) setFound(value);
  }, [ask, run]);
  useEffect(() => void read(), [read]);
  const remove = async ({ id, runtime }: OwnImage) => {
    if ((await removing.run(ask('images.remove', { runtime, image_id: id }))) !== null) await read();
  };
  const unused = found?.images.filter(({ is_unused: isUnused }) => isUnused) ?? [];
  const removeUnused = async () => {
    for (const { id, runtime } of unused) await removing.run(ask('images.remove', { runtime, image_id: id }));
    notifyDone(`${unused.length} images were removed.`);
    await read();
  };
  const askFirst = () =>
    confirm({
      title: `Remove ${unused.length} images?`,
      body: 'No pin, verdict or session needs them. An older build can then no longer be pinned without building it again.',
      confirm: 'Remove images',
      isDangerous: true,
      onConfirm: () => void removeUnused(),
    });
  return (
    <Page
      title="Images"
      actions={
        <>
          {unused.length > 1 && (
            <Button variant="default" onClick={askFirst}>
              Remove {unused.length} that nobody needs
            </Button>
          )}
          <Button variant="default" leftSection={<IconRefresh size={14} />} loading={isBusy} onClick={() => void read()}>
            Look again
          </Button>
        </>
      }
    >
      {found === null && isBusy && <Loading what="images" />}
      {found !== null && found.away.length > 0 && (
        <Banner tone="warn" title={`${found.away.join(' and ')} could not be asked.`} next="Look at the Runtimes page, then look again." />
      )}
      {found?.images.length === 0 && (
        <Empty icon={<IconStack2 size={20} />} title="No images yet">
          A build makes one from a recipe, on a base that Sandlot makes or pulls once. A setup run that passes makes another, with its work
          done, from which sessions start.
        </Empty>
      )}
      {found !== null && found.images.length > 0 && <Table images={found.images} onRemove={remove} />}
    </Page>
  );
};
