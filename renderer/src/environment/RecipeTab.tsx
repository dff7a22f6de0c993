// The recipe as form and as YAML, side by side where there is room. Problems are shown at their line while one types.
import { SegmentedControl } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useRef } from 'react';
import type { Editing } from '../store/actions.ts';
import { Banner } from '../ui/Banner.tsx';
import { CodeField, type CodeFieldHandle } from '../ui/CodeField.tsx';
import { RecipeForm } from './RecipeForm.tsx';
import { useRecipe } from './use-recipe.ts';

type View = 'form' | 'yaml' | 'both' | 'dockerfile';
type Recipe = ReturnType<typeof useRecipe>;

const RecipeCode = ({ recipe }: { recipe: Recipe }) => {
  const field = useRef<CodeFieldHandle>(null);
  return (
    <div className="recipe-code">
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
      {recipe.problems.length > 0 && (
        <section className="problems" aria-label="Problems">
          {recipe.problems.map((problem) => (
            <button
              type="button"
              className="problem"
              key={`${problem.line}:${problem.column}:${problem.message}`}
              onClick={() => field.current?.goTo(problem.line, problem.column)}
            >
              <span className="num">
                {problem.line}:{problem.column}
              </span>
              <span>{problem.message}</span>
            </button>
          ))}
        </section>
      )}
    </div>
  );
};

const RecipeFormPane = ({ recipe }: { recipe: Recipe }) => (
  <div className="recipe-form">
    {recipe.problems.length > 0 && (
      <Banner
        tone="warn"
        title={`The text has ${recipe.problems.length === 1 ? 'a problem' : `${recipe.problems.length} problems`}, so the form cannot show it.`}
        next={`Mend the YAML first. Line ${recipe.problems[0]?.line}: ${recipe.problems[0]?.message}`}
      />
    )}
    {recipe.problems.length === 0 && recipe.parsed && <RecipeForm parsed={recipe.parsed} edit={recipe.editForm} />}
  </div>
);

const DockerfilePane = ({ recipe }: { recipe: Recipe }) => (
  <div className="recipe-code">
    <CodeField
      label="Dockerfile that this recipe becomes"
      mode="shell"
      value={recipe.dockerfile ?? '# Mend the problems of the YAML to see what it becomes.'}
      isFilling
      hasLineNumbers
    />
  </div>
);

/** The tab. */
export const RecipeTab = ({ editing }: { editing: Editing }) => {
  const recipe = useRecipe(editing);
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
        {recipe.problems.length > 0 ? (
          <span className="tag is-bad">{recipe.problems.length === 1 ? '1 problem' : `${recipe.problems.length} problems`}</span>
        ) : (
          <span className="faint clip">
            Base, packages, build steps and env make the image. Everything else takes effect without a build.
          </span>
        )}
      </div>
      <div className={view === 'both' ? 'recipe-split is-both' : 'recipe-split'}>
        {(view === 'form' || view === 'both') && <RecipeFormPane recipe={recipe} />}
        {(view === 'yaml' || view === 'both') && <RecipeCode recipe={recipe} />}
        {view === 'dockerfile' && <DockerfilePane recipe={recipe} />}
      </div>
    </>
  );
};
