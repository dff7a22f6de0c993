// What the last build says of a field of the recipe, as long as the field is as it was built.
import { useEffect, useState } from 'react';
import { useAsk } from '../store/actions.ts';
import { buildsOf } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { type FailedField, failedField } from './failed-field.ts';
import type { ParsedRecipe } from './use-recipe.ts';

/** Null when the last build did not fail at the step that the link named, or its field was edited since. */
export const useFailedField = (environmentId: string, step: string | null, now: ParsedRecipe | null): FailedField | null => {
  const ask = useAsk();
  const newest = useStored((state) => buildsOf(state, environmentId)[0]);
  const failed = newest !== undefined && newest.status === 'failed' && newest.failed_step === step ? newest : null;
  const [asBuilt, setAsBuilt] = useState<{ yaml: string; parsed: ParsedRecipe } | null>(null);
  const yaml = failed?.recipe_yaml;
  useEffect(() => {
    if (yaml === undefined) return;
    void ask('recipes.check', { recipe_yaml: yaml }).then((reply) => {
      if (reply.ok && reply.value.parsed) setAsBuilt({ yaml, parsed: reply.value.parsed });
    });
  }, [ask, yaml]);
  if (failed === null || now === null || asBuilt === null || asBuilt.yaml !== yaml) return null;
  return failedField(failed, asBuilt.parsed, now);
};
