// What a person chose for this app: its look, what quitting does with sessions; and where its data is.
import { Radio, SegmentedControl, Stack, useMantineColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { CopyCommand, CopyText } from '../ui/Copy.tsx';
import { type Density, useDensity } from '../ui/density.ts';
import { Facts } from '../ui/Facts.tsx';
import { notifyFailure } from '../ui/notify.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { QuitButton } from './QuitButton.tsx';

type Choice = CallOutput<'settings.get'>['on_quit'];

const choices: readonly { value: Choice; label: string; description: string }[] = [
  { value: 'ask', label: 'Ask each time', description: 'While sessions run, a dialog asks what becomes of them.' },
  {
    value: 'keep',
    label: 'Keep sessions running',
    description: 'What an unrestricted one does goes on; where rules decide, nothing passes until Sandlot is open again.',
  },
  { value: 'stop', label: 'Stop all sessions', description: 'Their workspaces are kept; resume brings them back.' },
];

const looks = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

const Look = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, chooseDensity] = useDensity();
  return (
    <Panel title="Look" note="Of this window, on this machine">
      <Facts
        items={[
          [
            'Colours',
            <SegmentedControl
              key="look"
              aria-label="Look"
              data={looks}
              value={colorScheme}
              onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
            />,
          ],
          [
            'Density',
            <SegmentedControl
              key="density"
              aria-label="Density"
              data={densities}
              value={density}
              onChange={(value) => chooseDensity(value as Density)}
            />,
          ],
        ]}
      />
    </Panel>
  );
};

const Quitting = () => {
  const ask = useAsk();
  const [choice, setChoice] = useState<Choice | null>(null);
  useEffect(() => {
    void ask('settings.get', {}).then((reply) =>
      reply.ok ? setChoice(reply.value.on_quit) : notifyFailure('The settings could not be read', reply.error),
    );
  }, [ask]);
  const choose = async (value: string) => {
    const reply = await ask('settings.update', { on_quit: value as Choice });
    if (reply.ok) setChoice(reply.value.on_quit);
    else notifyFailure('The setting was not saved', reply.error);
  };
  return (
    <Panel title="When you quit" note="The app, or the host from a terminal" actions={<QuitButton />}>
      <Radio.Group aria-label="When you quit" value={choice} onChange={(value) => void choose(value)}>
        <Stack gap={12}>
          {choices.map((one) => (
            <Radio key={one.value} {...one} />
          ))}
        </Stack>
      </Radio.Group>
    </Panel>
  );
};

const Data = () => {
  const folder = useStored((state) => state.dataFolder);
  const version = useStored((state) => state.version);
  const commandLine = useStored((state) => state.commandLine);
  return (
    <Panel title="Data" note="Environments, logs, secrets and settings are all in one folder">
      <Stack gap={12}>
        <Facts
          items={[
            ['Folder', <CopyText key="folder" value={folder} label="data folder" />],
            ['Version', version],
          ]}
        />
        <div className="faint">To use another folder, set SANDLOT_HOME. To see what may be removed from the runtimes:</div>
        <CopyCommand command={`${commandLine} prune`} />
      </Stack>
    </Panel>
  );
};

/** The page. */
export const SettingsPage = () => (
  <Page title="Settings">
    <div className="panels">
      <div className="stack">
        <Look />
        <Data />
      </div>
      <Quitting />
    </div>
  </Page>
);
