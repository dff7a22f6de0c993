// What a host process does about signals and about errors that nobody caught.
import type { Host } from './host.ts';

/** A peer that went away breaks one connection, not the host. */
const harmless = new Set([
  'EPIPE',
  'ECONNRESET',
  'ETIMEDOUT',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Closes the host on SIGINT, SIGTERM and SIGHUP (a second signal ends at once) and logs what nobody caught. */
export const guardProcess = (host: Host): void => {
  let isEnding = false;
  const end = (exitCode: number): void => {
    process.exitCode = exitCode;
    if (isEnding) process.exit(exitCode);
    isEnding = true;
    void host.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
  process.on('unhandledRejection', (error) => host.log.error({ error }, 'a promise failed and nobody looked'));
  process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
    host.log.error({ error }, 'an error was thrown and nobody caught it');
    // After any other error the state is unknown: end in order, the sandboxes go on and the next start finds them.
    if (!harmless.has(error.code ?? '')) end(1);
  });
};

/** Ends a background host when nobody has been connected and nothing at work for `idleMs`. */
export const endWhenIdle = (host: Host, idleMs: number): void => {
  let idleSince: number | null = null;
  const look = async (): Promise<void> => {
    if (!(await host.isIdle())) idleSince = null;
    else if (idleSince === null) idleSince = performance.now();
    else if (performance.now() - idleSince >= idleMs) await host.close();
  };
  const timer = setInterval(
    () => void look().catch((error: unknown) => host.log.error({ error }, 'idle check failed')),
    Math.min(5000, idleMs / 4),
  );
  host.onClose(() => clearInterval(timer));
};
