import type { Editing } from '../store/actions.ts';
import { CodeField } from '../ui/CodeField.tsx';
import { EntriesEditor } from '../ui/EntriesEditor.tsx';
import { Panel } from '../ui/Panel.tsx';
import { McpPanel } from './McpPanel.tsx';

/** What people and agents should know; copied into each session, never executed. */
export const KnowledgeTab = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const knowledge = patch.knowledge ?? environment.knowledge;
  const skills = patch.skills ?? environment.skills;
  const isInRecipe = 'recipe_yaml' in patch;
  return (
    <div className="narrow stack">
      <Panel title="Knowledge" note="Readable in the sandbox and by agents. Never executed.">
        {isInRecipe ? (
          <span className="dim">Save your edits of the recipe first: knowledge is written into the same text.</span>
        ) : (
          <EntriesEditor
            noun="entry"
            mode="text"
            namePlaceholder="What it is about, like “test”"
            value={knowledge.map((entry) => ({ name: entry.name, text: entry.contents }))}
            onChange={(entries) => edit({ knowledge: entries.map((entry) => ({ name: entry.name, contents: entry.text })) })}
          />
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
      <Panel title="Skills" note="For agents: each becomes skills/NAME/SKILL.md in ~/.sandlot of the sandbox.">
        <EntriesEditor
          noun="skill"
          mode="text"
          namePlaceholder="A name for a folder, like “review”"
          value={skills.map((skill) => ({ name: skill.name, text: skill.contents }))}
          onChange={(entries) => edit({ skills: entries.map((entry) => ({ name: entry.name, contents: entry.text })) })}
        />
      </Panel>
      <McpPanel editing={editing} />
    </div>
  );
};
