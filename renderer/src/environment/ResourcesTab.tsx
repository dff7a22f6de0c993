// How big a sandbox is and how long it lives.
import { NumberInput, SegmentedControl, Select, Switch } from '@mantine/core';
import type { Resources } from '../../../sandbox-engine/contract/model.ts';
import type { Editing } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { formatBytes } from '../ui/format.ts';
import { Panel } from '../ui/Panel.tsx';
import { resourceText } from '../ui/resource-text.ts';
import { StoragePanel } from './StoragePanel.tsx';

type Size = Resources['size'];

const idleChoices = [
  { value: '0', label: 'Never' },
  { value: '900', label: 'After 15 minutes' },
  { value: '1800', label: 'After 30 minutes' },
  { value: '3600', label: 'After 1 hour' },
  { value: '14400', label: 'After 4 hours' },
];

const retentionChoices = [
  { value: '0', label: 'Until deleted by hand' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

const withCurrent = (choices: typeof idleChoices, seconds: number) =>
  choices.some((choice) => choice.value === String(seconds))
    ? choices
    : [...choices, { value: String(seconds), label: `${seconds} seconds` }];

const ResourcePanel = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const shown = { ...environment.resources, ...(patch.resources ?? {}) } as Resources;
  const size: Size = patch.resources ? (patch.resources.size ?? 'custom') : environment.resources.size;
  const runtime = useStored((state) => state.runtimes.find((candidate) => candidate.id === environment.runtime));
  const gpu = shown.gpu ? { gpu: true } : { gpu: false };
  const custom = { cpus: shown.cpus ?? 2, memory_gib: shown.memory_gib ?? 4 };
  const choose = (next: Size) => edit({ resources: next === 'custom' ? { size: next, ...custom, ...gpu } : { size: next, ...gpu } });
  const limits =
    runtime?.cpus != null && runtime.memory_bytes != null
      ? `The runtime has ${runtime.cpus} CPUs and ${formatBytes(runtime.memory_bytes)}; more than that is refused.`
      : 'More than the runtime has is refused.';
  return (
    <Panel title="Resources" note={resourceText({ ...shown, size })}>
      <div className="stack" style={{ gap: 12 }}>
        <SegmentedControl
          aria-label="Size of the sandbox"
          value={size}
          onChange={(value) => choose(value as Size)}
          data={[
            { value: 'small', label: 'Small' },
            { value: 'medium', label: 'Medium' },
            { value: 'large', label: 'Large' },
            { value: 'custom', label: 'Custom' },
          ]}
        />
        {size === 'custom' && (
          <div className="field-grid">
            <NumberInput
              label="CPUs"
              min={0.1}
              step={0.5}
              value={custom.cpus}
              onChange={(value) => edit({ resources: { size: 'custom', ...custom, ...gpu, cpus: Number(value) || custom.cpus } })}
            />
            <NumberInput
              label="Memory in GiB"
              min={0.25}
              step={0.5}
              value={custom.memory_gib}
              onChange={(value) =>
                edit({ resources: { size: 'custom', ...custom, ...gpu, memory_gib: Number(value) || custom.memory_gib } })
              }
            />
          </div>
        )}
        <Switch
          label="Needs a GPU"
          checked={shown.gpu}
          onChange={(event) => {
            const wants = { gpu: event.currentTarget.checked };
            edit({ resources: size === 'custom' ? { size, ...custom, ...wants } : { size, ...wants } });
          }}
        />
        <span className="faint">{limits}</span>
      </div>
    </Panel>
  );
};

/** The tab. */
export const ResourcesTab = ({ editing }: { editing: Editing }) => {
  const { environment, patch, edit } = editing;
  const idle = patch.idle_stop_seconds ?? environment.idle_stop_seconds;
  const retention = patch.retention_seconds ?? environment.retention_seconds;
  return (
    <div className="panels">
      <ResourcePanel editing={editing} />
      <Panel title="Storage and lifecycle" note="Changes reach running and stopped sessions at once">
        <div className="field-grid">
          <NumberInput
            label="Workspace disk in GiB"
            description="You are warned above it; no runtime limits it"
            min={1}
            allowDecimal={false}
            value={patch.disk_gib ?? environment.disk_gib}
            onChange={(value) => edit({ disk_gib: Number(value) || environment.disk_gib })}
          />
          <span />
          <Select
            label="Stop an idle session"
            description="You are asked a minute before; resume brings it back"
            allowDeselect={false}
            data={withCurrent(idleChoices, idle)}
            value={String(idle)}
            onChange={(value) => edit({ idle_stop_seconds: Number(value) })}
          />
          <Select
            label="Keep the workspace of a stopped session"
            description="Then sandbox and workspace are deleted; for a day you can undo that"
            allowDeselect={false}
            data={withCurrent(retentionChoices, retention)}
            value={String(retention)}
            onChange={(value) => edit({ retention_seconds: Number(value) })}
          />
        </div>
      </Panel>
      <StoragePanel environmentId={environment.id} />
      <Panel title="Edits and running sessions">
        <Switch
          label="Live: edits reach sessions that run, too"
          description="Before the next terminal or command, a session gets a new sandbox if one is needed; its workspace stays, its processes end. Network rules that close something do so at once. Off: every session keeps what it was started with, until you apply it."
          checked={patch.live ?? environment.live}
          onChange={(event) => edit({ live: event.currentTarget.checked })}
        />
      </Panel>
      <Panel title="Launch">
        <Switch
          label="Warm: one sandbox stands ready"
          description="The next session takes it and starts at once; then another is made. It is closed, empty and without secrets until then, and gone when Sandlot ends or memory is short. Not with folders of this machine."
          checked={patch.warm ?? environment.warm}
          onChange={(event) => edit({ warm: event.currentTarget.checked })}
        />
      </Panel>
    </div>
  );
};
