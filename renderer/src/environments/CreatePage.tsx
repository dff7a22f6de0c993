// Making an environment: from a template, from nothing, from pasted YAML or from a file. Creating starts no compute.
import './environments.css';
import { Button, FileButton, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFileUpload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { CallInput, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { Template } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { CodeField } from '../ui/CodeField.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';

type Source = 'template' | 'empty' | 'yaml';
type Problems = CallOutput<'recipes.check'>['problems'];

const example = `# An environment file: a recipe, and any field of an environment.
base: debian
packages:
  apt: [jq]
initialize:
  - name: Install tools
    run: echo "one image layer"
`;

const useTemplates = (): Template[] => {
  const ask = useAsk();
  const [templates, setTemplates] = useState<Template[]>([]);
  useEffect(() => {
    void ask('templates.list', {}).then((reply) => reply.ok && setTemplates(reply.value.items));
  }, [ask]);
  return templates;
};

interface TemplateChoiceProps {
  templates: readonly Template[];
  chosen: string | null;
  onChoose: (template: Template) => void;
}

const TemplateChoice = ({ templates, chosen, onChoose }: TemplateChoiceProps) => (
  <div className="template-grid" role="radiogroup" aria-label="Template">
    {templates.map((template) => (
      // biome-ignore lint/a11y/useSemanticElements: a card of two lines is not what an input element can show
      <button
        type="button"
        role="radio"
        key={template.id}
        className="template-card"
        aria-checked={template.id === chosen}
        onClick={() => onChoose(template)}
      >
        <strong>{template.name}</strong>
        <span>{template.summary}</span>
      </button>
    ))}
  </div>
);

interface YamlSourceProps {
  text: string;
  problems: Problems;
  onText: (text: string, fileName?: string) => void;
}

const YamlSource = ({ text, problems, onText }: YamlSourceProps) => (
  <Panel
    title="Environment file"
    note="A bare recipe is fine too"
    isFlush
    actions={
      <FileButton accept=".yml,.yaml" onChange={(file) => void file?.text().then((contents) => onText(contents, file.name))}>
        {(props) => (
          <Button variant="default" leftSection={<IconFileUpload size={14} />} {...props}>
            Open file
          </Button>
        )}
      </FileButton>
    }
  >
    <div style={{ height: 340, padding: 10 }}>
      <CodeField
        label="Environment file as YAML"
        mode="yaml"
        value={text}
        onChange={(value) => onText(value)}
        problems={problems}
        isFilling
        hasLineNumbers
      />
    </div>
  </Panel>
);

const useCreate = (source: Source, template: Template | null, text: string, name: string, runtime: string | null) => {
  const ask = useAsk();
  const body = { name, ...(runtime && { runtime }) };
  if (source === 'yaml')
    return async () =>
      await ask('environments.create_from_file', { contents: text, ...(name !== '' && { name }), ...(runtime && { runtime }) });
  const definition = source === 'template' ? (template?.definition ?? {}) : {};
  return async () => await ask('environments.create', { body: { ...definition, ...body } as CallInput<'environments.create'>['body'] });
};

/** The page; `?template=ID` in its address chooses one at once. */
export const CreatePage = () => {
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const ask = useAsk();
  const templates = useTemplates();
  const runtimes = useStored((state) => state.runtimes.filter((runtime) => runtime.status === 'connected'));
  const [source, setSource] = useState<Source>('template');
  const [template, setTemplate] = useState<Template | null>(null);
  const [name, setName] = useState('');
  const [isNamed, setNamed] = useState(false);
  const [runtime, setRuntime] = useState<string | null>(null);
  const [text, setText] = useState(example);
  const [checked] = useDebouncedValue(text, 250);
  const [problems, setProblems] = useState<Problems>([]);
  const [failure, setFailure] = useState<ErrorBody | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = useCreate(source, template, text, name.trim(), runtime);

  const choose = (chosen: Template) => {
    setTemplate(chosen);
    if (!isNamed) setName(chosen.name);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: chooses once, when the templates are here
  useEffect(() => {
    const wanted = templates.find((candidate) => candidate.id === query.get('template')) ?? templates[0];
    if (wanted && !template) choose(wanted);
  }, [templates]);
  useEffect(() => {
    if (source !== 'yaml') return;
    // Fields of an environment are not part of a recipe; the check names only what is wrong in a recipe.
    void ask('recipes.check', { recipe_yaml: checked }).then(
      (reply) => reply.ok && setProblems(reply.value.problems.filter((problem) => problem.path !== '')),
    );
  }, [ask, checked, source]);

  const submit = async () => {
    setBusy(true);
    setFailure(null);
    const reply = await create();
    setBusy(false);
    if (reply.ok) go(`/environments/${reply.value.id}`);
    else setFailure(reply.error);
  };
  const isComplete = source === 'yaml' ? text.trim() !== '' : name.trim() !== '';

  return (
    <Page title="New environment" parent={{ label: 'Environments', href: '/environments' }}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className="row" style={{ alignItems: 'flex-end', gap: 12, flexWrap: 'wrap' }}>
          <TextInput
            label="Name"
            w={320}
            data-autofocus
            maxLength={256}
            placeholder={source === 'yaml' ? 'Taken from the file' : 'My environment'}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setNamed(true);
            }}
          />
          {runtimes.length > 1 && (
            <Select
              label="Runtime"
              w={200}
              placeholder="The default one"
              clearable
              data={runtimes.map((candidate) => ({ value: candidate.id, label: `${candidate.id} ${candidate.version ?? ''}` }))}
              value={runtime}
              onChange={setRuntime}
            />
          )}
          <SegmentedControl
            aria-label="Start from"
            value={source}
            onChange={(value) => setSource(value as Source)}
            data={[
              { value: 'template', label: 'Template' },
              { value: 'empty', label: 'Empty' },
              { value: 'yaml', label: 'YAML or file' },
            ]}
          />
        </div>
        {source === 'template' && <TemplateChoice templates={templates} chosen={template?.id ?? null} onChoose={choose} />}
        {source === 'empty' && (
          <p className="dim" style={{ margin: 0 }}>
            An empty environment runs on the default base, without network. Add to it on its page.
          </p>
        )}
        {source === 'yaml' && <YamlSource text={text} problems={problems} onText={setText} />}
        {failure && <Banner tone="bad" title={failure.message} next={failure.next_action} />}
        <div className="create-foot">
          <Button type="submit" loading={isBusy} disabled={!isComplete}>
            Create environment
          </Button>
          <span className="faint">Nothing is built or started yet. The runtime cannot be changed later.</span>
        </div>
      </form>
    </Page>
  );
};
