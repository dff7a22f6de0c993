// The images that Sandlot made: what each is for, who needs it, how large it is; what nobody needs can go.
import './images.css';
import { Button } from '@mantine/core';
import { IconRefresh, IconSearch, IconStack2 } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { OwnImage } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useAway } from '../store/use-away.ts';
import { Ago } from '../ui/Ago.tsx';
import { Banner } from '../ui/Banner.tsx';
import { CopyText } from '../ui/Copy.tsx';
import { Empty } from '../ui/Empty.tsx';
import { formatBytes, shortDigest } from '../ui/format.ts';
import { Loading } from '../ui/Loading.tsx';
import { notifyDone } from '../ui/notify.tsx';
import { Page } from '../ui/Page.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { RowList, type RowListColumn, type RowPart } from '../ui/RowList.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Status } from '../ui/Status.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { usePlaceState } from '../ui/use-place-state.ts';
import { removedWords } from './removed-words.ts';

const kindWords: Record<OwnImage['kind'], string> = {
  base: 'Base',
  build: 'Build of a recipe',
  prepared: 'Prepared by setup',
  gate: 'Gate: holds the network of sandboxes with rules',
  other: 'Other',
};
const howWords: Record<OwnImage['used_by'][number]['how'], string> = {
  pinned: 'pinned',
  prepared: 'last setup that passed',
  session: 'session',
};

const mostShown = 3;

const Users = ({ image: { used_by: users, kind, is_unused: isUnused }, part }: { image: OwnImage; part: RowPart }) => {
  if (users.length === 0) {
    const needed = kind === 'base' ? 'New builds start from it' : 'Needed by Sandlot itself';
    return isUnused ? <Status tone="plain" label="Nobody" isHollow /> : <span className="faint">{needed}</span>;
  }
  return (
    <span className="row image-users">
      {users.slice(0, mostShown).map(({ environment_id: id, name, how }) => (
        <span key={`${id} ${name} ${how}`} className="clip">
          {id === null ? (
            name
          ) : (
            <Link className="link" {...part} href={`/environments/${id}`}>
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

interface RemoveButtonProps {
  image: OwnImage;
  part: RowPart;
  onRemove: (image: OwnImage) => Promise<void>;
}

const RemoveButton = ({ image, part, onRemove }: RemoveButtonProps) => {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    await onRemove(image);
    setBusy(false);
  };
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      {...part}
      loading={isBusy}
      onClick={() => void remove()}
      aria-label={`Remove image ${shortDigest(image.id)}`}
    >
      Remove
    </Button>
  );
};

const facts: readonly RowListColumn<OwnImage>[] = [
  {
    name: 'Kind',
    cell: ({ kind, runtime }) => (
      <>
        <div className="clip">{kindWords[kind]}</div>
        <div className="faint clip">{runtime}</div>
      </>
    ),
  },
  { name: 'Needed by', cell: (image, _focus, part) => <Users image={image} part={part} /> },
  {
    name: 'Size',
    isNumber: true,
    cell: ({ size, frees_bytes: frees }) => (
      <>
        <div className="dim">{formatBytes(size)}</div>
        {frees !== null && <div className="faint">frees {formatBytes(frees)}</div>}
      </>
    ),
  },
  {
    name: 'Made',
    isExtra: true,
    cell: ({ created_at: at }) => (
      <span className="num dim">
        <Ago at={at} />
      </span>
    ),
  },
];

const Table = ({ images, onRemove }: { images: readonly OwnImage[]; onRemove: (image: OwnImage) => Promise<void> }) => (
  <RowList
    label="Images"
    layout="is-images"
    rows={images}
    keyOf={({ runtime, id }) => `${runtime} ${id}`}
    isTall
    columns={[
      {
        name: 'Image',
        cell: ({ id, tags }, focus) => (
          <>
            <CopyText value={id} shown={shortDigest(id)} label="image id" focus={focus} />
            <div className="faint clip" title={tags.join(', ')}>
              {tags[0] ?? 'no name'}
            </div>
          </>
        ),
      },
      ...facts,
      {
        name: 'Actions',
        isNameHidden: true,
        isNumber: true,
        isWhole: true,
        cell: (image, _focus, part) => image.is_unused && <RemoveButton image={image} part={part} onRemove={onRemove} />,
      },
    ]}
  />
);

const matches = ({ id, tags, runtime, kind, used_by: users }: OwnImage, search: string): boolean =>
  [id, ...tags, runtime, kindWords[kind], ...users.map(({ name }) => name)].some((text) => text.toLowerCase().includes(search));

const NoImages = () => {
  const away = useAway();
  return (
    <Empty icon={<IconStack2 size={20} />} title={away === null ? 'No images yet' : `${away} does not answer`}>
      {away === null
        ? 'A build makes one from a recipe, on a base that Sandlot makes or pulls once. A setup run that passes makes another, with its work done, from which sessions start.'
        : 'Images that it holds are listed here when it is back.'}
    </Empty>
  );
};

const noImages: readonly OwnImage[] = [];

/** The page. */
export const ImagesPage = () => {
  const ask = useAsk();
  const [isBusy, setBusy] = useState(true);
  const [problem, setProblem] = useState<ErrorBody | null>(null);
  const [search, setSearch] = usePlaceState<string>('search', '');
  const removing = useBusy('The image was not removed');
  const [found, setFound] = useState<{ images: OwnImage[]; away: string[] } | null>(null);
  const read = useCallback(async () => {
    setBusy(true);
    const reply = await ask('images.list', {});
    setBusy(false);
    setProblem(reply.ok ? null : reply.error);
    if (reply.ok) setFound(reply.value);
  }, [ask]);
  useEffect(() => void read(), [read]);
  const remove = async (image: OwnImage) => {
    if ((await removing.run(ask('images.remove', { runtime: image.runtime, image_id: image.id }))) === null) return;
    notifyDone(removedWords(image), { label: 'Storage', href: '/storage' });
    await read();
  };
  const images = found?.images ?? noImages;
  const wanted = search.trim().toLowerCase();
  const shown = useMemo(() => (wanted === '' ? images : images.filter((image) => matches(image, wanted))), [images, wanted]);
  const unused = images.filter(({ is_unused: isUnused }) => isUnused).length;
  usePageDeeds([{ label: 'Look for images again', run: () => void read() }]);
  return (
    <Page
      title="Images"
      isFlush
      actions={
        <>
          {unused > 1 && (
            <Button variant="default" component={Link} href="/storage">
              {unused} that nobody needs
            </Button>
          )}
          <Button variant="default" leftSection={<IconRefresh size={14} />} loading={isBusy} onClick={() => void read()}>
            Look again
          </Button>
        </>
      }
    >
      {images.length > 0 && (
        <div className="list-bar">
          <SearchField label="Search images" placeholder="Search by id, tag or who needs it" value={search} onChange={setSearch} />
          <span className="grow" />
          <span className="faint">Sizes are with all layers. Images share most of them, so removing one frees less.</span>
        </div>
      )}
      {found === null && isBusy && <Loading what="images" />}
      {problem && (
        <div className="list-note">
          <Banner tone="bad" title={problem.message} next={problem.next_action} />
        </div>
      )}
      {found !== null && found.away.length > 0 && (
        <Banner
          isBar
          tone="warn"
          title={`${found.away.join(' and ')} could not be asked.`}
          next="Look at the Runtimes page, then look again."
        />
      )}
      {found?.images.length === 0 && <NoImages />}
      {images.length > 0 && shown.length === 0 && (
        <Empty icon={<IconSearch size={20} />} title={`Nothing matches “${search.trim()}”`}>
          The search looks at ids, tags, kinds, runtimes, and the names of what needs an image.
        </Empty>
      )}
      {shown.length > 0 && <Table images={shown} onRemove={remove} />}
    </Page>
  );
};
