// What a patch is called when it is saved: a name that is typed after `git apply` without quotes, and that every file system takes.

const endings = { diff: 'changes.patch', commits: 'commits.patch', bundle: 'commits.bundle' } as const;

/** A file name may have 255 bytes; a letter may have four. */
const longestName = 50;

/** `Fix the login!` becomes `Fix-the-login-changes.patch`. Pure. */
export const patchNameOf = (sessionName: string, format: keyof typeof endings): string => {
  const words = [...sessionName.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')].slice(0, longestName).join('');
  return `${words.replace(/^[-.]+|[-.]+$/g, '') || 'session'}-${endings[format]}`;
};
