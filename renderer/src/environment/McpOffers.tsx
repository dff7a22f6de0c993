// What MCP servers need beside their configuration: the way to their hosts, and the secrets that they name. Each is one press away.
import { Button } from '@mantine/core';
import type { Editing } from '../store/actions.ts';

type Servers = Editing['environment']['mcp_servers'];

const addressKeys = ['url', 'httpUrl', 'serverUrl'];

const hostOf = (config: Record<string, unknown>): string[] => {
  const address = addressKeys.map((key) => config[key]).find((one) => typeof one === 'string');
  return typeof address === 'string' && URL.canParse(address) ? [new URL(address).host] : [];
};

/** Names that stand as `${NAME}` in the configuration. */
const namedIn = (servers: Servers): string[] => [
  ...new Set([...JSON.stringify(servers).matchAll(/\$\{([A-Za-z_]\w*)(?::-[^}]*)?\}/g)].map((match) => match[1] ?? '')),
];

const allowsServers = (policy: Editing['environment']['network_policy']): boolean =>
  !('rules' in policy) || policy.rules.some(({ action, presets }) => action === 'allow' && presets?.includes('mcp-servers'));

const list = (names: readonly string[]): string => names.join(', ');

/** The offers; nothing when nothing is missing. */
export const McpOffers = ({ editing, servers }: { editing: Editing; servers: Servers }) => {
  const { environment, patch, edit } = editing;
  const policy = patch.network_policy ?? environment.network_policy;
  const secrets = patch.secrets ?? environment.secrets;
  const variables = Object.keys(patch.env_vars ?? environment.env_vars);
  const hosts = [...new Set(Object.values(servers).flatMap(hostOf))];
  const missing = namedIn(servers).filter((name) => !secrets.includes(name) && !variables.includes(name));
  const open = () => {
    const rules = 'rules' in policy ? policy.rules : [];
    edit({ network_policy: { version: 'v1', rules: [...rules, { action: 'allow', presets: ['mcp-servers'] }] } });
  };
  return (
    <>
      {hosts.length > 0 && !allowsServers(policy) && (
        <div className="row" role="status">
          <span className="grow dim">The network policy does not open {list(hosts)} for them.</span>
          <Button size="compact-xs" variant="default" onClick={open}>
            Allow the hosts of MCP servers
          </Button>
        </div>
      )}
      {missing.length > 0 && (
        <div className="row" role="status">
          <span className="grow dim">{list(missing)}: named by a server, but no variable of sessions.</span>
          <Button size="compact-xs" variant="default" onClick={() => edit({ secrets: [...secrets, ...missing] })}>
            Give as secret
          </Button>
        </div>
      )}
    </>
  );
};
