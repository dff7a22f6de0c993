// Agents in the command palette, found by their names.
import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { IconRobot } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { agentsInOrder } from '../store/select.ts';
import { useStored } from '../store/store.ts';

const shownAgents = 8;
const none: never[] = [];

/** The group. `subject`: what is looked for, in small letters; empty for any of them. */
export const useAgentActions = (subject: string, isOpen: boolean): SpotlightActionGroupData => {
  const [, go] = useLocation();
  const agents = useStored((state) =>
    isOpen
      ? agentsInOrder(state)
          .filter(({ name, id }) => name.toLowerCase().includes(subject) || id.includes(subject))
          .slice(0, shownAgents)
      : none,
  );
  return {
    group: 'Agents',
    actions: agents.map(({ id, name, description }) => ({
      id,
      label: name,
      description: description || 'Agent',
      keywords: [id, `open ${name}`],
      leftSection: <IconRobot size={16} stroke={1.7} />,
      onClick: () => go(`/agents/${id}`),
    })),
  };
};
