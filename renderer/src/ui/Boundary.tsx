// Catches what a part of the window throws while it is drawn or fetched, so that a broken part says so and takes nothing else with it.
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { Empty } from './Empty.tsx';

interface Props {
  /** Where one is; another place is a new try. */
  place: string;
  /** What is drawn here. */
  noun: 'page' | 'part';
  /** Puts what is said into a frame; by itself it has none. */
  frame?: (title: string, said: ReactNode) => ReactNode;
  children: ReactNode;
}

interface State {
  failure: Error | null;
  place: string;
}

// As Chromium, Firefox and Safari say that a part of the page is not there: the app was exchanged for another one meanwhile.
const isOfOlderApp = ({ message }: Error): boolean => /dynamically imported module|importing a module script/i.test(message);

const titleOf = (failure: Error, noun: Props['noun']): string =>
  isOfOlderApp(failure) ? 'Sandlot was updated meanwhile' : `This ${noun} could not be shown`;

const wordsOf = (failure: Error, noun: Props['noun']): string =>
  isOfOlderApp(failure)
    ? `This window is of the version before, and ${noun === 'page' ? 'a part that this page needs' : 'this part'} is no longer there`
    : failure.message;

/** React catches errors only in a class. */
export class Boundary extends Component<Props, State> {
  override state: State = { failure: null, place: this.props.place };

  static getDerivedStateFromError(failure: Error): Partial<State> {
    return { failure };
  }

  static getDerivedStateFromProps({ place }: Props, known: State): Partial<State> | null {
    return place === known.place ? null : { failure: null, place };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    const { children, noun, frame } = this.props;
    if (!failure) return children;
    const title = titleOf(failure, noun);
    const said = (
      <div role="alert">
        <Empty icon={<IconAlertTriangle size={20} />} title={title} actions={<Button onClick={() => location.reload()}>Load again</Button>}>
          {wordsOf(failure, noun)}. Nothing in the host or in your sandboxes was touched; edits that are not saved are lost by loading
          again.
        </Empty>
      </div>
    );
    return frame ? frame(title, said) : said;
  }
}
