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

// As Chromium, Firefox and Safari say that a part of the page is not there: the app was exchanged for another one meanwhile.
const isOfOlderApp = ({ message }: Error): boolean => /dynamically imported module|importing a module script/i.test(message);

const titleOf = (failure: Error): string => (isOfOlderApp(failure) ? 'Sandlot was updated meanwhile' : 'This page could not be shown');

const wordsOf = (failure: Error): string =>
  isOfOlderApp(failure) ? 'This window is of the version before, and a part that this page needs is no longer there' : failure.message;

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
      <Page title={titleOf(failure)}>
        <div role="alert">
          <Empty
            icon={<IconAlertTriangle size={20} />}
            title={titleOf(failure)}
            actions={<Button onClick={() => location.reload()}>Load again</Button>}
          >
            {wordsOf(failure)}. Nothing in the host or in your sandboxes was touched; edits that are not saved are lost by loading again.
          </Empty>
        </div>
      </Page>
    );
  }
}
