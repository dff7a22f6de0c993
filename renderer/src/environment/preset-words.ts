import type { PresetId } from '../../../sandbox-engine/contract/model.ts';

/** Presets as they are chosen. */
export const presetChoices: { value: PresetId; label: string }[] = [
  { value: 'github', label: 'GitHub' },
  { value: 'github-lfs', label: 'GitHub large files' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'package-registries', label: 'Package registries, all of them' },
  { value: 'npm', label: 'npm' },
  { value: 'pip', label: 'pip' },
  { value: 'apt', label: 'apt' },
  { value: 'go', label: 'Go modules' },
  { value: 'cargo', label: 'Cargo' },
  { value: 'gem', label: 'RubyGems' },
  { value: 'maven', label: 'Maven' },
  { value: 'mcp-servers', label: 'MCP servers of this environment' },
];
