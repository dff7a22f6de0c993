// A broken page says so instead of leaving the window empty.
import type { ReactNode } from 'react';
import { Boundary } from '../ui/Boundary.tsx';
import { Page } from '../ui/Page.tsx';

/** Around every page; another place is a new try. */
export const PageBoundary = ({ place, children }: { place: string; children: ReactNode }) => (
  <Boundary place={place} noun="page" frame={(title, said) => <Page title={title}>{said}</Page>}>
    {children}
  </Boundary>
);
