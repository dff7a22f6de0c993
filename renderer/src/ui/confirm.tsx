// The dialog before something that cannot be taken back. It says what will be lost.
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

interface Question {
  title: string;
  body: ReactNode;
  /** The verb of the deed: "Delete environment". */
  confirm: string;
  isDangerous?: boolean;
  onConfirm: () => void;
  /** Also when the dialog is closed without an answer. */
  onCancel?: () => void;
}

/** Asks first, acts after. */
export const confirm = ({ title, body, confirm: label, isDangerous = false, onConfirm, onCancel }: Question): void => {
  modals.openConfirmModal({
    title,
    children: <div className="stack-tight">{body}</div>,
    labels: { confirm: label, cancel: 'Cancel' },
    // Enter pressed without reading must not destroy anything.
    confirmProps: { ...(isDangerous ? { color: 'red.8' } : { 'data-autofocus': true }) },
    cancelProps: { variant: 'default', ...(isDangerous && { 'data-autofocus': true }) },
    onConfirm,
    onCancel: () => onCancel?.(),
  });
};
