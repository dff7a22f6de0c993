// Making an environment: from a template, from nothing, from pasted YAML, a file, or one that a repository brings. Creating starts no compute.
import './environments.css';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';
import type { Template } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { Banner } from '../ui/Banner.tsx';
import { GoneNote } from '../ui/GoneNote.tsx';
import { notifyFailure } from '../ui/notify.tsx';
import { Page } from '../ui/Page.tsx';
import { usePlaceState } from '../ui/use-place-state.ts';
import { FileAsks } from './FileAsks.tsx';
import { FileSource } from './FileSource.tsx';
import { FolderSource } from './FolderSource.tsx';
import { GoneRuntime, RuntimeField, useWantedRuntime } from './RuntimeField.tsx';
import { emptyTemplate, TemplateChoice } from './TemplateChoice.tsx';
import { useFilePreview } from './use-file-preview.ts';
import { problemsIn, useFileProblems } from './use-file-problems.ts';
import { useOfferedFile } from './use-offered-file.ts';

type Source = 'template' | 'empty' | 'yaml';

const example = `# An environment file: a recipe, and any field of an environment.
base: debian
packages:
  apt: [jq]
initialize:
  - name: Install tools
    run: echo "one image layer"
`;

const useTemplates = () => {
  const ask = useAsk();
  const [templates, setTemplates] = useState<Template[]>([]);
  const read = useCallback(async () => {
    const reply = await ask('templates.list', {});
    if (reply.ok) setTemplates(reply.value.items);
    else notifyFailure('The templates could not be read', reply.error);
  }, [ask]);
  useEffect(() => void read(), [read]);
  return { templates, read };
};

interface Wish {
  source: Source;
  template: Template | null;
  text: string;
  fileName: string | undefined;
  name: string;
  runtime: string | null;
}

const useCreate = ({ source, template, text, fileName, name, runtime }: Wish) => {
  const ask = useAsk();
  const chosen = runtime && { runtime };
  if (source === 'yaml') {
    const input = { contents: text, ...(fileName && { file_name: fileName }), ...(name !== '' && { name }), ...chosen };
    return async () => await ask('environments.create_from_file', input);
  }
  const definition = source === 'template' ? (template?.definition ?? {}) : {};
  const body = { ...definition, name, ...chosen } as CallInput<'environments.create'>['body'];
  return async () => await ask('environments.create', { body });
};

/** Why nothing was created. Problems with a place stand in the editor instead. */
const Refusal = ({ error, hasEditor }: { error: ErrorBody | null; hasEditor: boolean }) =>
  error && !(hasEditor && problemsIn(error).length > 0) && <Banner tone="bad" title={error.message} next={error.next_action} />;

const canCreate = (source: Source, name: string, text: string, ofFile: string | null | undefined): boolean =>
  source === 'yaml' ? text.trim() !== '' && (name.trim() !== '' || ofFile !== null) : name.trim() !== '';

interface NameFieldProps {
  value: string;
  /** What the file would be called; null when it has to be said here, undefined when there is none. */
  ofFile: string | null | undefined;
  isTaken: boolean;
  onChange: (name: string) => void;
}

const NameField = ({ value, ofFile, isTaken, onChange }: NameFieldProps) => (
  <TextInput
    label="Name"
    w={320}
    description={isTaken ? 'Another environment has this name.' : undefined}
    data-autofocus
    maxLength={256}
    placeholder={ofFile || 'My environment'}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

const Foot = ({ isNameless }: { isNameless: boolean }) =>
  isNameless ? (
    <span className="tone-warn">Give it a name, above.</span>
  ) : (
    <span className="faint">Nothing is built or started yet. The runtime cannot be changed later.</span>
  );

/** The one that was asked for, else the first reviewed one. */
const templateOf = (templates: readonly Template[], wanted: string): Template | null =>
  templates.find(({ id }) => id === wanted) ?? templates.find(({ is_own }) => !is_own) ?? null;

interface GoneTemplateProps {
  wanted: string;
  chosen: Template | null;
}

/** Says that the one that was asked for is none of those that there are. */
const GoneTemplate = ({ wanted, chosen }: GoneTemplateProps) => {
  if (wanted === '' || wanted === emptyTemplate || chosen === null || chosen.id === wanted) return null;
  return <GoneNote noun="template" id={wanted} instead={`“${chosen.name}” is chosen`} />;
};

const freeName = (wanted: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
};

/** A template's name is no name for anything else; the second environment of it gets a number, as a second session does. */
const nameOf = (source: Source, template: Template | null, taken: ReadonlySet<string>): string =>
  source === 'template' && template !== null ? freeName(template.name, taken) : '';

const useTakenNames = (): ReadonlySet<string> => {
  const environments = useStored((state) => state.environments);
  return useMemo(() => new Set(Object.values(environments).map(({ name }) => name)), [environments]);
};

/** The page; `?template=ID` and `?runtime=ID` in its address choose one at once. */
export const CreatePage = () => {
  const [, go] = useLocation();
  const [query] = useSearchParams();
  const { templates, read } = useTemplates();
  const [source, setSource] = useState<Source>(query.get('template') === emptyTemplate ? 'empty' : 'template');
  const taken = useTakenNames();
  const [picked, setPicked] = usePlaceState<string>('template', '');
  const [named, setName] = useState<string | null>(null);
  const { runtime, gone: goneRuntime, setRuntime } = useWantedRuntime();
  const [text, setText] = useState(example);
  const [fileName, setFileName] = useState<string>();
  const [failure, setFailure] = useState<{ text: string; error: ErrorBody } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const template = templateOf(templates, picked);
  const shownName = named ?? nameOf(source, template, taken);
  const create = useCreate({ source, template, text, fileName, name: shownName.trim(), runtime });
  const preview = useFilePreview(text, fileName, source === 'yaml');
  const problems = useFileProblems(text, source === 'yaml', failure);

  const submit = async () => {
    setBusy(true);
    setFailure(null);
    const reply = await create();
    setBusy(false);
    if (reply.ok) go(`/environments/${reply.value.id}`);
    else setFailure({ text, error: reply.error });
  };
  const putText = (next: string, openedName?: string) => {
    setText(next);
    if (openedName !== undefined) setFileName(openedName);
  };
  const takeOffered = useCallback((next: string, offeredName: string) => {
    setSource('yaml');
    setText(next);
    setFileName(offeredName);
  }, []);
  useOfferedFile(query.get('session'), takeOffered);
  const ofFile = source === 'yaml' ? preview?.name : undefined;
  const isComplete = canCreate(source, shownName, text, ofFile);

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
          <NameField value={shownName} ofFile={ofFile} isTaken={taken.has(shownName.trim())} onChange={setName} />
          <RuntimeField value={runtime} onChange={setRuntime} />
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
        {goneRuntime !== null && <GoneRuntime wanted={goneRuntime} onClear={() => setRuntime(null)} />}
        {source === 'template' && (
          <>
            <GoneTemplate wanted={picked} chosen={template} />
            <TemplateChoice
              templates={templates}
              chosen={template?.id ?? null}
              onChoose={({ id }) => setPicked(id)}
              onChanged={(gone) => {
                if (gone?.id === picked) setPicked('');
                void read();
              }}
            />
          </>
        )}
        {source === 'empty' && (
          <p className="dim" style={{ margin: 0 }}>
            Nothing is written for you, not even a base: the default one, Debian, is used, without network. Add to it on its page.
          </p>
        )}
        {source === 'yaml' && (
          <>
            <FolderSource onFile={putText} />
            {text !== example && <FileAsks asks={preview?.asks ?? []} />}
            <FileSource text={text} problems={problems} onText={putText} />
          </>
        )}
        <Refusal error={failure?.error ?? null} hasEditor={source === 'yaml'} />
        <div className="create-foot">
          <Button type="submit" loading={isBusy} disabled={!isComplete}>
            Create environment
          </Button>
          <Foot isNameless={!ofFile && shownName.trim() === ''} />
        </div>
      </form>
    </Page>
  );
};
