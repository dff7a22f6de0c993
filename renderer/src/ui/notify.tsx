// Short messages at the corner of the window. What must stay visible is a Banner instead.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';

interface Failure {
  message: string;
  next_action: string | null;
}

/** Says that something did not work, why, and what to do next. */
export const notifyFailure = (title: string, failure: Failure): void => {
  notifications.show({
    title,
    message: (
      <>
        <div>{failure.message}</div>
        {failure.next_action && <div className="banner-next">{failure.next_action}</div>}
      </>
    ),
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    autoClose: 12_000,
  });
};

/** Says that something was done. */
export const notifyDone = (message: string): void => {
  notifications.show({ message, color: 'green', icon: <IconCheck size={16} />, autoClose: 3000 });
};

/** Says that something was done that can be taken back, with the button that does. */
export const notifyUndo = (message: string, onUndo: () => void): void => {
  const id = notifications.show({
    message: (
      <div className="row">
        <span className="grow">{message}</span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          Undo
        </Button>
      </div>
    ),
    icon: <IconCheck size={16} />,
    color: 'green',
    autoClose: 20_000,
  });
};

/** Passes on what the host wants a person to know. */
export const notifyNotice = (level: 'info' | 'warning' | 'error', message: string): void => {
  const color = { info: 'cobalt', warning: 'yellow', error: 'red' }[level];
  notifications.show({
    message,
    color,
    icon: level === 'info' ? <IconInfoCircle size={16} /> : <IconAlertTriangle size={16} />,
    autoClose: 10_000,
  });
};
