// Starts a build and stays with it: its log as it comes, then the finished build.
import type { Build } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { followStream } from './follow-stream.ts';
import { interruptible, waitFor } from './wait-for.ts';

export interface BuildWish {
  environmentId: string;
  pin: boolean;
  noCache: boolean;
}

/** The finished build, pinned when that was wished. Ctrl-C cancels it. @throws what a pin is refused with */
export const runBuild = async (context: CommandContext, { environmentId, pin, noCache }: BuildWish): Promise<Build> => {
  const build = await context.ask('builds.start', { environment_id: environmentId, no_cache: noCache });
  const finished = await interruptible(
    async () => {
      await followStream(context, build.stream_id, { onBytes: context.print.log });
      return await waitFor<Build>(context, {
        inEvent: (event) => (event.name === 'build.changed' && event.payload.id === build.id ? event.payload : null),
        ask: async () => await context.ask('builds.get', { build_id: build.id }),
        isOver: ({ status }) => status !== 'queued' && status !== 'running',
      });
    },
    async () => await context.ask('builds.cancel', { build_id: build.id }),
  );
  // Not by the build itself: whoever goes on from here needs the image to be pinned, and to hear why it is not.
  if (pin && finished.status === 'succeeded') await context.ask('pins.create', { build_id: finished.id });
  return finished;
};
