// Where coding agents look for MCP servers: `.mcp.json` at the root of what they work on. It is a link to the file that is carried in, made
// only where there is none, and no change of the repository.
import { SandlotError } from '../base/errors.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import type { InsidePlace } from './ask-inside.ts';
import { mcpFile } from './inject.ts';
import { runInside } from './run-inside.ts';

// A file of the repository's own, or somebody else's link, stays as it is.
const linkScript = `
cd "$1" || exit 1
[ "$(readlink .mcp.json)" = "$2" ] && rm -f .mcp.json
[ -e "$2" ] || exit 0
[ -e .mcp.json ] || [ -L .mcp.json ] && exit 0
ln -s "$2" .mcp.json || exit 1
file=$(git rev-parse --git-path info/exclude 2>/dev/null) || exit 0
mkdir -p "$(dirname "$file")" && { grep -qxF /.mcp.json "$file" 2>/dev/null || echo /.mcp.json >>"$file"; }
`;

const linkLimitMs = 15_000;

/** Makes the link in a folder, or takes away the one of an earlier time when no servers are there any more. @throws runtime_error */
export const linkMcp = async ({ runtime, containerId }: InsidePlace, folder: string): Promise<void> => {
  const command = ['/bin/sh', '-c', linkScript, 'sandlot-link', folder, mcpFile];
  const { exitCode, output } = await runInside(runtime, containerId, { command, user: sandboxUser, workdir: '/' }, linkLimitMs);
  if (exitCode === 0) return;
  throw new SandlotError('runtime_error', `${folder}/.mcp.json was not made: ${output.trim() || 'there was no answer'}`, {
    nextAction: `The servers are in ${mcpFile}: name that file to your agent.`,
  });
};
