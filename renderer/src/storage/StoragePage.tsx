// What Sandlot has on disk, whose it is, and what can go.
import { Page } from '../ui/Page.tsx';
import { DiskPanel } from './DiskPanel.tsx';
import { LeftOverPanel } from './LeftOverPanel.tsx';

/** The page. */
export const StoragePage = () => (
  <Page title="Storage">
    <div className="stack">
      <LeftOverPanel />
      <DiskPanel />
    </div>
  </Page>
);
