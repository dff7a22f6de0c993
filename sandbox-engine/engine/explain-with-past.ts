// What a policy says about a destination, with what is known of where its name led when it was tried. Nobody is contacted for it.
import type { Explanation } from '../contract/model.ts';
import { explain } from '../egress/explain.ts';
import { type CompiledPolicy, decide } from '../egress/policy.ts';
import { blockedByWhatWasSeen, tellingLook } from '../egress/seen-reasons.ts';
import type { Registry } from '../registry/registry.ts';

interface Question {
  compiled: CompiledPolicy;
  /** A URL, `host:port` or host. */
  asked: string;
}

/** The explanation; one that comes from what was tried says so. */
export const explainWithPast = async (
  { egressLog }: Pick<Registry, 'egressLog'>,
  environmentId: string,
  { compiled, asked }: Question,
): Promise<Explanation> => {
  const plain = explain(compiled, asked);
  const { host, port } = plain;
  if (host === null || port === null) return plain;
  const tallies = await egressLog.tallies({ environmentId, text: `${host}:${port}` });
  const look = tellingLook(tallies.filter((tally) => tally.host === host && tally.port === port));
  if (look?.reason !== 'special_address' && look?.reason !== 'private_address') return plain;
  const said = explain(compiled, { host, port }, blockedByWhatWasSeen(decide(compiled, { host, port }), look));
  return said.reason === plain.reason ? said : { ...said, sentence: `${said.sentence} So it was when it was last tried.` };
};
