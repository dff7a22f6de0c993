// What a session of an environment is started with, as the environment is now: image, compute, secrets, folders, and a digest for each
// part of it, so that it can be told later what has changed.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { wayOf } from '../container/sandbox-network.ts';
import type { Environment, Session } from '../contract/model.ts';
import { mcpPreset } from '../egress/mcp-preset.ts';
import { presetsOf } from '../egress/presets.ts';
import type { LaunchPlan } from '../session/session-parts.ts';
import type { PrepareDefaultBase } from './default-base.ts';
import type { EnvironmentViews } from './environment-views.ts';
import { assertFoldersAgreed } from './host-folders.ts';
import type { House } from './house.ts';
import { needsRefresh, refreshSetup } from './refresh-setup.ts';
import { type BootImage, sessionImage } from './resolve-image.ts';
import { resolveResources } from './resolve-resources.ts';

export interface PlanRooms {
  house: House;
  views: EnvironmentViews;
  defaultBase: PrepareDefaultBase;
}

/** What is asked for beside the environment. */
export interface PlanWishes {
  name?: string | undefined;
  secrets?: Record<string, string> | undefined;
  secret_files?: Record<string, string> | undefined;
  observe?: boolean | undefined;
  /** The session that there is already: what was given to it alone goes on with it. */
  session?: Session | undefined;
}

// Prepared, but by a setup run that is still to come.
const refreshedImage: BootImage = { imageId: null, source: 'prepared', fallback: null };

/** The part that the preset `mcp-servers` adds to the rules. */
export const serverHosts = 'hosts of MCP servers';

/** Parts that a running sandbox can be given; the others need another sandbox. */
export const appliedParts: readonly string[] = ['network rules', serverHosts, 'secrets', 'files'];

const digestOf = (part: unknown): string => createHash('sha256').update(canonicalJson(part)).digest('hex').slice(0, 16);

/** A session from before it was told of has none. */
const openedServers = ({ network_policy, mcp_servers }: Environment): string =>
  presetsOf(network_policy).includes('mcp-servers') ? mcpPreset(mcp_servers).revision : 'none';

const isClosed = (policy: Environment['network_policy']): boolean => 'rules' in policy && policy.rules.length === 0;

/** A digest for each part of what a sandbox is made of; that of rules of which there is none is `closed`. Pure. */
export const configOf = (
  environment: Environment,
  { image, cpus, memoryBytes, hasFiles }: { image: BootImage; cpus: number; memoryBytes: number; hasFiles: boolean },
): Record<string, string> => {
  const {
    resources,
    env_vars,
    mounts,
    privileged,
    computer_use,
    network_policy,
    secrets,
    secret_files,
    knowledge,
    runbook,
    skills,
    mcp_servers,
  } = environment;
  const parts = {
    image: [image.imageId, image.source],
    variables: env_vars,
    resources: [cpus, memoryBytes, resources.gpu],
    mounts,
    privileges: [privileged, computer_use],
    network: wayOf(network_policy),
    'network rules': network_policy,
    secrets: [secrets, secret_files],
    // The mount that they need cannot be given to a sandbox that runs.
    'secret files': hasFiles,
    files: [knowledge, runbook, skills, mcp_servers],
  };
  const made = Object.entries(parts).map(([name, part]) => [name, digestOf(part)]);
  const digests = Object.fromEntries([...made, [serverHosts, openedServers(environment)]]);
  return isClosed(network_policy) ? { ...digests, 'network rules': 'closed' } : digests;
};

/** The plan. @throws environment_not_verified @throws folder_not_agreed @throws secret_missing @throws insufficient_resources */
export const launchPlan = async (
  { house, views, defaultBase }: PlanRooms,
  environment: Environment,
  { name, secrets = {}, secret_files = {}, observe = false, session }: PlanWishes = {},
): Promise<LaunchPlan> => {
  await assertFoldersAgreed(house, environment);
  const runtimeId = environment.runtime;
  const kept = session === undefined ? null : await house.secrets.ownOf(session);
  const own = { secrets: { ...kept?.secrets, ...secrets }, files: { ...kept?.files, ...secret_files } };
  const given = await house.secrets.namesFor(environment, own);
  const view = await views.of(environment);
  const image = needsRefresh(view) ? refreshedImage : sessionImage(view);
  const compute = resolveResources(environment.resources, await house.runtimes.info(runtimeId));
  return {
    environment,
    runtimeId,
    imageSource: image.source,
    fallback: image.fallback,
    image:
      image.imageId ??
      ((signal, onLine) =>
        image.source === 'prepared' ? refreshSetup(house, environment, onLine) : defaultBase(runtimeId, signal, onLine)),
    envVars: environment.env_vars,
    areFoldersAgreed: true,
    ownFolder: house.dataFolder,
    // Only what is new: what the session has is stored already.
    ...(given.names.length + given.files.length === 0 ? {} : { secrets: { ...given, own: { ...secrets, ...secret_files } } }),
    ...compute,
    config: configOf(environment, { image, ...compute, hasFiles: given.files.length > 0 }),
    observe,
    ...(name === undefined ? {} : { name }),
  };
};
