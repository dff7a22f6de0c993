// What the files of this room are given and what they share. Nothing here does anything.
import type { Clock } from '../base/clock.ts';
import type { NewId } from '../base/ids.ts';
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { SandboxNetworks } from '../container/sandbox-network.ts';
import type { Environment, Exec, Session, Terminal } from '../contract/model.ts';
import type { SessionStore } from '../registry/registry.ts';
import type { StreamStore } from '../stream/stream.ts';
import type { Packer } from './pack-folder.ts';
import type { OwnerOf } from './workspace-owner.ts';

/** What sessions are given of secrets, and the mask before their words. */
export interface SessionSecrets {
  /** `NAME=value` of all that the session is to have as variables, with their newest values, written into the ledger; and the names of
   *  those, files too, that are not set any more. @throws secrets_damaged @throws secrets_locked */
  variablesOf: (session: Session) => Promise<{ env: string[]; missing: string[] }>;
  /** The newest values of those that the session is to have as files, written into the ledger; one that is not set any more is left
   *  out. @throws secrets_damaged @throws secrets_locked */
  filesOf: (session: Session) => Promise<{ name: string; value: string }[]>;
  /** Keeps values for this session alone. @throws invalid_request @throws too_large */
  keep: (sessionId: string, values: Readonly<Record<string, string>>) => Promise<void>;
  /** Resolves when every value is known, so that output can be masked. @throws secrets_damaged @throws secrets_locked */
  ready: () => Promise<void>;
  redactText: (text: string) => string;
}

export interface SessionDeps {
  sessionStore: SessionStore;
  /** @throws runtime_not_found, runtime_unavailable */
  runtimeOf: (id: string) => ContainerRuntime;
  /** Masks by itself what is written into it. */
  streams: StreamStore;
  secrets: SessionSecrets;
  /** The ways of policies that are not open. */
  networks: SandboxNetworks;
  makeLabels: MakeLabels;
  newId: NewId;
  clock: Clock;
  /** How long the environments let their sessions idle, and keep them; without it nothing is stopped or removed by itself. */
  lifetimes?: {
    /** 0 is for ever. */
    idleSecondsOf: (session: Session) => Promise<number>;
    /** 0 is for good; null when the environment is gone. */
    retentionSecondsOf: (session: Session) => Promise<number | null>;
    /** Seconds that sessions were idle when the host before this one ended. */
    keptIdle: Record<string, number>;
  };
  /** The environment of a session as it is now; null when it is gone. Without it nothing that was cut off is brought in again. */
  environmentOf?: (session: Session) => Promise<Environment | null>;
  /** Packs folders of this machine; without it each has a thread for itself. */
  packer?: Packer;
  /** Remembers whom the workspaces of an image belong to. */
  ownerOf?: OwnerOf;
  /** Something happened in this session; may be called as often as it does. */
  touch?: (sessionId: string) => void;
  /** The sandbox of this session is about to be stopped: what ends in it from now on ends with it. */
  sandboxEnds?: (sessionId: string) => void;
  /** Whether the store knows every session there ever was: false after a registry was lost, when an unknown container may be somebody's. */
  knowsAllSessions?: () => boolean;
  emit: {
    session: (session: Session) => void;
    terminal: (terminal: Terminal) => void;
    exec: (exec: Exec) => void;
    sessionRemoved: (id: string) => void;
  };
}

export interface LaunchPlan {
  environment: Environment;
  /** The image to boot from, or how to get it when it may have to be made first. */
  image: string | ((signal: AbortSignal, onLine: (line: string) => void) => Promise<string>);
  imageSource: Session['image_source'];
  fallback: string | null;
  runtimeId: string;
  cpus: number;
  memoryBytes: number;
  envVars: Record<string, string>;
  /** Names of the secrets that the session gets as variables and as files, sorted, and the values of those that it alone gets. */
  secrets?: { names: string[]; files: string[]; own: Readonly<Record<string, string>> };
  name?: string;
  /** Everything public passes, and is written down. */
  observe?: boolean;
  /** The person has agreed to the folders of this machine that the environment names. */
  areFoldersAgreed?: boolean;
  /** A digest for each part of the configuration that it is made of. */
  config?: Record<string, string>;
  /** The workspace was there before: what is in the repository's place stays as it is. */
  keepsWorkspace?: boolean;
  /** The repository in it may be half there. */
  isRepoCut?: boolean;
  /** Sandlot's own data folder, which goes into no sandbox. */
  ownFolder: string;
}

/** A process in a session that this host is connected to. */
export interface Connected {
  handle: ExecHandle;
  /** Resolves when it has ended and its record is saved. */
  done: Promise<void>;
}

export const terminalVariable = 'SANDLOT_TERMINAL';
export const execVariable = 'SANDLOT_EXEC';
