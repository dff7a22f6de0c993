// Where a link leads nowhere: it says so, and how to get on.
import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link, useLocation } from 'wouter';
import { Empty } from '../ui/Empty.tsx';
import { Page } from '../ui/Page.tsx';

/** The page. */
export const NoSuchPage = () => {
  const [place] = useLocation();
  return (
    <Page title="No such page">
      <Empty
        icon={<IconMapQuestion size={20} />}
        title="There is no such page"
        actions={
          <>
            <Button component={Link} href="/">
              Home
            </Button>
            <Button variant="default" onClick={() => history.back()}>
              Back
            </Button>
          </>
        }
      >
        The link leads to <span className="mono">{place}</span>, which Sandlot does not have. It may be of another version, or was cut off.
      </Empty>
    </Page>
  );
};
