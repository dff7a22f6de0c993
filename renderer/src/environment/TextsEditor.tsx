import type { Environment } from '../../../sandbox-engine/contract/model.ts';
import { EntriesEditor } from '../ui/EntriesEditor.tsx';

type Text = Environment['knowledge'][number];

interface TextsEditorProps {
  noun: string;
  namePlaceholder: string;
  value: readonly Text[];
  onChange: (value: Text[]) => void;
}

/** Edits named texts that are read and never run. */
const TextsEditor = ({ value, onChange, ...rest }: TextsEditorProps) => (
  <EntriesEditor
    {...rest}
    mode="text"
    value={value.map(({ name, contents }) => ({ name, text: contents }))}
    onChange={(entries) => onChange(entries.map(({ name, text }) => ({ name, contents: text })))}
  />
);

/** The same for knowledge. */
export const KnowledgeEditor = (props: Pick<TextsEditorProps, 'value' | 'onChange'>) => (
  <TextsEditor noun="entry" namePlaceholder="What it is about, like “test”" {...props} />
);
