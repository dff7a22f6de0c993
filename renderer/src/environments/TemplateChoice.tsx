// The templates to begin from as cards: the reviewed ones, and the person's own, which can be renamed and deleted here.
import { ActionIcon, Menu, Modal, TextInput } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Template } from '../../../sandbox-engine/contract/model.ts';
import { useAsk } from '../store/actions.ts';
import { confirm } from '../ui/confirm.tsx';
import { NameFormEnd } from '../ui/NameFormEnd.tsx';
import { moveBetweenRadios } from '../ui/radio-keys.ts';
import { useBusy } from '../ui/use-busy.ts';

/** Has a choice of its own beside the templates. */
export const emptyTemplate = 'empty';

interface TemplateChoiceProps {
  templates: readonly Template[];
  chosen: string | null;
  onChoose: (template: Template) => void;
  /** One of the person's own is another one now, or gone. */
  onChanged: (gone?: Template) => void;
}

const RenameForm = ({ template, onDone }: { template: Template; onDone: (isSaved: boolean) => void }) => {
  const ask = useAsk();
  const { run, isBusy } = useBusy('The template was not changed');
  const [name, setName] = useState(template.name);
  const [summary, setSummary] = useState(template.summary);
  const save = async () => {
    if (await run(ask('templates.update', { template_id: template.id, name: name.trim(), summary }))) onDone(true);
  };
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput label="Name" data-autofocus maxLength={256} value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <TextInput label="Summary" maxLength={500} value={summary} onChange={(event) => setSummary(event.currentTarget.value)} />
      <NameFormEnd name={name} confirm="Save" isBusy={isBusy} onCancel={() => onDone(false)} />
    </form>
  );
};

const OwnMenu = ({ template, onRename, onChanged }: { template: Template; onRename: () => void; onChanged: (gone?: Template) => void }) => {
  const ask = useAsk();
  const { run } = useBusy('The template was not deleted');
  const remove = () =>
    confirm({
      title: `Delete the template “${template.name}”?`,
      body: 'Environments that were made from it stay as they are. This cannot be undone.',
      confirm: 'Delete template',
      isDangerous: true,
      onConfirm: () =>
        void run(ask('templates.delete', { template_id: template.id })).then((done) => onChanged(done === null ? undefined : template)),
    });
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon className="template-more" aria-label={`More for the template ${template.name}`}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={onRename}>
          Rename…
        </Menu.Item>
        <Menu.Item color="var(--bad)" leftSection={<IconTrash size={14} />} onClick={remove}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

interface CardProps {
  template: Template;
  isChosen: boolean;
  /** Of all cards Tab stops at this one; arrows lead to the others. */
  isStop: boolean;
  onChoose: () => void;
}

const Card = ({ template, isChosen, isStop, onChoose }: CardProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a card of two lines is not what an input element can show
  <button
    type="button"
    role="radio"
    className="card-button template-card"
    aria-checked={isChosen}
    tabIndex={isStop ? 0 : -1}
    onClick={onChoose}
  >
    <strong>{template.name}</strong>
    <span>{template.summary}</span>
  </button>
);

/** The cards. */
export const TemplateChoice = ({ templates, chosen, onChoose, onChanged }: TemplateChoiceProps) => {
  const [renamed, setRenamed] = useState<Template | null>(null);
  const own = templates.filter(({ is_own }) => is_own);
  const reviewed = templates.filter(({ id, is_own }) => !is_own && id !== emptyTemplate);
  const stop = templates.some(({ id }) => id === chosen) ? chosen : [...own, ...reviewed][0]?.id;
  const done = (isSaved: boolean) => {
    setRenamed(null);
    if (isSaved) onChanged();
  };
  return (
    <div className="stack" role="radiogroup" aria-label="Template" onKeyDown={moveBetweenRadios}>
      {own.length > 0 && (
        <>
          <h2 className="template-heading">Your own</h2>
          <div className="template-grid">
            {own.map((template) => (
              <div key={template.id} className="template-own">
                <Card
                  template={template}
                  isChosen={template.id === chosen}
                  isStop={template.id === stop}
                  onChoose={() => onChoose(template)}
                />
                <OwnMenu template={template} onRename={() => setRenamed(template)} onChanged={onChanged} />
              </div>
            ))}
          </div>
          <h2 className="template-heading">Reviewed</h2>
        </>
      )}
      <div className="template-grid">
        {reviewed.map((template) => (
          <Card
            key={template.id}
            template={template}
            isChosen={template.id === chosen}
            isStop={template.id === stop}
            onChoose={() => onChoose(template)}
          />
        ))}
      </div>
      <Modal opened={renamed !== null} onClose={() => done(false)} title="Rename template">
        {renamed && <RenameForm template={renamed} onDone={done} />}
      </Modal>
    </div>
  );
};
