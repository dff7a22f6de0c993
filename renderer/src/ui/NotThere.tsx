import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Empty } from './Empty.tsx';
import { Page } from './Page.tsx';

interface NotThereProps {
  /** What was looked for, in one word: "session". */
  noun: string;
  icon: ReactNode;
  parent: { label: string; href: string };
}

/** The page of a thing that is not there, any more or at all, with the way to those that are. */
export const NotThere = ({ noun, icon, parent }: NotThereProps) => (
  <Page title={`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`} parent={parent}>
    <Empty
      icon={icon}
      title={`There is no such ${noun}`}
      actions={
        <Button component={Link} href={parent.href} variant="default">
          All {parent.label.toLowerCase()}
        </Button>
      }
    >
      It was deleted, or it belongs to another data folder.
    </Empty>
  </Page>
);
