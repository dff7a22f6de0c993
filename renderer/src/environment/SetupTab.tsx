import type { Editing } from '../store/actions.ts';
import { CodeField } from '../ui/CodeField.tsx';

/** The setup script. */
export const SetupTab = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const setup = patch.setup === undefined ? environment.setup : patch.setup;
  return (
    <div className="recipe-code" style={{ flex: 1 }}>
      <CodeField
        label="Setup script"
        mode="shell"
        value={setup?.script ?? ''}
        isFilling
        hasLineNumbers
        onChange={(script) => edit({ setup: script.trim() === '' ? null : { script, timeout_seconds: setup?.timeout_seconds ?? 600 } })}
      />
    </div>
  );
};
