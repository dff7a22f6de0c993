import type { Editing } from '../store/actions.ts';
import { CodeField } from '../ui/CodeField.tsx';
import { Panel } from '../ui/Panel.tsx';
import { McpPanel } from './McpPanel.tsx';
import { SkillsEditor } from './SkillsEditor.tsx';
import { KnowledgeEditor } from './TextsEditor.tsx';

/** What people and agents should know; copied into each session, never executed. */
export const KnowledgeTab = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const isInRecipe = 'recipe_yaml' in patch;
  return (
    <div className="panels">
      <Panel title="Knowledge" note="Readable in the sandbox and by agents. Never executed.">
        {isInRecipe ? (
          <span className="dim">Save your edits of the recipe first: knowledge is written into the same text.</span>
        ) : (
          <KnowledgeEditor value={patch.knowledge ?? environment.knowledge} onChange={(knowledge) => edit({ knowledge })} />
        )}
      </Panel>
      <Panel title="Runbook" note="How this repository runs. Copied into the sandbox.">
        <CodeField
          label="Runbook"
          mode="text"
          minLines={8}
          placeholder="Start the server with…"
          value={patch.runbook ?? environment.runbook}
          onChange={(runbook) => edit({ runbook })}
        />
      </Panel>
      <Panel title="Skills" note="For agents, each in a folder below ~/.sandlot/skills of the sandbox.">
        <SkillsEditor value={patch.skills ?? environment.skills} onChange={(skills) => edit({ skills })} />
      </Panel>
      <McpPanel editing={editing} />
    </div>
  );
};
