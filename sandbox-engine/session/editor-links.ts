// How editors reach a session: the address that VS Code opens, and the lines that an SSH client reads. Pure.
// Source: VS Code, Dev Containers: `attached-container+` and a container's name in hexadecimal; ssh_config(5).
import type { RuntimeKind } from '../container/container-runtime.ts';
import { sandboxName, sandboxUser, workspace } from '../container/sandbox-spec.ts';

const hexOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

/** Opens the workspace of a session in VS Code, attached to its container. */
export const vscodeUrl = (sessionId: string): string =>
  `vscode://vscode-remote/attached-container+${hexOf(JSON.stringify({ containerName: `/${sandboxName(sessionId)}` }))}${workspace}`;

/** What VS Code must be told before it finds the container; null when it finds it by itself. */
export const vscodeNote = (kind: RuntimeKind, address: string): string | null => {
  if (kind === 'podman')
    return `Set "dev.containers.dockerPath": "podman" in VS Code, and have its podman reach ${address} (CONTAINER_HOST) where that is not its own.`;
  return address === 'unix:///var/run/docker.sock' ? null : `VS Code must use the same Docker: ${address} (DOCKER_HOST, or a context).`;
};

/** The name by which an SSH client knows a session. */
export const sshHost = (sessionId: string): string => `sandlot-${sessionId.slice(-8)}`;

const quoted = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text.replaceAll('%', '%%') : `'${text.replaceAll('%', '%%').replaceAll("'", `'\\''`)}'`;

interface SshPlace {
  sessionId: string;
  keyPath: string;
  /** null: the usual one, which the command line finds by itself. */
  dataFolder: string | null;
}

/** A host block for `~/.ssh/config`. The way in is a command of ours; whoever can run it is this user already, so the host key proves nothing. */
export const sshConfig = ({ sessionId, keyPath, dataFolder }: SshPlace): string =>
  [
    `Host ${sshHost(sessionId)}`,
    `  User ${sandboxUser}`,
    `  ProxyCommand ${dataFolder === null ? '' : `env SANDLOT_HOME=${quoted(dataFolder)} `}sandlot session ssh-proxy ${sessionId}`,
    `  IdentityFile "${keyPath.replaceAll('%', '%%')}"`,
    '  IdentitiesOnly yes',
    '  StrictHostKeyChecking no',
    '  UserKnownHostsFile /dev/null',
    '  LogLevel ERROR',
    '  ForwardAgent no',
    '  ForwardX11 no',
    '',
  ].join('\n');
