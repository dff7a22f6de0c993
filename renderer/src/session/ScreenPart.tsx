// The desktop of a session, seen and used here: the bar above it, what is said when it is away, and who may read whose clipboard.
import './screen.css';
import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { useFullscreenElement, useLocalStorage } from '@mantine/hooks';
import { IconCamera, IconDeviceDesktop, IconEye, IconMaximize, IconMinimize } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useScreen } from '../store/use-screen.ts';
import { Banner } from '../ui/Banner.tsx';
import { Empty } from '../ui/Empty.tsx';
import { RemoteScreen, type RemoteScreenHandle, type ScreenFit, type ScreenState } from '../ui/RemoteScreen.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { ClipboardBox } from './ClipboardBox.tsx';
import { useSharedClipboard } from './use-shared-clipboard.ts';
import { wayBackWords } from './way-back.ts';

const fits: { value: ScreenFit; label: string }[] = [
  { value: 'fit', label: 'Fit' },
  { value: 'follow', label: 'Match window' },
  { value: 'actual', label: '1:1' },
];

/** Saves a picture as a file of this machine. */
const save = (name: string, data: string): void => {
  const link = document.createElement('a');
  link.href = `data:image/png;base64,${data}`;
  link.download = `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.png`;
  link.click();
};

type Failure = Pick<ErrorBody, 'code' | 'message' | 'next_action'>;

const wentAway: Failure = { code: 'internal', message: 'The screen went away.', next_action: null };

const firstWaitMs = 1_000;
const longestWaitMs = 10_000;

/** Opens the screen again after it was lost, later each time. */
const useReconnect = (session: Session) => {
  const open = useScreen(session.id);
  const [state, setState] = useState<ScreenState>('connecting');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const waitMs = useRef(firstWaitMs);
  const channel = useRef<ReturnType<typeof open> | null>(null);
  const again = () => {
    setFailure(null);
    setAttempt((count) => count + 1);
  };
  // Another function is another connection.
  const opener = useCallback(() => {
    void attempt;
    channel.current = open();
    return channel.current;
  }, [open, attempt]);
  const onState = (next: ScreenState) => {
    setState(next);
    if (next === 'connected') waitMs.current = firstWaitMs;
    if (next === 'closed') setFailure(channel.current?.failure ?? wentAway);
    // Until it is there again it is said why not.
    if (next === 'connected') setFailure(null);
  };
  const isMissing = failure?.code === 'not_found';
  useEffect(() => {
    if (state !== 'closed' || isMissing) return undefined;
    const timer = setTimeout(() => setAttempt((count) => count + 1), waitMs.current);
    waitMs.current = Math.min(longestWaitMs, waitMs.current * 2);
    return () => clearTimeout(timer);
  }, [state, isMissing]);
  return { opener, state, failure, isMissing, onState, again };
};

interface NoDesktopProps {
  session: Session;
  failure: Failure;
  onAgain: () => void;
}

/** Where waiting brings no desktop; what the banner of the session says already is not said again. */
const NoDesktop = ({ session, failure: { message, next_action: next }, onAgain }: NoDesktopProps) => (
  <Empty
    icon={<IconDeviceDesktop size={20} />}
    title="This session has no desktop"
    actions={
      <Button variant="default" onClick={onAgain}>
        Try again
      </Button>
    }
  >
    {session.message === message ? next : `${message} ${next ?? ''}`}
  </Empty>
);

/** Where keys go: to the desktop, or here, perhaps because somebody has just asked for them. */
type Keys = 'here' | 'there' | 'back';

interface HintProps {
  state: ScreenState;
  isViewOnly: boolean;
  keys: Keys;
  onType: () => void;
}

/** Where the keys go, and the way there without a mouse. Whoever asked for them back goes on from it. */
const Hint = ({ state, isViewOnly, keys, onType }: HintProps) => {
  const isBack = keys === 'back';
  const goOn = useCallback((button: HTMLButtonElement | null) => void (isBack && button?.focus()), [isBack]);
  if (state !== 'connected') return <span className="screen-hint grow">Connecting to the screen…</span>;
  if (isViewOnly) return <span className="screen-hint grow">You only look.</span>;
  if (keys === 'there') return <span className="screen-hint grow">Keys go to the desktop. Ctrl+Alt+Esc gives them back.</span>;
  return (
    <span className="screen-hint grow">
      Click the desktop to{' '}
      <button type="button" className="text-button link" ref={goOn} onClick={onType}>
        type in it
      </button>
    </span>
  );
};

const Desktop = ({ session }: { session: Session }) => {
  const ask = useAsk();
  const handle = useRef<RemoteScreenHandle>(null);
  const [fit, setFit] = useLocalStorage<ScreenFit>({ key: 'sandlot-screen-fit', defaultValue: 'fit', getInitialValueInEffect: false });
  const [isViewOnly, setViewOnly] = useState(false);
  const [keys, setKeys] = useState<Keys>('here');
  const { opener, state, failure, isMissing, onState, again } = useReconnect(session);
  const clipboard = useSharedClipboard(handle);
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>();
  const { isBusy, run } = useBusy('No picture was taken');
  // In full screen only what is inside of it is seen: hints and boxes that hang at the page's end would open unseen.
  const over = { withinPortal: !fullscreen };

  const takePicture = async () => {
    const picture = await run(ask('screen.screenshot', { session_id: session.id }));
    if (picture) save(session.name, picture.data);
  };
  if (isMissing && failure !== null) return <NoDesktop session={session} failure={failure} onAgain={again} />;
  return (
    <div className="screen-part" ref={ref}>
      <div className="screen-bar">
        <SegmentedControl
          aria-label="Size of the picture"
          size="xs"
          value={fit}
          onChange={(value) => setFit(value as ScreenFit)}
          data={fits}
        />
        <Hint state={state} isViewOnly={isViewOnly} keys={keys} onType={() => handle.current?.focus()} />
        <ClipboardBox {...over} clipboard={clipboard} isConnected={state === 'connected'} />
        <Tooltip {...over} label={isViewOnly ? 'Use mouse and keyboard' : 'Only look'}>
          <ActionIcon aria-label="Only look" aria-pressed={isViewOnly} onClick={() => setViewOnly(!isViewOnly)}>
            <IconEye size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip {...over} label="Save a picture of the screen">
          <ActionIcon aria-label="Save a picture of the screen" loading={isBusy} onClick={() => void takePicture()}>
            <IconCamera size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip {...over} label={fullscreen ? 'Leave full screen' : 'Full screen'}>
          <ActionIcon aria-label={fullscreen ? 'Leave full screen' : 'Full screen'} onClick={() => void toggle()}>
            {fullscreen ? <IconMinimize size={16} /> : <IconMaximize size={16} />}
          </ActionIcon>
        </Tooltip>
      </div>
      {failure !== null && (
        <Banner
          isBar
          tone="warn"
          title={failure.message}
          next="It is opened again by itself."
          actions={
            <Button variant="default" onClick={again}>
              Try now
            </Button>
          }
        />
      )}
      <RemoteScreen
        label={`Desktop of ${session.name}`}
        open={opener}
        fit={fit}
        isViewOnly={isViewOnly}
        onState={onState}
        onCopied={clipboard.copied}
        onFocus={() => {
          setKeys('there');
          clipboard.send();
        }}
        onBlur={(isAskedFor) => setKeys(isAskedFor ? 'back' : 'here')}
        handle={handle}
      />
    </div>
  );
};

/** The tab. */
export const ScreenPart = ({ session }: { session: Session }) => {
  if (session.computer_use !== true)
    return (
      <Empty icon={<IconDeviceDesktop size={20} />} title="This session has no screen">
        An environment with “computer use” and the base browser-desktop has a desktop with Chromium, seen and used here.
      </Empty>
    );
  if (session.status !== 'running')
    return (
      <Empty icon={<IconDeviceDesktop size={20} />} title="The screen is dark">
        {session.status === 'starting' ? 'It comes up when the session runs.' : `${wayBackWords(session)} to see its desktop again.`}
      </Empty>
    );
  return <Desktop session={session} />;
};
