import type { Editing } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { PairsEditor } from '../ui/PairsEditor.tsx';
import { Panel } from '../ui/Panel.tsx';
import { SecretsPanel } from './SecretsPanel.tsx';

/** Says what is wrong with the name of a variable, or null. */
export const variableNameProblem = (name: string): string | null =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? null : 'Use letters, digits and _, not starting with a digit.';

/** Run-time variables, for setup runs and sessions, and the secrets of sessions. Neither is baked into the image. */
export const VariablesTab = ({ editing }: { editing: Editing }) => (
  <div className="panels">
    <Banner
      tone="plain"
      title="These variables are set in setup runs and sessions."
      next="They are not baked into the image. Anyone who can see this environment can read them, so tokens and passwords belong below. Variables for the build are in the recipe, under env."
    />
    <Panel title="Variables">
      <PairsEditor
        noun="variable"
        value={editing.patch.env_vars ?? editing.environment.env_vars}
        onChange={(env_vars) => editing.edit({ env_vars })}
        checkName={variableNameProblem}
      />
    </Panel>
    <SecretsPanel editing={editing} />
  </div>
);
