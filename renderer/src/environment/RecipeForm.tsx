// The recipe as a form. Each edit goes into the recipe's text; what the form does not know stays untouched there.
import { Autocomplete } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useStored } from '../store/store.ts';
import { EntriesEditor, type Entry } from '../ui/EntriesEditor.tsx';
import { PairsEditor } from '../ui/PairsEditor.tsx';
import { TagField } from '../ui/TagField.tsx';
import type { FailedField } from './failed-field.ts';
import type { ParsedRecipe, useRecipe } from './use-recipe.ts';
import { variableNameProblem } from './VariablesTab.tsx';

type Edit = ReturnType<typeof useRecipe>['editForm'];

const managers = [
  { id: 'apt', example: 'jq, ripgrep' },
  { id: 'cargo', example: 'just' },
  { id: 'gem', example: 'rake' },
  { id: 'go', example: 'golang.org/x/tools/gopls@latest' },
  { id: 'npm', example: 'typescript' },
  { id: 'pip', example: 'ruff==0.6.9' },
] as const;

const Section = ({ title, note, children }: { title: string; note: ReactNode; children: ReactNode }) => (
  <section className="field-section" aria-label={title}>
    <h2>{title}</h2>
    <p>{note}</p>
    {children}
  </section>
);

const toEntries = (steps: ParsedRecipe['initialize']): Entry[] => steps.map((step) => ({ name: step.name, text: step.run }));
const toSteps = (entries: readonly Entry[]) => entries.map((entry) => ({ name: entry.name, run: entry.text }));

const BaseField = ({ parsed, edit }: { parsed: ParsedRecipe; edit: Edit }) => {
  const bases = useStored((state) => state.bases);
  const chosen = bases.find((base) => base.name === parsed.base);
  return (
    <Section title="Base" note="A name of the catalog, or any Debian-family image reference or digest.">
      <Autocomplete
        aria-label="Base"
        classNames={{ input: 'mono' }}
        data={bases.map((base) => base.name)}
        value={parsed.base}
        onChange={(base) => edit({ recipe: { base } })}
        renderOption={({ option }) => (
          <div>
            <div className="mono">{option.value}</div>
            <div className="faint">{bases.find((base) => base.name === option.value)?.summary}</div>
          </div>
        )}
        filter={({ options }) => options}
      />
      {chosen && (
        <div className="faint" style={{ marginTop: 4, fontSize: 12 }}>
          {chosen.summary} · <span className="mono">{chosen.reference}</span>
          {chosen.bootstrappable && ' · can be made without an image registry'}
        </div>
      )}
    </Section>
  );
};

/** Brings what failed in a build into sight, once. */
const useInSight = (failed: FailedField | null) => {
  const mark = useRef<HTMLDivElement>(null);
  const step = failed?.step;
  useEffect(() => {
    if (step !== undefined) mark.current?.querySelector('.is-failed')?.scrollIntoView({ block: 'center' });
  }, [step]);
  return mark;
};

interface RecipeFormProps {
  parsed: ParsedRecipe;
  edit: Edit;
  /** What a failed build says of one field; null: none is to be marked. */
  failed: FailedField | null;
}

const Packages = ({ parsed, edit, failed }: RecipeFormProps) => (
  <div className="package-grid">
    {managers.map(({ id, example }) => {
      const value = parsed.packages[id] ?? [];
      return (
        <div key={id} style={{ display: 'contents' }}>
          <span className="package-name">{id}</span>
          <TagField
            className={failed?.step === `${id} packages` ? 'is-failed' : undefined}
            error={failed?.step === `${id} packages` ? failed.text : undefined}
            aria-label={`Packages from ${id}`}
            classNames={{ pill: 'mono' }}
            placeholder={value.length === 0 ? example : ''}
            splitChars={[',', ' ']}
            value={value}
            onChange={(items) => edit({ recipe: { packages: { [id]: items } } })}
          />
        </div>
      );
    })}
  </div>
);

/** The form. */
export const RecipeForm = ({ parsed, edit, failed }: RecipeFormProps) => (
  <div ref={useInSight(failed)}>
    <BaseField parsed={parsed} edit={edit} />
    <Section
      title="Packages"
      note="Installed into the image. Give a version as the package manager writes it, as in the examples; press Enter after each."
    >
      <Packages {...{ parsed, edit, failed }} />
    </Section>
    <Section title="Build steps" note={<>Baked into the image, one layer each, in this order. The repository is not there yet.</>}>
      <EntriesEditor
        noun="step"
        mode="shell"
        namePlaceholder="What it does, like “Install analysis tools”"
        value={toEntries(parsed.initialize)}
        failed={failed && { name: failed.step, line: failed.line, text: failed.text }}
        onChange={(entries) => edit({ recipe: { initialize: toSteps(entries) } })}
      />
    </Section>
    <Section title="Environment of the image" note="Baked variables. Never put secrets here: they would be in every layer.">
      <PairsEditor noun="variable" value={parsed.env} onChange={(env) => edit({ recipe: { env } })} checkName={variableNameProblem} />
    </Section>
    <Section title="Session start" note="Run in the background at the start of every session, in the clone. Editing it never rebuilds.">
      <EntriesEditor
        noun="start step"
        mode="shell"
        namePlaceholder="What it does, like “Install dependencies”"
        value={toEntries(parsed.session_start)}
        onChange={(entries) => edit({ session_start: toSteps(entries) })}
      />
    </Section>
  </div>
);
