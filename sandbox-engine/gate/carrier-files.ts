// How a carrier brings the two sockets of one gate to the host over TCP, and how it closes everything else. Text only.
// Source: NETWORK.md 3.3, H09-H12; nft(8); HAProxy configuration manual 2.6 (unique-id-format, proxy-v2-options).
import { dnsSocketName, proxySocketName, relayUser, socketTarget } from './addresses.ts';
import { gateFolder, relayHead } from './capture-files.ts';

/** Taken in the place of a name: the host is where the carrier's own network ends, as on a machine of one kernel. */
export const viaGateway = 'gateway';

/** How the start ends when it cannot close the carrier. */
export const carrierFailures: Record<number, string> = {
  72: 'the runtime has no name for this computer',
  73: 'its filter could not be loaded, because the kernel of the runtime has no nftables',
};

/**
 * Bytes in, bytes out, and the token in front: what the gate's own relay says follows it unchanged. It listens at sockets only, in a volume
 * that nobody but the gate has.
 */
export const carrierConfig = `${relayHead(16_384)}frontend proxy
  bind unix@${socketTarget}/${proxySocketName} mode 666
  unique-id-format "\${CARRIER_TOKEN}-proxy"
  default_backend proxy
backend proxy
  server host "\${CARRIER_HOST}:\${CARRIER_PORT}" send-proxy-v2 proxy-v2-options unique-id
frontend names
  timeout client 30s
  bind unix@${socketTarget}/${dnsSocketName} mode 666
  unique-id-format "\${CARRIER_TOKEN}-names"
  default_backend names
backend names
  timeout server 30s
  server host "\${CARRIER_HOST}:\${CARRIER_PORT}" send-proxy-v2 proxy-v2-options unique-id
`;

/**
 * The carrier's first process: it finds the host, closes every other way for both families before anything runs that could use one, and
 * becomes the relay, as a user whom nobody knows, without any right. New connections may only be the relay's own.
 */
export const carrierScript = `#!/bin/sh
set -u
if [ "$CARRIER_VIA" = ${viaGateway} ]; then
  CARRIER_HOST=$(ip -4 route show default | sed -n 's/^default via \\([0-9.]*\\) .*/\\1/p' | head -n 1)
else
  CARRIER_HOST=$(sed -n "s/^\\([0-9.]*\\)[[:space:]]\\(.*[[:space:]]\\)\\{0,1\\}$CARRIER_VIA\\([[:space:]].*\\)\\{0,1\\}$/\\1/p" /etc/hosts | head -n 1)
fi
[ -n "$CARRIER_HOST" ] || exit 72
nft -f - <<RULES || exit 73
table inet sandlot {
  chain out {
    type filter hook output priority 0; policy drop;
    ip daddr $CARRIER_HOST tcp dport $CARRIER_PORT ct state established accept
    ip daddr $CARRIER_HOST tcp dport $CARRIER_PORT meta skuid ${relayUser} accept
  }
  chain in {
    type filter hook input priority 0; policy drop;
    ip saddr $CARRIER_HOST tcp sport $CARRIER_PORT ct state established accept
  }
  chain through { type filter hook forward priority 0; policy drop; }
}
RULES
export CARRIER_HOST
files=$(ulimit -Hn)
case $files in *[!0-9]*) most=4096 ;; *) most=$(((files - 100) / 2)) ;; esac
[ "$most" -le 4096 ] || most=4096
exec setpriv --reuid=${relayUser} --regid=${relayUser} --clear-groups --inh-caps=-all --ambient-caps=-all --bounding-set=-all --no-new-privs \\
  /usr/sbin/haproxy -db -q -n "$most" -f ${gateFolder}/carrier.cfg
`;
