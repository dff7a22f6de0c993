// The recipe as form and as YAML, side by side where there is room. Problems are shown at their line while one types.
import { Button, SegmentedControl } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Editing } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { CodeField, type CodeFieldHandle } from '../ui/CodeField.tsx';
import { counted } from '../ui/format.ts';
import { ProblemList } from '../ui/ProblemList.tsx';
import type { FailedField } from './failed-field.ts';
import { RecipeForm } from './RecipeForm.tsx';
import { useFailedField } from './use-failed-field.ts';
import { useRecipe } from './use-recipe.ts';

type View = 'form' | 'yaml' | 'both' | 'dockerfile';
type Recipe = ReturnType<typeof useRecipe>;

const RecipeCode = ({ recipe }: { recipe: Recipe }) => {
  const field = useRef<CodeFieldHandle>(null);
  return (
    <div className="code-pane">
      <CodeField
        label="Recipe as YAML"
        mode="yaml"
        value={recipe.text}
        onChange={recipe.setText}
        problems={recipe.problems}
        isFilling
        hasLineNumbers
        handle={field}
      />
      <ProblemList problems={recipe.problems} onChoose={(problem) => field.current?.goTo(problem.line, problem.column)} />
    </div>
  );
};

interface RecipeFormPaneProps {
  recipe: Recipe;
  environmentId: string;
  failed: FailedField | null;
  /** Shows the text; null where it stands beside the form. */
  onYaml: (() => void) | null;
}

const RecipeFormPane = ({ recipe, environmentId, failed, onYaml }: RecipeFormPaneProps) => (
  <div className="recipe-form">
    {recipe.problems.length > 0 && (
      <Banner
        tone="warn"
        title={`The text has ${counted(recipe.problems.length, 'problem')}, so the form cannot show it.`}
        next={`Mend the YAML first. Line ${recipe.problems[0]?.line}: ${recipe.problems[0]?.message}`}
        actions={
          onYaml && (
            <Button variant="default" onClick={onYaml}>
              Open the YAML
            </Button>
          )
        }
      />
    )}
    {recipe.problems.length === 0 && recipe.parsed && (
      <>
        <RecipeForm parsed={recipe.parsed} edit={recipe.editForm} failed={failed} />
        <p className="faint">
          What people and agents should know is on the tab{' '}
          <Link href={`/environments/${environmentId}/knowledge`} className="link">
            Knowledge
          </Link>
          .
        </p>
      </>
    )}
  </div>
);

const DockerfilePane = ({ recipe }: { recipe: Recipe }) => (
  <div className="code-pane">
    <CodeField
      label="Dockerfile that this recipe becomes"
      mode="shell"
      value={recipe.dockerfile ?? '# Mend the problems of the YAML to see what it becomes.'}
      isFilling
      hasLineNumbers
    />
  </div>
);

const RecipeNote = ({ problems }: { problems: number }) =>
  problems > 0 ? (
    <span className="tag is-bad">{counted(problems, 'problem')}</span>
  ) : (
    <span className="faint">Base, packages, build steps and env make the image. Everything else takes effect without a build.</span>
  );

/** The tab. */
export const RecipeTab = ({ editing }: { editing: Editing }) => {
  const recipe = useRecipe(editing);
  const [query] = useSearchParams();
  const failed = useFailedField(editing.environment.id, query.get('failed'), recipe.parsed);
  const hasRoom = useMediaQuery('(min-width: 1280px)', undefined, { getInitialValueInEffect: false });
  const [wanted, setView] = useLocalStorage<View>({ key: 'sandlot-recipe-view', defaultValue: 'both', getInitialValueInEffect: false });
  const view = wanted === 'both' && !hasRoom ? 'form' : wanted;
  const choices = [
    { value: 'form', label: 'Form' },
    { value: 'yaml', label: 'YAML' },
    ...(hasRoom ? [{ value: 'both', label: 'Side by side' }] : []),
    { value: 'dockerfile', label: 'Dockerfile' },
  ];
  return (
    <>
      <div className="tool-bar">
        <SegmentedControl aria-label="How to show the recipe" value={view} onChange={(value) => setView(value as View)} data={choices} />
        <span className="grow" />
        <RecipeNote problems={recipe.problems.length} />
      </div>
      {recipe.failure && (
        <Banner isBar tone="bad" title={`The recipe could not be checked. ${recipe.failure.message}`} next={recipe.failure.next_action} />
      )}
      <div className={view === 'both' ? 'recipe-split is-both' : 'recipe-split'}>
        {(view === 'form' || view === 'both') && (
          <RecipeFormPane
            recipe={recipe}
            environmentId={editing.environment.id}
            failed={failed}
            onYaml={view === 'both' ? null : () => setView('yaml')}
          />
        )}
        {(view === 'yaml' || view === 'both') && <RecipeCode recipe={recipe} />}
        {view === 'dockerfile' && <DockerfilePane recipe={recipe} />}
      </div>
    </>
  );
};
