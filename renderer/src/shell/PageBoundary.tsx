// Catches what a page throws while it is drawn or fetched, so that a broken page says so instead of leaving the window empty.
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { Empty } from '../ui/Empty.tsx';
import { Page } from '../ui/Page.tsx';

interface Props {
  /** Where the window is; another place is a new try. */
  place: string;
  children: ReactNode;
}

interface State {
  failure: Error | null;
  place: string;
}

/** React catches errors only in a class. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { failure: null, place: this.props.place };

  static getDerivedStateFromError(failure: Error): Partial<State> {
    return { failure };
  }

  static getDerivedStateFromProps({ place }: Props, known: State): Partial<State> | null {
    return place === known.place ? null : { failure: null, place };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    return (
      <Page title="This page could not be shown">
        <div role="alert">
          <Empty
            icon={<IconAlertTriangle size={20} />}
            title="This page could not be shown"
            actions={<Button onClick={() => location.reload()}>Load again</Button>}
          >
            {failure.message}. Nothing in the host or in your sandboxes was touched; edits that are not saved are lost by loading again.
          </Empty>
        </div>
      </Page>
    );
  }
}
