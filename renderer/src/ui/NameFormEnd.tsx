// The end of a small form that asks for a name: nothing is done, or what the button says.
import { Button } from '@mantine/core';

interface NameFormEndProps {
  name: string;
  confirm: string;
  isBusy: boolean;
  onCancel: () => void;
}

/** Two buttons; without a name only the first works. */
export const NameFormEnd = ({ name, confirm, isBusy, onCancel }: NameFormEndProps) => (
  <div className="row" style={{ justifyContent: 'flex-end', gap: 8, marginTop: 8 }}>
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
      {confirm}
    </Button>
  </div>
);
