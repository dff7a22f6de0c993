// How the fields of an environment are called in a sentence. The window has the same words for what it says itself.

const words: Record<string, string> = {
  recipe_yaml: 'recipe',
  setup: 'setup script',
  session_start: 'session start',
  network_policy: 'network',
  privileged: 'privileged mode',
  disk_gib: 'disk',
  idle_stop_seconds: 'idle stop',
  retention_seconds: 'retention',
  live: 'live edits',
  env_vars: 'variables',
  repo: 'repository',
  secret_files: 'secret files',
  mcp_servers: 'MCP servers',
  mounts: 'folders',
  computer_use: 'computer use',
  image_id: 'image',
  runtime_layer: 'runtime layer',
};

/** A field of an environment, or of what a verdict depends on, in words; one that is a word already stays. */
export const fieldWord = (field: string): string => words[field] ?? field.replaceAll('_', ' ');
