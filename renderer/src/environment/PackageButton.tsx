// Puts the package that a setup script misses into the recipe: an edit like any other, saved and built by hand.
import { Button } from '@mantine/core';
import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { useAsk, useEditing } from '../store/actions.ts';
import { notifyDone } from '../ui/notify.tsx';
import { useBusy } from '../ui/use-busy.ts';

interface PackageButtonProps {
  environment: EnvironmentView;
  manager: string;
  name: string;
}

/** The button; once pressed it says so. */
export const PackageButton = ({ environment, manager, name }: PackageButtonProps) => {
  const ask = useAsk();
  const { patch, edit } = useEditing(environment);
  const { isBusy, run } = useBusy('The package was not added');
  const [isThere, setThere] = useState(false);
  const text = patch.recipe_yaml ?? environment.recipe_yaml;
  const add = async () => {
    const check = await run(ask('recipes.check', { recipe_yaml: text }));
    if (check === null) return;
    const known = check.parsed?.packages[manager] ?? [];
    const packages = { [manager]: [...known.filter((one) => one !== name), name] };
    const written = await run(ask('recipes.edit', { recipe_yaml: text, recipe: { packages } }));
    if (written === null) return;
    edit({ recipe_yaml: written.recipe_yaml });
    setThere(true);
    notifyDone(`“${name}” is in the recipe. Save, build & pin, then test setup again.`, {
      label: 'Recipe',
      href: `/environments/${environment.id}/recipe`,
    });
  };
  return (
    <Button
      variant="default"
      loading={isBusy}
      disabled={isThere}
      leftSection={isThere ? <IconCheck size={13} /> : <IconPlus size={13} />}
      onClick={() => void add()}
    >
      {isThere ? 'In the recipe' : `Add ${name} to the recipe`}
    </Button>
  );
};
