// How a gate catches what a sandbox sends: the firewall's rules, the relay's configuration, the script that starts both. Text only.
// Source: NETWORK.md 0 (L1-L3, L6-L8); nft(8); HAProxy configuration manual 2.6.
import { dnsSocketName, ownAddress, proxySocketName, relayAddress, relayPorts, relayUser, socketTarget } from './addresses.ts';

/** Where the gate's own files are in its image. */
export const gateFolder = '/opt/sandlot';

/**
 * Every TCP connection and every DNS question that is not for loopback goes to the relay; the original destination stays readable.
 * The guard stands at the input and not at the output, so that a refused packet is answered as a closed port answers:
 * ECONNREFUSED at once, and not EPERM, which QUIC clients take for a broken machine. Nobody speaks to the relay's own ports directly.
 */
export const captureRules = `table ip sandlot {
  chain capture {
    type nat hook output priority -100; policy accept;
    ip daddr { 127.0.0.0/8, ${ownAddress} } return
    udp dport 53 dnat to ${relayAddress}:${relayPorts.dnsOverUdp}
    tcp dport 53 dnat to ${relayAddress}:${relayPorts.dnsOverTcp}
    meta l4proto tcp dnat to ${relayAddress}:${relayPorts.any}
  }
  chain guard {
    type filter hook input priority 0; policy drop;
    ct state established,related accept
    ct status dnat accept
    ip daddr ${relayAddress} meta l4proto tcp reject with tcp reset
    ip daddr ${relayAddress} reject
    ip daddr { 127.0.0.0/8, ${ownAddress} } accept
    meta l4proto tcp reject with tcp reset
    meta l4proto icmp reject with icmp type admin-prohibited
    reject
  }
}
`;

/**
 * What is beyond the rate is lost like a packet on a busy line, and comes again a second later: a flood of connections reaches neither the
 * policy proxy nor, through it, the neighbours. Apart from the capture, because a kernel that cannot count so is no reason to leave the network
 * open or a sandbox unstarted: the proxy has a pace of its own.
 */
export const paceRules = `table ip sandlot_pace {
  chain pace {
    type filter hook input priority -10; policy accept;
    ct status dnat ct state new meta l4proto tcp limit rate over 1000/second burst 3000 packets drop
  }
}
`;

/** What every relay of ours begins with; why is said at `relayConfig`. */
export const relayHead = (bufferBytes: number): string => `global
  noreuseport
  nbthread 1
  tune.bufsize ${bufferBytes}
defaults
  mode tcp
  retries 0
  timeout connect 5s
  timeout client 7d
  timeout server 7d
`;

/**
 * The relay decides nothing: bytes in, bytes out, and the destination in front. It listens where the start told it to.
 * - noreuseport: else a sandbox process of the same user could bind beside it and take its connections.
 * - retries 0: without the host's socket a connection ends at once.
 * - No log, no statistics, no control socket. Idle limits are the policy proxy's: a pipe that is cut here would be cut unseen.
 * - The buffer is four times the usual: a stream costs a third less, and the proxy behind shares its thread among many of them.
 * - What is beyond the rate waits in the kernel, where it costs nothing: a flood of connections reaches neither the relay nor the host.
 * - One thread: a gate serves one sandbox, and the policy proxy behind it is one thread as well.
 */
export const relayConfig = `${relayHead(65_536)}frontend any
  bind "\${GATE_TCP}"
  rate-limit sessions 1500
  default_backend proxy
backend proxy
  server host unix@${socketTarget}/${proxySocketName} send-proxy-v2
frontend names
  timeout client 30s
  bind "\${GATE_DNS_TCP}"
  rate-limit sessions 500
  default_backend names
backend names
  timeout server 30s
  server host unix@${socketTarget}/${dnsSocketName}
`;

/** How the start ends when it cannot close the network. */
export const startFailures: Record<number, string> = {
  71: 'the route that catches every address could not be made, because it has no right to',
  1: 'its rights could not be dropped',
};

/**
 * The gate's first process. With \`gate\` it closes every way out first; with \`stand-in\` it joins a namespace that is closed already.
 * Then it becomes the relay, as a user whom nobody knows, without any right. Where the kernel cannot translate addresses, which it says
 * when it is asked to, the relay must bind low ports itself and keeps that one right; a stand-in finds out by trying.
 */
export const startScript = `#!/bin/sh
set -u
if [ "$1" = gate ]; then
  printf 'address replace ${ownAddress}/32 dev lo\\nroute replace local 0.0.0.0/0 dev lo\\n' | ip -batch - &
  closing=$!
fi
mode=ports
if [ "\${GATE_CAPTURE:-all}" = all ]; then
  if [ "$1" = gate ]; then { nft -f ${gateFolder}/capture-at-pace.nft || nft -f ${gateFolder}/capture.nft; } && mode=all
  else /usr/bin/perl ${gateFolder}/relay.pl is-caught && mode=all; fi
fi
[ "$1" = gate ] && { wait $closing || exit 71; }
keep=-all
[ $mode = ports ] && keep=-all,+net_bind_service
exec setpriv --reuid=${relayUser} --regid=${relayUser} --clear-groups --inh-caps=$keep --ambient-caps=$keep --bounding-set=$keep \\
  --no-new-privs /usr/bin/perl ${gateFolder}/relay.pl $mode
`;
