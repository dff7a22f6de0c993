// What the palette offers for the window itself: its look, its density, its keys.
import { useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionData } from '@mantine/spotlight';
import { IconKeyboard, IconLayoutRows, IconMoon } from '@tabler/icons-react';
import { useDensity } from '../ui/density.ts';
import { showShortcuts } from './show-shortcuts.tsx';

const size = { size: 16, stroke: 1.7 };

const useLooks = (): SpotlightActionData[] => {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  return (['light', 'dark', 'auto'] as const)
    .filter((scheme) => scheme !== colorScheme)
    .map((scheme) => ({
      id: `scheme-${scheme}`,
      label: scheme === 'auto' ? 'Look: follow the system' : `Look: ${scheme}`,
      keywords: ['theme', 'color scheme'],
      leftSection: <IconMoon {...size} />,
      onClick: () => setColorScheme(scheme),
    }));
};

const useDensities = (): SpotlightActionData[] => {
  const [density, choose] = useDensity();
  const other = density === 'compact' ? 'comfortable' : 'compact';
  return [
    {
      id: 'density',
      label: `Density: ${other}`,
      keywords: ['compact', 'comfortable', 'rows'],
      leftSection: <IconLayoutRows {...size} />,
      onClick: () => choose(other),
    },
  ];
};

/** The rows. */
export const useWindowActions = (): SpotlightActionData[] => [
  ...useLooks(),
  ...useDensities(),
  { id: 'shortcuts', label: 'Keyboard shortcuts', leftSection: <IconKeyboard {...size} />, onClick: showShortcuts },
];
