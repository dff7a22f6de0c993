// Short messages at the corner of the window. What must stay visible is a Banner instead.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { withCode } from './with-code.tsx';

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
        <div className="notice-why">{withCode(failure.message)}</div>
        {failure.next_action && <div className="banner-next">{withCode(failure.next_action)}</div>}
      </>
    ),
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    autoClose: 12_000,
  });
};

/** Where a message leads; the address is one of the window. */
interface NotifyLink {
  label: string;
  href: string;
}

/** A message with the way to what it is about. Messages stand outside the router, so the link goes by the hash. */
const WithLink = ({ message, link }: { message: string; link: NotifyLink | undefined }) =>
  link === undefined ? (
    withCode(message)
  ) : (
    <div className="row">
      <span className="grow">{withCode(message)}</span>
      <a className="link" href={`#${link.href}`} onClick={() => notifications.clean()}>
        {link.label}
      </a>
    </div>
  );

/** How long a message stands: as long as one takes to read it while doing something else. Pure. */
export const readingMs = (message: string, atLeast: number): number => Math.max(atLeast, message.length * 80);

/** Says that something was done, and where to see it. */
export const notifyDone = (message: string, link?: NotifyLink): void => {
  notifications.show({
    message: <WithLink message={message} link={link} />,
    color: 'green',
    icon: <IconCheck size={16} />,
    autoClose: readingMs(message, link === undefined ? 3000 : 8000),
  });
};

/** Says that something ended badly, and where to see why. */
export const notifyFailed = (message: string, link: NotifyLink): void => {
  notifications.show({
    message: <WithLink message={message} link={link} />,
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    autoClose: 12_000,
  });
};

/** What can be done about it, from the message itself. */
interface NotifyDeed {
  label: string;
  run: () => void;
}

/** Says what is about to be or has come, and where to see it; with `deed` for as long as something can be done. `subject`: for who withdraws it. */
export const notifyWarning = (
  message: string,
  { link, deed, subject }: { link: NotifyLink; deed?: NotifyDeed | null; subject: string },
): void => {
  const id = warningId(subject);
  notifications.hide(id);
  notifications.show({
    id,
    message: (
      <div className="stack-tight">
        <WithLink message={message} link={link} />
        {deed && (
          <div>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => {
                notifications.hide(id);
                deed.run();
              }}
            >
              {deed.label}
            </Button>
          </div>
        )}
      </div>
    ),
    color: 'yellow',
    icon: <IconAlertTriangle size={16} />,
    autoClose: deed ? 60_000 : 12_000,
  });
};

const warningId = (subject: string): string => `warning ${subject}`;

/** Takes a warning away that holds no more. */
export const withdrawWarning = (subject: string): void => void notifications.hide(warningId(subject));

/** How long something may take before it is said that it is under way. */
const quietMs = 400;

/** Says that something is under way, where no button shows it; the returned function ends that. */
export const notifyRunning = (message: string): (() => void) => {
  let id: string | null = null;
  const timer = setTimeout(() => {
    id = notifications.show({ message, loading: true, autoClose: false, withCloseButton: false });
  }, quietMs);
  return () => {
    clearTimeout(timer);
    if (id !== null) notifications.hide(id);
  };
};

const undoId = (subject: string): string => `undo ${subject}`;

/** Takes the offer away to undo what was done to this, since somebody did it another way or it is too late. */
export const withdrawUndo = (subject: string): void => void notifications.hide(undoId(subject));

/** Says that something was done that can be taken back, with the button that does; the returned function takes the offer away. `subject`: the
 *  id of what it was done to, for whoever takes it away from elsewhere. */
export const notifyUndo = (message: string, onUndo: () => void, subject?: string): (() => void) => {
  const id = notifications.show({
    ...(subject === undefined ? {} : { id: undoId(subject) }),
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
  return () => void notifications.hide(id);
};

/** Passes on what the host wants a person to know. */
export const notifyNotice = (level: 'info' | 'warning' | 'error', message: string): void => {
  const color = { info: 'cobalt', warning: 'yellow', error: 'red' }[level];
  notifications.show({
    message: withCode(message),
    color,
    icon: level === 'info' ? <IconInfoCircle size={16} /> : <IconAlertTriangle size={16} />,
    autoClose: 10_000,
  });
};
