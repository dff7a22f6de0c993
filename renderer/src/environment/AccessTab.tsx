// What a sandbox of this environment may do beyond the ordinary: privileges, a desktop, folders of this machine. Its network has its own tab.
import { Switch } from '@mantine/core';
import { Link } from 'wouter';
import type { Editing } from '../store/actions.ts';
import { Panel } from '../ui/Panel.tsx';
import { MountsPanel } from './MountsPanel.tsx';

/** The tab. */
export const AccessTab = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const policy = patch.network_policy ?? environment.network_policy;
  const privileged = patch.privileged ?? environment.privileged;
  const isOpen = !('rules' in policy);
  return (
    <div className="panels">
      <Panel
        title="Privileges"
        note={
          isOpen ? undefined : (
            <>
              Needs an unrestricted{' '}
              <Link href={`/environments/${environment.id}/network`} className="link">
                network
              </Link>
            </>
          )
        }
      >
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
          description="Sessions have a desktop with a browser, for you on their Screen tab and for agents that see and use one. Its base must have it: browser-desktop does."
          checked={patch.computer_use ?? environment.computer_use}
          onChange={(event) => edit({ computer_use: event.currentTarget.checked })}
        />
      </Panel>
      <MountsPanel editing={editing} />
    </div>
  );
};
