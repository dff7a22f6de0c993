// The addresses inside a gate. Nothing here is ever seen outside of its network namespace.
// Source: NETWORK.md 0; RFC 2544 (198.18.0.0/15 is for tests of network devices and belongs to nobody).
import { proxyPort } from '../egress/synthetic-pool.ts';

/** The name server of a sandbox. Any other address would do: questions are caught wherever they go. */
export const nameServer = '198.18.0.53';

/**
 * The sandbox's own address, on loopback. Without any, programs that ask for names "as this machine is configured" (AI_ADDRCONFIG: apt,
 * wget, browsers) would be told that there is no IPv4 here, and not ask at all.
 */
export const ownAddress = '198.18.0.10';

/** Only the relay listens here, on loopback but out of the way of a sandbox's own servers, which like 127.0.0.1. */
export const relayAddress = '127.13.13.13';
export const relayPorts = { any: 15001, dnsOverUdp: 15053, dnsOverTcp: 15054 } as const;

/** The relay's numeric user, whom no image knows. */
export const relayUser = 61_111;

/** The host's sockets as the gate sees them. */
export const socketTarget = '/run/sandlot';
export const proxySocketName = 'proxy.sock';
export const dnsSocketName = 'dns.sock';
export const handSocketName = 'hand.sock';
export const testSocketName = 'test.sock';

/** Ports that are caught where the kernel cannot translate addresses; a policy's own come on top. */
export const commonPorts: readonly number[] = [80, 443, proxyPort];
