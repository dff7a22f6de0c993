// What a field of an environment must be beyond its type. Every problem is found before anything is refused.
// Source: SPEC.md 2; POSIX 8.1 (names of variables); RFC 6901 (JSON pointers).
import { SandlotError } from '../base/errors.ts';
import type { EnvironmentPatch } from '../contract/calls.ts';

interface Problem {
  /** JSON pointer into the body. */
  path: string;
  message: string;
}

/** The fields that are checked; the same for a new environment and for a change. */
export type CheckedFields = Pick<
  EnvironmentPatch,
  'name' | 'metadata' | 'env_vars' | 'secrets' | 'secret_files' | 'mounts' | 'skills' | 'repo' | 'disk_gib'
>;

const maxNameLength = 256;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const fileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const pointer = (...parts: (string | number)[]): string =>
  parts.map((part) => `/${String(part).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');

const nameMessage = (name: string): string | null => {
  const length = Array.from(name).length;
  if (length > maxNameLength) return `The name has ${length} characters; at most ${maxNameLength} are allowed. Shorten it.`;
  if (name.trim() === '') return 'The name is blank. Write at least one visible character.';
  if (/[\p{Cc}\p{Surrogate}]/u.test(name))
    return 'The name holds a control character or half a character. Leave out line breaks, tabs and the like.';
  return null;
};

const checkName = (name: string): Problem[] => {
  const message = nameMessage(name);
  return message === null ? [] : [{ path: '/name', message }];
};

const checkVariables = (variables: Record<string, string>): Problem[] =>
  Object.entries(variables).flatMap(([name, value]) => {
    const path = pointer('env_vars', name);
    if (!variableName.test(name)) {
      return [{ path, message: `"${name}" is no name of a variable. Use letters, digits and _, and begin with a letter or _.` }];
    }
    if (value.includes('\0'))
      return [{ path, message: `The value of ${name} holds a NUL character, which no process can be given. Leave it out.` }];
    return [];
  });

const checkSecrets = (field: 'secrets' | 'secret_files', names: readonly string[]): Problem[] =>
  names.flatMap((name, index) => {
    const path = pointer(field, index);
    if (!variableName.test(name)) {
      return [{ path, message: `"${name}" is no name of a secret. Use letters, digits and _, and begin with a letter or _.` }];
    }
    return names.indexOf(name) < index ? [{ path, message: `The secret ${name} is named twice. Name it once.` }] : [];
  });

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '' && segment !== '.');

/** Folders that make a sandbox what it is; `/workspace` itself is the session's own volume. */
const keptTargets = ['/', '/workspace'];
const keptTrees = ['proc', 'sys', 'dev', 'run'];
/** Who holds a runtime's socket owns the machine, so no policy gives it to a sandbox. */
const runtimeSocket = /(^|\/)(docker|podman|containerd|crio|buildkitd)\.sock$/;
const socketFolders = /^\/(var|run|var\/run|(var\/)?run\/(docker|podman|containerd|user(\/\d+(\/podman)?)?))?$/;

const targetMessage = (target: string): string | null => {
  const segments = segmentsOf(target);
  const plain = `/${segments.join('/')}`;
  if (segments.includes('..') || target.includes('\0'))
    return `The target "${target}" must be a plain absolute path. Write it without "..".`;
  if (keptTargets.includes(plain))
    return `Nothing can be mounted at ${plain}. Choose a folder below /workspace or another folder, such as /data.`;
  if (keptTrees.includes(segments[0] ?? '')) return `${plain} belongs to the system of the sandbox. Choose another folder, such as /data.`;
  return null;
};

const sourceMessage = (source: string): string | null => {
  const segments = segmentsOf(source);
  const plain = `/${segments.join('/')}`;
  if (segments.includes('..') || source.includes('\0'))
    return `The source "${source}" must be a plain absolute path. Write it without "..".`;
  if (runtimeSocket.test(plain) || socketFolders.test(plain)) {
    return `${plain} is or holds the socket of a container runtime, which a sandbox never gets. Mount a folder that does not hold it.`;
  }
  return null;
};

const checkMounts = (mounts: NonNullable<CheckedFields['mounts']>): Problem[] => {
  const taken = new Set<string>();
  return mounts.flatMap(({ source, target }, index) => {
    const problems: Problem[] = [];
    const inSource = sourceMessage(source);
    if (inSource !== null) problems.push({ path: pointer('mounts', index, 'source'), message: inSource });
    const plain = segmentsOf(target).join('/');
    const inTarget = targetMessage(target) ?? (taken.has(plain) ? `Two mounts have the target /${plain}. Give each its own.` : null);
    if (inTarget !== null) problems.push({ path: pointer('mounts', index, 'target'), message: inTarget });
    taken.add(plain);
    return problems;
  });
};

const mostSkillFiles = 200;
const longestSkillPath = 200;

/** Why a file cannot lie at this place in the folder of a skill; null when it can. */
const skillPathMessage = (path: string): string | null => {
  if (path.toLowerCase() === 'skill.md') return 'SKILL.md holds the contents of the skill. Give the file another name.';
  const isPlain = path.length <= longestSkillPath && path.split('/').every((part) => fileName.test(part));
  return isPlain ? null : `"${path}" cannot be the path of a file. Use names of letters, digits, ".", "_" and "-", with "/" between them.`;
};

/** A file cannot be a folder as well, and a file system may not tell capitals from small letters. */
const collides = (path: string, others: readonly string[]): boolean =>
  others.some((other) => [path, other].map((one) => one.toLowerCase()).some((one, at, both) => `${both[1 - at]}/`.startsWith(`${one}/`)));

const checkSkillFiles = (files: readonly { path: string }[], index: number): Problem[] => {
  if (files.length > mostSkillFiles)
    return [{ path: pointer('skills', index, 'files'), message: `A skill can have ${mostSkillFiles} files beside SKILL.md.` }];
  return files.flatMap(({ path }, at) => {
    const before = files.slice(0, at).map((one) => one.path);
    const message = skillPathMessage(path) ?? (collides(path, before) ? `"${path}" is there twice, or as a file and as a folder.` : null);
    return message === null ? [] : [{ path: pointer('skills', index, 'files', at, 'path'), message }];
  });
};

const checkSkills = (skills: NonNullable<CheckedFields['skills']>): Problem[] =>
  skills.flatMap(({ name, files = [] }, index) => [
    ...(fileName.test(name)
      ? []
      : [
          {
            path: pointer('skills', index, 'name'),
            message: `"${name}" cannot name a folder. Use letters, digits, ".", "_" and "-", and begin with a letter or digit.`,
          },
        ]),
    ...checkSkillFiles(files, index),
  ]);

const checkRepo = (repo: NonNullable<CheckedFields['repo']>): Problem[] => {
  const problems: Problem[] = [];
  // Git would read it as an option.
  for (const key of ['source', 'branch'] as const) {
    if (repo[key]?.startsWith('-'))
      problems.push({ path: pointer('repo', key), message: `The ${key} of a repository cannot begin with "-".` });
  }
  if (repo.path.split('/').includes('..')) {
    problems.push({ path: '/repo/path', message: 'The path of a clone must stay below /workspace. Write it without "..".' });
  }
  return problems;
};

const checkDisk = (diskGib: number): Problem[] =>
  Number.isInteger(diskGib) && diskGib >= 1 ? [] : [{ path: '/disk_gib', message: 'The disk must be a whole number of GiB, 1 or more.' }];

const checkMetadata = (metadata: Record<string, string | null>): Problem[] =>
  Object.entries(metadata).flatMap(([key, value]) =>
    value === null || typeof value === 'string'
      ? []
      : [{ path: pointer('metadata', key), message: `The value of "${key}" must be a string. Put it in quotes.` }],
  );

const problemsIn = (fields: CheckedFields): Problem[] => [
  ...(fields.name === undefined ? [] : checkName(fields.name)),
  ...checkMetadata(fields.metadata ?? {}),
  ...checkVariables(fields.env_vars ?? {}),
  ...checkSecrets('secrets', fields.secrets ?? []),
  ...checkSecrets('secret_files', fields.secret_files ?? []),
  ...checkMounts(fields.mounts ?? []),
  ...checkSkills(fields.skills ?? []),
  ...(fields.repo ? checkRepo(fields.repo) : []),
  ...(fields.disk_gib === undefined ? [] : checkDisk(fields.disk_gib)),
];

/** Refuses fields that could not work. `details.path` is the first problem's place, `details.problems` are all. @throws invalid_request */
export const checkFields = (fields: CheckedFields): void => {
  const problems = problemsIn(fields);
  const [first] = problems;
  if (first === undefined) return;
  throw new SandlotError('invalid_request', problems.map((problem) => problem.message).join(' '), {
    details: { path: first.path, problems },
    nextAction: first.message,
  });
};
