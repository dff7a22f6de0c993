// Reads the address of a daemon as people write it in DOCKER_HOST or a context. Pure.
import type { DockerTarget } from './docker-connection.ts';

export type ParsedAddress =
  | { ok: true; target: DockerTarget }
  /** Understood, but not something that can be dialled from here. */
  | { ok: false; message: string };

const defaultPorts = { plain: 2375, tls: 2376 };

const tcpTarget = (address: string, wantsTls: boolean): ParsedAddress => {
  let url: URL;
  try {
    url = new URL(address.replace(/^(tcp|https?):\/\//, 'http://'));
  } catch {
    return { ok: false, message: `The address "${address}" cannot be read. Write it as unix:///path/docker.sock or tcp://HOST:PORT.` };
  }
  const isTls = wantsTls || address.startsWith('https://');
  const port = url.port === '' ? (isTls ? defaultPorts.tls : defaultPorts.plain) : Number(url.port);
  return { ok: true, target: { kind: 'tcp', address, host: url.hostname.replace(/^\[|\]$/g, ''), port, tls: null } };
};

/** Understands `unix://`, a bare path (a socket), `tcp://`, `http(s)://` and `HOST:PORT`; says why it does not dial the rest. */
export const parseDockerAddress = (text: string, wantsTls = false): ParsedAddress => {
  const address = text.trim();
  if (address.startsWith('unix://') || address.startsWith('/')) {
    const socketPath = address.replace(/^unix:\/\//, '');
    return { ok: true, target: { kind: 'socket', address: `unix://${socketPath}`, socketPath } };
  }
  const scheme = /^([a-z]+):\/\//.exec(address)?.[1];
  if (scheme === 'ssh') {
    const forward = 'ssh -nNT -L /tmp/docker.sock:/var/run/docker.sock USER@HOST';
    return { ok: false, message: `ssh is not supported (${address}). Forward the socket instead: ${forward}` };
  }
  if (scheme !== undefined && !['tcp', 'http', 'https'].includes(scheme))
    return { ok: false, message: `${scheme}:// is not supported (${address}).` };
  return tcpTarget(scheme === undefined ? `tcp://${address}` : address, wantsTls);
};
