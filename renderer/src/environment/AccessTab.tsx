// What a sandbox of this environment may reach. Closed unless opened.
import { Switch } from '@mantine/core';
import { IconLock, IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Editing } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Panel } from '../ui/Panel.tsx';
import { moveBetweenRadios } from '../ui/radio-keys.ts';
import { MountsPanel } from './MountsPanel.tsx';

interface ChoiceProps {
  icon: ReactNode;
  title: string;
  text: string;
  isChosen: boolean;
  onChoose: () => void;
}

const Choice = ({ icon, title, text, isChosen, onChoose }: ChoiceProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a card of two lines is not what an input element can show
  <button type="button" role="radio" className="card-button choice" aria-checked={isChosen} onClick={onChoose}>
    {icon}
    <div>
      <strong>{title}</strong>
      <span>{text}</span>
    </div>
  </button>
);

const openQuestion = (onConfirm: () => void) =>
  confirm({
    title: 'Open the network of this environment?',
    body: 'Its setup runs and new sessions will reach the whole internet and your local network through the ordinary bridge of the runtime. The change is made when you save.',
    confirm: 'Use unrestricted network',
    onConfirm,
  });

/** The tab. */
export const AccessTab = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const policy = patch.network_policy ?? environment.network_policy;
  const privileged = patch.privileged ?? environment.privileged;
  const computerUse = patch.computer_use ?? environment.computer_use;
  const isOpen = !('rules' in policy);
  const ruleCount = 'rules' in policy ? policy.rules.length : 0;
  return (
    <div className="narrow stack">
      <Panel title="Network">
        <div className="stack-tight" role="radiogroup" aria-label="Network access" onKeyDown={moveBetweenRadios}>
          <Choice
            icon={<IconLock size={17} />}
            title="No access"
            text="The sandbox has no network at all: nothing can be downloaded and nothing can leak. Good for what is already in the image."
            isChosen={!isOpen && ruleCount === 0}
            onChoose={() => edit({ network_policy: { version: 'v1', rules: [] }, privileged: false })}
          />
          <Choice
            icon={<IconWorld size={17} />}
            title="Unrestricted"
            text="Everything that this machine can reach, through the runtime's ordinary bridge. Needed when setup or sessions download things."
            isChosen={isOpen}
            onChoose={() => !isOpen && openQuestion(() => edit({ network_policy: {} }))}
          />
        </div>
      </Panel>
      {ruleCount > 0 && (
        <Banner
          tone="warn"
          title={`This environment has ${ruleCount} network rules, which this version cannot enforce yet.`}
          next="It starts no session until you choose one of the two above; the rules would be replaced."
        />
      )}
      <Banner
        tone="plain"
        title="Rules for single destinations come later."
        next="Until then a sandbox has everything or nothing. Builds always use the runtime's own network."
      />
      <Panel title="Privileges">
        <Switch
          label="Privileged sandbox"
          description="Full access to the devices and kernel features of the machine that runs the runtime. Needs unrestricted network, because such a sandbox could lift any restriction by itself. Only for what cannot work without, like running containers inside."
          checked={privileged}
          disabled={!isOpen && !privileged}
          onChange={(event) => edit({ privileged: event.currentTarget.checked })}
        />
        <Switch
          mt="md"
          label="Computer use"
          description="Meant for agents that see and use a desktop. Kept with the environment; this version shows no desktop yet."
          checked={computerUse}
          onChange={(event) => edit({ computer_use: event.currentTarget.checked })}
        />
      </Panel>
      <MountsPanel editing={editing} />
    </div>
  );
};
