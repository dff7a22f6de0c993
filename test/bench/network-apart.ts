// A network of its own with nothing but loopback, as behind a gate: what connects to the proxy's address in it arrives at a socket that was handed
// to our policy proxy. Needs no right where a user may make namespaces of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { offeringProgram } from '../egress/offering-gate.ts';

const start = `ip link set lo up && ip address add 198.18.0.1/32 dev lo && exec perl -e "$0" "$1" "P tcp" 198.18.0.1:3128`;

export interface NetworkApart {
  /** How a program is started in it. */
  enter: string[];
  process: ChildProcess;
}

/** Opens it; who opens it ends its process. */
export const openNetworkApart = (handSocket: string): Promise<NetworkApart> =>
  new Promise((resolve, reject) => {
    const child = spawn('unshare', ['--user', '--map-root-user', '--net', 'sh', '-c', start, offeringProgram, handSocket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('exit', (code) => reject(new Error(`A network of its own could not be made (${code}).`)));
    child.once('error', reject);
    const enter = ['nsenter', '--preserve-credentials', '--user', '--net', '--target', String(child.pid)];
    child.stdout.once('data', () => resolve({ process: child, enter }));
  });
