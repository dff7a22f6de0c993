// The secrets as rows: what is set, who uses it, and what can be done. A value is never here to be shown.
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Secret, SecretList } from '../../../sandbox-engine/contract/model.ts';
import { Ago } from '../ui/Ago.tsx';

interface SecretTableProps {
  list: SecretList;
  onReplace: (name: string) => void;
  onDelete: (secret: Secret) => void;
}

/** So many are named; all of them stand in the tooltip. */
const mostNamed = 3;

const Users = ({ environments }: Pick<Secret, 'environments'>) => {
  if (environments.length === 0) return <span className="faint">No environment yet</span>;
  return (
    <span className="secret-users" title={environments.map(({ name }) => name).join(', ')}>
      {environments.slice(0, mostNamed).map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <Link href={`/environments/${id}/variables`} className="link">
            {name}
          </Link>
        </span>
      ))}
      {environments.length > mostNamed && <span className="faint"> and {environments.length - mostNamed} more</span>}
    </span>
  );
};

const Limits = ({ is_masked, is_searched }: Secret) => {
  if (is_masked && is_searched) return null;
  const [word, why] = is_masked
    ? ['short', 'Fewer than 8 characters: images are not searched for it, since it turns up by chance.']
    : ['not masked', 'Fewer than 4 characters: it is not masked in output, since it would hit every second word.'];
  return (
    <Tooltip label={why} multiline maw={280}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard */}
      <span className="tag is-warn" tabIndex={0}>
        {word}
      </span>
    </Tooltip>
  );
};

const SecretRow = ({ secret, onReplace, onDelete }: { secret: Secret } & Omit<SecretTableProps, 'list'>) => (
  <tr>
    <td>
      <div className="row">
        <span className="mono clip" title={secret.name}>
          {secret.name}
        </span>
        <Limits {...secret} />
      </div>
    </td>
    <td className="dim" data-label="Value set">
      <Ago at={secret.updated_at} />
      {secret.version > 1 && <span className="faint"> · {`value\u00a0${secret.version}`}</span>}
    </td>
    <td data-label="Sessions of">
      <Users environments={secret.environments} />
    </td>
    <td className="dim" data-label="Last used">
      {secret.last_used_at === null ? <span className="faint">Never</span> : <Ago at={secret.last_used_at} />}
    </td>
    <td className="is-deeds">
      <div className="row" style={{ justifyContent: 'flex-end', gap: 2 }}>
        <Tooltip label="Replace the value">
          <ActionIcon aria-label={`Replace the value of ${secret.name}`} onClick={() => onReplace(secret.name)}>
            <IconPencil size={15} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Delete">
          <ActionIcon aria-label={`Delete ${secret.name}`} onClick={() => onDelete(secret)}>
            <IconTrash size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
    </td>
  </tr>
);

/** The table; names that environments ask for and nobody set come first. */
export const SecretTable = ({ list, onReplace, onDelete }: SecretTableProps) => (
  <table className="grid-table is-fixed is-stacking">
    <colgroup>
      <col style={{ width: '28%' }} />
      <col style={{ width: '20%' }} />
      <col />
      <col style={{ width: 110 }} />
      <col style={{ width: 96 }} />
    </colgroup>
    <thead>
      <tr>
        <th>Name</th>
        <th>Value set</th>
        <th>Sessions of</th>
        <th>Last used</th>
        <th>
          <span className="visually-hidden">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {list.missing.map(({ name, environments }) => (
        <tr key={name}>
          <td>
            <span className="mono clip">{name}</span>
          </td>
          <td data-label="Value set">
            <span className="tag is-bad">Not set</span>
          </td>
          <td data-label="Sessions of">
            <Users environments={environments} />
          </td>
          <td className="faint" data-label="Last used">
            Never
          </td>
          <td className="is-amount is-deeds">
            <Button size="compact-xs" variant="default" onClick={() => onReplace(name)}>
              Set…
            </Button>
          </td>
        </tr>
      ))}
      {list.secrets.map((secret) => (
        <SecretRow key={secret.name} secret={secret} onReplace={onReplace} onDelete={onDelete} />
      ))}
    </tbody>
  </table>
);
