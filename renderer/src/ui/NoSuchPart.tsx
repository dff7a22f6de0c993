import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Empty } from './Empty.tsx';

/** Stands in a page whose link names a tab that it does not have. */
export const NoSuchPart = ({ name, href, label }: { name: string; href: string; label: string }) => (
  <Empty
    icon={<IconMapQuestion size={20} />}
    title={`There is no part called “${name}” here`}
    actions={
      <Button component={Link} href={href} variant="default">
        {label}
      </Button>
    }
  >
    The link may be of another version, or was cut off.
  </Empty>
);
