// What Sandlot has on disk, whose it is, and what can go.
import { useState } from 'react';
import { Page } from '../ui/Page.tsx';
import { DiskPanel } from './DiskPanel.tsx';
import { LeftOverPanel } from './LeftOverPanel.tsx';

/** The page. */
export const StoragePage = () => {
  const [removals, setRemovals] = useState(0);
  return (
    <Page title="Storage">
      <div className="stack">
        <LeftOverPanel onRemoved={() => setRemovals((count) => count + 1)} />
        <DiskPanel removals={removals} />
      </div>
    </Page>
  );
};
