// What Sandlot made in a runtime and nothing needs any more, and away with it.
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import { useAsk } from '../store/actions.ts';
import { useAway } from '../store/use-away.ts';
import { confirm } from '../ui/confirm.tsx';
import { counted, formatBytes } from '../ui/format.ts';
import { notifyDone } from '../ui/notify.tsx';
import { Panel } from '../ui/Panel.tsx';
import { useBusy } from '../ui/use-busy.ts';
import { withCode } from '../ui/with-code.tsx';
import { amountText, freedText, removedText } from './freed-text.ts';

/** Why it is less than the sizes of the images. */
const freesWords = (items: CallOutput<'app.prune'>['items']): string => {
  const amount = amountText(items);
  if (!items.some(({ kind }) => kind === 'image')) return `It frees ${amount}.`;
  return `It is ${amount}: layers that other images use stay. What a build made of it stays in the build cache of Docker, where \`docker builder prune\` frees it.`;
};

/** The panel; it looks by itself when it is opened, and removes only what was seen. */
export const LeftOverPanel = ({ onRemoved }: { onRemoved: () => void }) => {
  const ask = useAsk();
  const away = useAway();
  const [found, setFound] = useState<CallOutput<'app.prune'> | null>(null);
  const { isBusy, run } = useBusy('Nothing was removed');
  const look = useCallback(async () => setFound(await run(ask('app.prune', { dry_run: true }))), [ask, run]);
  useEffect(() => void look(), [look]);
  const remove = async () => {
    const done = await run(ask('app.prune', { dry_run: false }));
    if (!done) return;
    notifyDone(removedText(done));
    onRemoved();
    await look();
  };
  const askFirst = () =>
    confirm({
      title: `Remove ${counted(found?.items.length ?? 0, 'thing')} that nothing needs?`,
      body: (
        <>
          <span>{withCode(freesWords(found?.items ?? []))}</span>
          <span>Only what Sandlot made and what no environment, pin or session refers to; nothing else in the runtime is touched.</span>
        </>
      ),
      confirm: 'Remove',
      isDangerous: true,
      onConfirm: () => void remove(),
    });
  return (
    <Panel
      title="Left-overs"
      note="What Sandlot made and nothing needs any more"
      isFlush={found !== null && found.items.length > 0}
      actions={
        found && found.items.length > 0 ? (
          <Button variant="default" color="red" loading={isBusy} onClick={askFirst}>
            Remove {found.items.length} ({freedText(found.items)})…
          </Button>
        ) : (
          <Button variant="default" loading={isBusy} onClick={() => void look()}>
            Look again
          </Button>
        )
      }
    >
      {!found && <span className="faint">Nothing is removed before you have seen the list.</span>}
      {found?.items.length === 0 && (
        <span className="dim">Nothing to remove{away === null ? '' : `, as far as can be seen: ${away} does not answer`}.</span>
      )}
      {found && found.items.length > 0 && (
        <table className="grid-table is-stacking" aria-label="Left-overs">
          <thead>
            <tr>
              <th>Kind</th>
              <th>Name</th>
              <th>Why it can go</th>
              <th
                className="is-amount"
                title="Layers that images share are counted once, and not where one that stays has them. Docker may keep what it built in its build cache."
              >
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {found.items.map((item) => (
              <tr key={`${item.kind}-${item.name}`}>
                <td style={{ width: 90 }}>{item.kind}</td>
                <td className="mono" data-label="Name">
                  {item.name}
                </td>
                <td className="dim" data-label="Why it can go">
                  {item.reason}
                </td>
                <td className="num is-amount" data-label="Size">
                  {item.size !== null && formatBytes(item.size)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};
