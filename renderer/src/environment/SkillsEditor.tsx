// Skills: folders of instructions for agents. Each has a text, SKILL.md, and files beside it.
import type { Environment } from '../../../sandbox-engine/contract/model.ts';
import { EntriesEditor, type Entry } from '../ui/EntriesEditor.tsx';

type Skill = Environment['skills'][number];
type SkillFile = NonNullable<Skill['files']>[number];

/** An entry of the list keeps what it does not show, wherever it is moved to. */
type SkillEntry = Entry & Pick<Skill, 'files'>;

const entryOf = ({ name, contents, files }: Skill): SkillEntry => ({ name, text: contents, ...(files === undefined ? {} : { files }) });

const skillOf = ({ name, text, files }: SkillEntry): Skill => ({ name, contents: text, ...(files === undefined ? {} : { files }) });

interface FilesOfProps {
  skill: Skill;
  onChange: (files: SkillFile[]) => void;
}

const FilesOf = ({ skill: { name, files = [] }, onChange }: FilesOfProps) => (
  <details>
    <summary>
      Files of {name || 'the skill without a name'} beside SKILL.md: {files.length}
    </summary>
    <EntriesEditor
      noun="file"
      namePlaceholder="A path, like “examples/good.md”"
      mode="text"
      value={files.map(({ path, contents }) => ({ name: path, text: contents }))}
      onChange={(entries) => onChange(entries.map(({ name: path, text }) => ({ path, contents: text })))}
    />
  </details>
);

/** Edits them. */
export const SkillsEditor = ({ value, onChange }: { value: readonly Skill[]; onChange: (value: Skill[]) => void }) => (
  <div className="stack-tight">
    <EntriesEditor
      noun="skill"
      namePlaceholder="A name for a folder, like “review”"
      mode="text"
      value={value.map(entryOf)}
      onChange={(entries) => onChange(entries.map(skillOf))}
    />
    {value.map((skill, index) => (
      <FilesOf
        // biome-ignore lint/suspicious/noArrayIndexKey: skills have no identity but their place
        key={index}
        skill={skill}
        onChange={(files) => onChange(value.map((known, at) => (at === index ? { ...known, files } : known)))}
      />
    ))}
  </div>
);
