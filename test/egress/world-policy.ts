// The policy of the corpus. Source: NETWORK.md 2.1.
import type { NetworkPolicy } from '../../sandbox-engine/contract/model/network.ts';

/** Policy P1. */
export const policyP1: NetworkPolicy = {
  version: 'v1',
  rules: [
    { action: 'deny', hosts: ['secret.allowed.test'] },
    { action: 'allow', hosts: ['allowed.test', '*.allowed.test'] },
    { action: 'allow', hosts: ['plain.test'], ports: [80] },
    { action: 'allow', hosts: ['ssh.test'], ports: [22], protocol: 'tcp' },
    { action: 'allow', hosts: ['corp.test'], allow_private: true },
    { action: 'allow', hosts: ['big.test'] },
  ],
};
