// The Setup tab: the verdict, the script, and beside it (or behind a switch where there is little room) the Setup test panel.
// It keeps which run is shown and carries wishes between script and log; the panes know nothing of each other.
import './setup.css';
import { SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconTestPipe } from '@tabler/icons-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { type Editing, useAsk } from '../store/actions.ts';
import { setupRunsOf } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { useGone } from '../store/use-gone.ts';
import { askObservedRun } from '../ui/ask-observe.ts';
import { Empty } from '../ui/Empty.tsx';
import { GoneNote } from '../ui/GoneNote.tsx';
import { notifyNotice } from '../ui/notify.tsx';
import { usePageDeeds } from '../ui/page-deeds.tsx';
import { usePlaceState } from '../ui/use-place-state.ts';
import { keyNear } from './SetupLog.tsx';
import { type RunView, runViews, SetupRunPanel } from './SetupRunPanel.tsx';
import { type LineWish, SetupScript } from './SetupScript.tsx';
import { SetupVerdict } from './SetupVerdict.tsx';
import { type LogNews, noPlaces } from './setup-log-feed.ts';
import { isSameScript } from './setup-script-text.ts';
import { firstShown, isInFlight, isTestNext } from './setup-words.ts';
import { testObstacle, useSetupTest } from './use-setup-test.ts';

type Side = 'script' | 'test';

const useLook = () => {
  const ask = useAsk();
  return useCallback((id: string) => ask('setup_runs.get', { setup_run_id: id }), [ask]);
};

/** Which run is shown and which line is wished for, on either side. */
const useSetupView = (runs: readonly SetupRun[], script: string) => {
  const [picked, setPicked] = usePlaceState<string>('run', '', { isStep: true });
  const [side, setSide] = usePlaceState<Side>('side', 'script', { known: ['script', 'test'] });
  const [view, setView] = usePlaceState<RunView>('view', 'log', { isStep: true, known: runViews });
  const [isShowingRun, setShowingRun] = useState(false);
  const [scriptWish, setScriptWish] = useState<LineWish | null>(null);
  const [logWish, setLogWish] = useState<LineWish | null>(null);
  const [news, setNews] = useState<(LogNews & { runId: string }) | null>(null);
  const places = useRef(noPlaces());
  const named = runs.find((candidate) => candidate.id === picked);
  const gone = useGone(picked, named !== undefined, useLook()) ? picked : null;
  const run = named ?? firstShown(runs);
  const runId = run?.id;

  const toScript = (line: number) => {
    setSide('script');
    if (run && !isSameScript(run.script, script)) setShowingRun(true);
    setScriptWish({ line });
  };
  const toLog = (line: number) => {
    if (view === 'log' && news?.isEnded && keyNear(places.current, line) === null)
      return notifyNotice('info', `Line ${line} was not run: it has no place in the log.`);
    setSide('test');
    setView('log');
    setLogWish({ line });
  };
  const pick = (next: SetupRun) => {
    setPicked(next.id);
    setLogWish(null);
    setShowingRun(next.status === 'failed');
    if (next.failed_line !== null) setScriptWish({ line: next.failed_line });
  };
  const show = (id: string) => {
    setPicked(id);
    setSide('test');
    setView('log');
    setLogWish(null);
    setShowingRun(false);
  };
  const current = news && news.runId === runId ? news.currentLine : null;
  const hear = (next: LogNews) => runId && setNews({ ...next, runId });
  return {
    run,
    gone,
    side,
    setSide,
    view,
    setView,
    isShowingRun,
    setShowingRun,
    scriptWish,
    logWish,
    current,
    hear,
    places,
    toScript,
    toLog,
    pick,
    show,
  };
};

const NoRunYet = ({ hasScript }: { hasScript: boolean }) => (
  <Empty icon={<IconTestPipe size={20} />} title={hasScript ? 'Not tested yet' : 'No setup script'}>
    {hasScript
      ? 'Test setup runs the script line by line in a fresh sandbox. When it passes, the prepared image is kept, and every session starts from it at once.'
      : 'Sessions of this environment start at once. Write a script when they need more than the recipe installs: tools, dependencies, a database.'}
  </Empty>
);

const GoneRun = ({ id, hasOther }: { id: string | null; hasOther: boolean }) =>
  id !== null && <GoneNote noun="setup run" id={id} instead={hasOther ? 'this is the latest' : 'there is none yet'} />;

interface Keys {
  test: () => void;
  fix: () => void;
  /** From the script to the log, or back. */
  jump: (isInLog: boolean) => void;
}

/** Ctrl/Cmd+Enter tests, Alt+F mends the line with the cursor, Alt+J goes between a line of the script and its place in the log. */
const deedOf = (event: KeyboardEvent, keys: Keys): (() => void) | null => {
  const { target, altKey, ctrlKey, metaKey } = event;
  const isIn = (selector: string) => target instanceof Element && target.closest(selector) !== null;
  if (isIn('[role="dialog"]')) return null;
  if (ctrlKey || metaKey) return event.key === 'Enter' ? keys.test : null;
  if (altKey && event.code === 'KeyF') return keys.fix;
  return altKey && event.code === 'KeyJ' ? () => keys.jump(isIn('.stream-view')) : null;
};

const handleKey = (event: KeyboardEvent, keys: Keys) => {
  const deed = deedOf(event, keys);
  if (!deed) return;
  event.preventDefault();
  event.stopPropagation();
  deed();
};

/** Listens on the whole window, and before the editor does. */
const useKeys = (keys: Keys) => {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event, latest.current);
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, []);
};

const Sides = ({ side, onSide }: { side: Side; onSide: (side: Side) => void }) => (
  <SegmentedControl
    aria-label="Part of the setup tab"
    value={side}
    onChange={(value) => onSide(value as Side)}
    data={[
      { value: 'script', label: 'Script' },
      { value: 'test', label: 'Setup test' },
    ]}
  />
);

/** The tab. */
export const SetupTab = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const setup = patch.setup === undefined ? environment.setup : patch.setup;
  const runs = useStored((state) => setupRunsOf(state, environment.id));
  const hasRuntime = useStored((state) => state.runtimes.some((runtime) => runtime.status === 'connected'));
  const hasRoom = useMediaQuery('(min-width: 1200px)', undefined, { getInitialValueInEffect: false });
  const shown = useSetupView(runs, setup?.script ?? '');
  const { run, gone, side, toScript, toLog } = shown;
  const { isBusy, test, observe, enforce, cancel } = useSetupTest(editing, shown.show);
  const cursorLine = useRef(1);
  const fixAtCursor = useRef<() => void>(() => undefined);

  const inFlight = runs.find((candidate) => isInFlight(candidate) && candidate.kind !== 'session') ?? null;
  const obstacle = testObstacle(editing, inFlight, hasRuntime);
  useKeys({
    test: () => (obstacle === null ? void test() : notifyNotice('info', obstacle)),
    fix: () => fixAtCursor.current(),
    jump: (isInLog) => (isInLog || (!hasRoom && side === 'test') ? toScript(cursorLine.current) : toLog(cursorLine.current)),
  });
  usePageDeeds([obstacle === null && { label: 'Test setup', run: () => void test() }]);
  const raiseTimeout = (seconds: number) => {
    if (setup) edit({ setup: { ...setup, timeout_seconds: seconds } });
    shown.setSide('script');
  };

  return (
    <div className="setup">
      <SetupVerdict
        environmentId={environment.id}
        verification={environment.setup_verification}
        isDirty={editing.isDirty}
        isFirstScript={environment.setup === null && setup !== null}
        isReported={run?.status === 'failed' && run.id === environment.setup_verification.last_run?.id && (hasRoom || side === 'test')}
        isNext={!editing.isDirty && isTestNext(environment)}
        isBusy={isBusy}
        obstacle={obstacle}
        sides={!hasRoom && <Sides side={side} onSide={shown.setSide} />}
        onTest={() => void test()}
        onObserve={() => askObservedRun({ isDirty: editing.isDirty, onConfirm: () => void observe() })}
        isPrivileged={patch.privileged ?? environment.privileged}
      />
      <div className={`setup-panes${hasRoom ? ' is-both' : ` is-${side}`}`}>
        <SetupScript
          editing={editing}
          run={run}
          currentLine={shown.current}
          isShowingRun={shown.isShowingRun}
          onShowRun={shown.setShowingRun}
          wish={shown.scriptWish}
          cursorLine={cursorLine}
          fixAtCursor={fixAtCursor}
          onLineToLog={toLog}
        />
        {run ? (
          <SetupRunPanel
            note={<GoneRun id={gone} hasOther />}
            run={run}
            runs={runs}
            view={shown.view}
            onView={shown.setView}
            places={shown.places}
            currentLine={shown.current}
            logWish={shown.logWish}
            onNews={shown.hear}
            onPick={shown.pick}
            onCancel={cancel}
            onToScript={toScript}
            onToLog={toLog}
            onRaiseTimeout={raiseTimeout}
            onEnforce={(policy) => void enforce(policy)}
            obstacle={obstacle}
            isDirty={editing.isDirty}
          />
        ) : (
          <section className="setup-run" aria-label="Setup test">
            <GoneRun id={gone} hasOther={false} />
            <NoRunYet hasScript={setup !== null} />
          </section>
        )}
      </div>
    </div>
  );
};
