// Calls about environments.
import { z } from 'zod';
import { environmentId, environmentView, hostFolder, listedFolder, stringMap, stringMapPatch } from '../model.ts';
import { environmentCreate, environmentPatch, expectedAccess } from './environment-body.ts';
import { byEnvironment, cursor, done, idempotencyKey, name } from './input.ts';

export const environmentCalls = {
  'environments.create': {
    input: z.strictObject({ body: environmentCreate, idempotency_key: idempotencyKey }),
    output: environmentView,
  },
  /** An environment file: the keys of a recipe plus the fields of an environment, as YAML; a bare recipe is valid. Without `name`, here and
   *  in the file, it is called as the file; `.sandlot.yml` as its folder (`shop/.sandlot.yml`) or its repository. @throws invalid_request */
  'environments.create_from_file': {
    input: z.strictObject({
      contents: z.string(),
      file_name: z.string().optional(),
      name: name.optional(),
      /** Beside what the file says. */
      metadata: stringMap.optional(),
      runtime: z.string().optional(),
      idempotency_key: idempotencyKey,
    }),
    output: environmentView,
  },
  /** What an environment file would open and be given, in sentences for whoever is about to agree to it. Nothing is saved.
   *  `name`: what it would be called; null when it has to be given. */
  'environments.preview_file': {
    input: z.strictObject({ contents: z.string(), file_name: z.string().optional() }),
    output: z.strictObject({ name: z.string().nullable(), asks: z.array(z.string()) }),
  },
  /** The environment file in a folder of this machine; null when there is none. Only that one file is read. */
  'environments.find_file': {
    input: z.strictObject({ folder: z.string().startsWith('/').max(4096) }),
    output: z.strictObject({ file: z.strictObject({ name: z.string(), contents: z.string() }).nullable(), is_repository: z.boolean() }),
  },
  'environments.get': { input: byEnvironment, output: environmentView },
  'environments.list': {
    input: z.strictObject({
      limit: z.number().int().min(1).max(100).optional(),
      cursor,
      include_archived: z.boolean().optional(),
      /** Matches name or id, any case. */
      search: z.string().optional(),
      metadata: stringMap.optional(),
    }),
    output: z.strictObject({ environments: z.array(environmentView), next_cursor: z.string().nullable(), total: z.number().int() }),
  },
  'environments.update': { input: z.strictObject({ environment_id: environmentId, patch: environmentPatch }), output: environmentView },
  /** Every field that the file names gets what the file says, `metadata` merged; fields it does not name stay. A file with any key of a
   *  recipe replaces the whole text of the recipe. `metadata` comes on top of the file's. */
  'environments.update_from_file': {
    input: z.strictObject({
      environment_id: environmentId,
      contents: z.string(),
      file_name: z.string().optional(),
      metadata: stringMapPatch.optional(),
      revision: z.number().int().positive().optional(),
      expected_access: expectedAccess.optional(),
    }),
    output: environmentView,
  },
  'environments.archive': { input: byEnvironment, output: environmentView },
  'environments.unarchive': { input: byEnvironment, output: environmentView },
  'environments.delete': { input: byEnvironment, output: done },
  /** Which folders of this machine its sessions get (mounts, and a repository that is one), and whether the person has agreed to each. */
  'environments.folders': { input: byEnvironment, output: z.strictObject({ folders: z.array(listedFolder) }) },
  /** Agrees to exactly these; what is not given is taken back. Running sessions keep what they have. */
  'environments.agree_folders': {
    input: z.strictObject({ environment_id: environmentId, folders: z.array(hostFolder) }),
    output: z.strictObject({ folders: z.array(listedFolder) }),
  },
  'environments.duplicate': { input: z.strictObject({ environment_id: environmentId, name }), output: environmentView },
} as const;
