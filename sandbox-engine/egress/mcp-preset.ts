// The preset `mcp-servers`: the hosts of the servers that an environment configures, computed anew whenever it is asked for.
// Source: NETWORK.md 1.9.
import type { Environment, PresetHost, ResolvedPreset } from '../contract/model.ts';
import { readHost } from './destination.ts';
import { digestOf } from './preset-digest.ts';

// The keys under which clients of MCP keep a server's address.
const addressKeys = ['url', 'httpUrl', 'serverUrl'];

type Found = { host: PresetHost } | { note: string };

const hostOf = (server: string, address: string): Found => {
  // Not from the wire, but from the environment's own configuration, which its programs read with such a parser too.
  const url = URL.canParse(address) ? new URL(address) : null;
  const isWeb = url !== null && /^(?:https?|wss?):$/.test(url.protocol);
  const read = isWeb ? readHost(url.hostname) : null;
  if (url === null || !read?.ok) return { note: `The address of MCP server "${server}" names no host that can be opened.` };
  const port = url.port === '' ? (/^(?:https|wss):$/.test(url.protocol) ? 443 : 80) : Number(url.port);
  return { host: { host: read.host, ports: [port], uploads: true, from: `MCP server "${server}"` } };
};

/** Resolves the preset from an environment's servers; those that are only started inside the sandbox open nothing. */
export const mcpPreset = (servers: Environment['mcp_servers']): ResolvedPreset => {
  const found = Object.entries(servers).flatMap(([name, config]) => {
    const address = addressKeys.map((key) => (Object.hasOwn(config, key) ? config[key] : undefined)).find((one) => typeof one === 'string');
    return typeof address === 'string' ? [hostOf(name, address)] : [];
  });
  const hosts = found.flatMap((one) => ('host' in one ? [one.host] : []));
  return {
    id: 'mcp-servers',
    revision: digestOf(hosts),
    source: "this environment's MCP servers",
    resolved_at: null,
    state: 'current',
    hosts,
    notes: found.flatMap((one) => ('note' in one ? [one.note] : [])),
  };
};
