// On which runtime a new environment is to be; the address may name one.
import { Button, Select } from '@mantine/core';
import { useStored } from '../store/store.ts';
import { plainName } from '../ui/plain-name.ts';
import { usePlaceState } from '../ui/use-place-state.ts';

/** The one that the address names; `gone` when there is none of that name. */
export const useWantedRuntime = () => {
  const [wanted, setWanted] = usePlaceState<string>('runtime', '');
  const isKnown = useStored((state) => state.runtimes.some(({ id }) => id === wanted));
  return {
    runtime: isKnown ? wanted : null,
    gone: wanted === '' || isKnown ? null : wanted,
    setRuntime: (next: string | null) => setWanted(next ?? ''),
  };
};

/** Says that there is none of the name in the address, and takes it out of there. */
export const GoneRuntime = ({ wanted, onClear }: { wanted: string; onClear: () => void }) => (
  <p className="gone-note" role="status">
    There is no runtime <span className="mono">{plainName(wanted)}</span> here; the default one is used.{' '}
    <Button variant="subtle" size="compact-xs" onClick={onClear}>
      Clear
    </Button>
  </p>
);

interface RuntimeFieldProps {
  value: string | null;
  onChange: (runtime: string | null) => void;
}

/** There only where there is a choice. */
export const RuntimeField = ({ value, onChange }: RuntimeFieldProps) => {
  const runtimes = useStored((state) => state.runtimes.filter((runtime) => runtime.status === 'connected'));
  if (runtimes.length < 2) return null;
  const usual = runtimes.find(({ is_default: isDefault }) => isDefault);
  return (
    <Select
      label="Runtime"
      w={200}
      placeholder={usual === undefined ? 'The default one' : `The default: ${usual.id}`}
      clearable
      data={runtimes.map(({ id, version }) => ({ value: id, label: `${id} ${version ?? ''}` }))}
      value={value}
      onChange={onChange}
    />
  );
};
