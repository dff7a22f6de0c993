// Which environment a launch means: the one that is named, or what an agent gets when it asks for none.
import type { AgentView } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { refused } from './command-failed.ts';
import { findAgent, findEnvironment } from './find-by-name.ts';

const defaultOf = ({ name, default_environment_id: id }: AgentView): string => {
  if (id !== null) return id;
  throw refused('invalid_request', `The agent "${name}" has no environment to launch.`, `sandlot agent attach "${name}" ENVIRONMENT`);
};

/** The id of the environment. @throws not_found, invalid_request: neither is given, or it is none of the agent's */
export const launchTarget = async (
  context: CommandContext,
  { environment, agent }: { environment: string | undefined; agent: string | undefined },
): Promise<string> => {
  if (agent === undefined) {
    if (environment !== undefined) return (await findEnvironment(context, environment)).id;
    throw refused('invalid_request', 'It is not said what to launch.', 'sandlot session launch ENVIRONMENT, or --agent AGENT');
  }
  const found = await findAgent(context, agent);
  if (environment === undefined) return defaultOf(found);
  const { id, name } = await findEnvironment(context, environment);
  if (found.environment_ids.includes(id)) return id;
  throw refused(
    'invalid_request',
    `"${name}" is not attached to the agent "${found.name}".`,
    `Attach it: sandlot agent attach "${found.name}" "${name}"`,
  );
};
