// What the button that builds is called.

/** With edits it saves them first, and says so. */
export const buildLabel = (isDirty: boolean): string => (isDirty ? 'Save, build & pin' : 'Build & pin');
