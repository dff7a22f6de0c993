// Servers for agents, as the JSON that the environment keeps. A text that is no JSON yet is kept here and never saved.
import { useEffect, useRef, useState } from 'react';
import type { Editing } from '../store/actions.ts';
import { CodeField } from '../ui/CodeField.tsx';
import { Panel } from '../ui/Panel.tsx';
import { McpOffers } from './McpOffers.tsx';

type Servers = Editing['environment']['mcp_servers'];

const toText = (servers: Servers): string => (Object.keys(servers).length === 0 ? '' : JSON.stringify(servers, null, 2));

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const readServers = (text: string): { servers: Servers } | { problem: string } => {
  if (text.trim() === '') return { servers: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isMap(value) && Object.values(value).every(isMap)) return { servers: value as Servers };
    return { problem: 'It must be a map of names to objects, like {"docs": {"command": "npx"}}.' };
  } catch (thrown) {
    return { problem: `This is no JSON yet: ${(thrown as Error).message}.` };
  }
};

/** The panel. */
export const McpPanel = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const servers = (patch.mcp_servers ?? environment.mcp_servers) as Servers;
  const [text, setText] = useState(() => toText(servers));
  const [problem, setProblem] = useState<string | null>(null);
  const sent = useRef(JSON.stringify(servers));

  useEffect(() => {
    // Discarded or saved elsewhere: the text follows; our own echo does not replace what is being typed.
    const now = JSON.stringify(servers);
    if (now === sent.current) return;
    sent.current = now;
    setText(toText(servers));
    setProblem(null);
  }, [servers]);

  const type = (next: string) => {
    setText(next);
    const read = readServers(next);
    setProblem('problem' in read ? read.problem : null);
    if ('problem' in read) return;
    sent.current = JSON.stringify(read.servers);
    edit({ mcp_servers: read.servers });
  };

  return (
    <Panel title="MCP servers" note="For agents in the sandbox. Never started by Sandlot.">
      <div className="stack-tight">
        <CodeField
          label="MCP servers as JSON"
          mode="text"
          minLines={3}
          placeholder='{"docs": {"type": "http", "url": "https://mcp.example.com/mcp", "headers": {"Authorization": "Bearer ${DOCS_TOKEN}"}}}'
          value={text}
          onChange={type}
        />
        {problem && (
          <div className="tone-bad" role="status">
            {problem} Until it is, this text is not part of what is saved.
          </div>
        )}
        <McpOffers editing={editing} servers={servers} />
        <span className="faint">
          Sessions find them in ~/.sandlot/mcp.json, and by a link .mcp.json where agents look. Write a secret as {'${NAME}'}: it stays like
          that in the file, and the agent that reads it puts in its variable.
        </span>
      </div>
    </Panel>
  );
};
