// What one should mind of a host that is opened, in a word and in a sentence.
import type { AccessMark } from '../../../sandbox-engine/contract/model.ts';

export const accessMarks: Record<AccessMark, { label: string; title: string }> = {
  uploads: { label: 'uploads', title: 'Data can be sent away through it: access is per host, not per action' },
  shared_host: { label: 'shared host', title: 'It serves things of many people' },
  private_addresses: { label: 'private', title: 'It may lead into private networks' },
  plain_http: { label: 'plain HTTP', title: 'Anyone on the way can read and change it' },
  this_computer: { label: 'this computer', title: 'It is an address of this computer now: no rule opens it' },
};
