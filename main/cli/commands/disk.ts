// `sandlot disk`: what Sandlot has on disk, whose it is, and what can go.
import type { Command } from 'commander';
import { counted } from '../../../sandbox-engine/index.ts';
import { defineCommand } from '../define-command.ts';
import { toSize, toTable } from '../print.ts';

/** Adds it. */
export const addDiskCommand = (program: Command): void =>
  defineCommand(program, {
    usage: 'disk',
    does: 'Measure what Sandlot has on disk: by environment and in all, shared layers counted once, and what can go',
    examples: ['disk', 'disk -o json'],
    act: async ({ context }) => {
      if (context.print.mode === 'table') context.print.note('Measuring…');
      const [usage, { items }] = await Promise.all([
        context.ask('disk.usage', { refresh: true }),
        context.ask('app.prune', { dry_run: true }),
      ]);
      context.print.result({ ...usage, reclaimable: items }, () => {
        const environments = toTable(
          ['ENVIRONMENT', 'IMAGES', 'PREPARED', 'SHARED', 'WORKSPACES', 'SANDBOXES', 'LOGS'],
          usage.environments.map((one) => [
            one.name,
            ...[one.images_bytes, one.prepared_bytes, one.shared_bytes, one.workspaces_bytes, one.containers_bytes, one.streams_bytes].map(
              toSize,
            ),
          ]),
        );
        const runtimes = toTable(
          ['RUNTIME', 'IMAGES', 'WORKSPACES', 'SANDBOXES', 'BUILD CACHE', 'FREE'],
          usage.runtimes.map((one) => [
            one.runtime,
            ...[one.images_bytes, one.workspaces_bytes, one.containers_bytes, one.build_cache_bytes, one.free_bytes].map(toSize),
          ]),
        );
        const over = usage.environments.flatMap(({ sessions, disk_gib }) =>
          sessions
            .filter(({ is_over }) => is_over)
            .map(({ name }) => `"${name}" is over the ${disk_gib} GiB of its environment; the runtime does not limit it.`),
        );
        const { registry_bytes, streams_bytes, cache_bytes, logs_bytes } = usage.host;
        const host = `Sandlot's own: registry ${toSize(registry_bytes)}, output ${toSize(streams_bytes)}, cache ${toSize(cache_bytes)}, logs ${toSize(logs_bytes)}.`;
        const size = items.reduce((sum, item) => sum + (item.size ?? 0), 0);
        const can = `${counted(items.length, 'thing')} can go (${toSize(size)}), needed by nothing: sandlot prune`;
        const free = items.length === 0 ? 'Nothing can go.' : can;
        return [environments, runtimes, host, ...over, free].join('\n\n');
      });
      return undefined;
    },
  });
