// Edits of an environment that the host is still writing into its recipe: whoever saves waits for them.

const underWay = new Map<string, Set<Promise<unknown>>>();

/** Says that an edit of this environment is not a draft yet. */
export const noteEdit = (environmentId: string, edit: Promise<unknown>): void => {
  const edits = underWay.get(environmentId) ?? new Set();
  underWay.set(environmentId, edits.add(edit));
  void edit.finally(() => edits.delete(edit)).catch(() => undefined);
};

/** Resolves when all of them are drafts, or have failed. */
export const editsSettled = async (environmentId: string): Promise<void> => {
  await Promise.allSettled([...(underWay.get(environmentId) ?? [])]);
};
