// How much room there is around everything: comfortable, or compact for more on the same screen. The measures are in tokens.css.
import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';

export type Density = 'comfortable' | 'compact';

const key = 'sandlot-density';

/** The choice of this machine, and how to choose otherwise. */
export const useDensity = (): [Density, (density: Density) => void] => {
  const [density, choose] = useLocalStorage<Density>({ key, defaultValue: 'comfortable', getInitialValueInEffect: false });
  return [density === 'compact' ? 'compact' : 'comfortable', choose];
};

/** Puts the choice where the tokens look for it. */
export const useDensityAttribute = (): void => {
  const [density] = useDensity();
  // While it is drawn, not after: rows are measured in the same drawing.
  document.documentElement.dataset['density'] = density;
  useEffect(() => {
    document.documentElement.dataset['density'] = density;
  }, [density]);
};

const usual = { '--row': 48, '--row-small': 32 } as const;

/** The height of a row in pixels, as the tokens have it for the chosen density. */
export const useRowHeight = (token: keyof typeof usual): number => {
  useDensity();
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(token)) || usual[token];
};
