// How long a session goes on: it is about to be stopped, it is deleted and can come back, its environment is another one by now.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useAppStore, useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { clockTime, counted } from '../ui/format.ts';
import { notifyDone } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { useNow } from '../ui/use-now.ts';
import { openReplace } from './ReplaceDialog.tsx';

const IdleBanner = ({ session, at }: { session: Session; at: string }) => {
  const ask = useAsk();
  const now = useNow(1000);
  const { isBusy, run } = useBusy('The session was not kept running');
  const seconds = Math.max(0, Math.round((Date.parse(at) - now) / 1000));
  return (
    <Banner
      isBar
      tone="warn"
      title={`Nothing has happened here for a while: this session is stopped in ${counted(seconds, 'second')}`}
      next="Its workspace stays, and Resume brings it back."
      actions={
        <Button loading={isBusy} onClick={() => void run(ask('sessions.keep_running', { session_id: session.id }))}>
          Keep running
        </Button>
      }
    />
  );
};

const deletedWords = ({ deleted_by_itself: byItself }: Session): string =>
  byItself === true ? 'This session was kept for as long as its environment says, and is deleted.' : 'This session is deleted.';

const DeletedBanner = ({ session }: { session: Session }) => {
  const ask = useAsk();
  const { isBusy, run } = useBusy('The deletion was not taken back');
  return (
    <Banner
      isBar
      tone="bad"
      title={`${deletedWords(session)} Sandbox and workspace go for good at ${clockTime(session.delete_at ?? '')}.`}
      actions={
        <Button loading={isBusy} onClick={() => void run(ask('sessions.undelete', { session_id: session.id }))}>
          Undo
        </Button>
      }
    />
  );
};

type Drift = CallOutput<'sessions.drift'>;

const settleMs = 150;

const driftWords = ({ to_apply, to_replace, problem, live }: Drift): string => {
  if (problem !== null) return `A new sandbox could not start now: ${problem}`;
  const changed = `Changed: ${[...to_apply, ...to_replace].join(', ') || 'nothing that this sandbox is made of'}.`;
  if (live) return `${changed} It comes in with the next terminal or command.`;
  return to_replace.length > 0 ? `${changed} That needs another sandbox; the workspace stays.` : changed;
};

const useDrift = (session: Session): Drift | null => {
  const ask = useAsk();
  const newest = useStored((state) => state.environments[session.environment_id]?.revision);
  const [drift, setDrift] = useState<Drift | null>(null);
  const isBehind = newest !== undefined && newest > session.environment_revision;
  const { listen } = useAppStore();
  const [grants, setGrants] = useState(0);
  // What is granted for good is a rule of the environment and in force here at once: that is no difference.
  useEffect(
    () => listen((event) => event.name === 'grant.changed' && event.payload.session_id === session.id && setGrants((before) => before + 1)),
    [listen, session.id],
  );
  // Asked again whenever either revision is another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revisions are what is watched
  useEffect(() => {
    setDrift(null);
    if (!isBehind) return;
    let isGone = false;
    // A change and the grant that made it are told one after the other.
    const timer = setTimeout(async () => {
      const reply = await ask('sessions.drift', { session_id: session.id });
      if (!isGone) setDrift(reply.ok ? reply.value : null);
    }, settleMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [ask, session.id, session.environment_revision, newest, isBehind, grants]);
  return isBehind ? drift : null;
};

const DriftBanner = ({ session }: { session: Session }) => {
  const ask = useAsk();
  const drift = useDrift(session);
  const { isBusy, run } = useBusy('Nothing was applied');
  if (drift === null || (drift.to_apply.length + drift.to_replace.length === 0 && drift.problem === null)) return null;
  const canApply = drift.to_replace.length === 0 && drift.problem === null;
  const apply = async () => {
    if (await run(ask('sessions.apply', { session_id: session.id })))
      notifyDone('Applied. What runs goes on as it began: a new terminal has it.');
  };
  return (
    <Banner
      isBar
      tone="plain"
      title={`This session runs revision ${drift.session_revision}, the environment is at ${drift.environment_revision}`}
      next={driftWords(drift)}
      actions={
        drift.problem === null && (
          <Button variant="default" loading={isBusy} onClick={() => (canApply ? void apply() : openReplace(session))}>
            {canApply ? 'Apply' : 'Replace…'}
          </Button>
        )
      }
    />
  );
};

/** The banners; none when all goes on as it is. */
export const LifeBanners = ({ session }: { session: Session }) => {
  if (session.deleted_at) return <DeletedBanner session={session} />;
  if (session.status !== 'running') return null;
  return (
    <>
      {session.idle_stop_at && <IdleBanner session={session} at={session.idle_stop_at} />}
      <DriftBanner session={session} />
    </>
  );
};
