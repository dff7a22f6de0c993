// Failures on the way to another machine: closed, unknown, silent, untrusted, or answering with an error.
import type { EgressReason } from '../contract/model.ts';
import { type HintRule, when } from './hint-kinds.ts';
import type { Hint, HintInput } from './hints.ts';

const unresolved =
  /Temporary failure (?:in name resolution|resolving)|Could not resolve (?:host|proxy|['"])|Name or service not known|unable to resolve host|getaddrinfo|\bEAI_AGAIN\b|\bENOTFOUND\b|no such host|dns error/i;
const unreachable = /Network is unreachable|\bENETUNREACH\b|Failed to establish a new connection/i;
const notConnected = /(?:Failed to connect|Could not connect|Couldn't connect) to /i;
const loopback = /\b127\.\d+\.\d+\.\d+\b|\blocalhost\b|\[?::1\]?|\b0\.0\.0\.0\b/;

const place = '([a-z0-9-]+(?:\\.[a-z0-9-]+)+)';
const destinations = [
  `(?:resolv(?:e|ing)(?: host(?:name| address)?)?:? ['"‘]?)${place}`,
  `(?:EAI_AGAIN|ENOTFOUND|lookup|connect to|host=['"]|hostname: ')[ ]?${place}`,
  `(?:https?|ssh|git)://(?:[^@/\\s]*@)?${place}`,
  `\\bgit@${place}:`,
].map((pattern) => new RegExp(pattern, 'i'));

/** The destination that an error speaks of, or else the one in the command. */
const destinationIn = (...texts: (string | null)[]): string | null => {
  for (const text of texts)
    for (const pattern of destinations) {
      const found = pattern.exec(text ?? '')?.[1];
      if (found !== undefined && !loopback.test(found)) return found;
    }
  return null;
};

/** pip says of a closed network only that it found no version at all. */
const pipFoundNothing = (command: string | null, stderrTail: string): boolean =>
  /\(from versions: none\)/.test(stderrTail) && !/--no-index|--find-links/.test(command ?? '');

type Seen = NonNullable<HintInput['blocked']>;

const listed = (blocked: Seen): string => {
  const texts = blocked.map(({ host, port }) => (port === null ? host : `${host}:${port}`));
  const [shown, more] = [texts.slice(0, 3), texts.length - 3];
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
};

const reserved = (never: Seen): Hint => ({
  code: 'egress_blocked',
  hint: `This line tried ${listed(never)}, which ${never.length > 1 ? 'lead' : 'leads'} to a reserved address: no rule can open that.`,
  nextAction:
    'Run that service inside the sandbox, or reach it at a public address, or at its address in your network (not one of this computer\'s bridges) with a rule that says "allow_private": true; then test setup again.',
});

const notFound = (missing: Seen): Hint => ({
  code: 'dns',
  hint: `This line tried ${listed(missing)}, ${missing.length > 1 ? 'names' : 'a name'} that could not be looked up.`,
  nextAction: 'Check the spelling, and the connection of this computer; then test setup again.',
});

/** What was seen on the network while the failing line ran: it needs no guessing from what a tool says. */
const seenBlocked: HintRule = ({ blocked = [] }) => {
  const of = (reason: EgressReason): Seen => blocked.filter((one) => one.reason === reason);
  const [never, missing] = [of('special_address'), of('resolve_failed')];
  const closed = blocked.filter(({ reason }) => !['special_address', 'resolve_failed', 'upstream_failed'].includes(reason));
  if (closed.length === 0) return never.length > 0 ? reserved(never) : missing.length > 0 ? notFound(missing) : null;
  const besides = never.length === 0 ? '' : ` No rule can open ${listed(never)}: it leads to a reserved address.`;
  return {
    code: 'egress_blocked',
    hint: `The network policy blocked ${listed(closed)} while this line ran.${besides}`,
    nextAction: 'Add a rule for what is needed, or put what the line downloads into the recipe; then test setup again.',
  };
};

/** A destination that the environment is closed to. A refused connection is none: without a network only the sandbox itself refuses. */
const egressBlocked: HintRule = ({ network, stderrTail, failedCommand }) => {
  if (network !== 'none') return null;
  const isOutside = notConnected.test(stderrTail) && !loopback.test(stderrTail);
  if (!unresolved.test(stderrTail) && !unreachable.test(stderrTail) && !isOutside && !pipFoundNothing(failedCommand, stderrTail))
    return null;
  const what = destinationIn(stderrTail, failedCommand) ?? 'the network';
  return {
    code: 'egress_blocked',
    hint: `The script tried to reach ${what}, but this environment has no network.`,
    nextAction: `Allow ${what} in the network policy, or put what it downloads into the recipe; then test setup again.`,
  };
};

/** A name that could not be resolved although there is a network. */
const dns: HintRule = ({ network, stderrTail, failedCommand }) => {
  if (network === 'none' || !unresolved.test(stderrTail)) return null;
  return {
    code: 'dns',
    hint: `The name ${destinationIn(stderrTail, failedCommand) ?? 'of a server'} could not be resolved.`,
    nextAction: 'Check the spelling and the connection of this machine, then test setup again.',
  };
};

/** Nobody there, or nobody who answers in time. */
const noAnswer: HintRule = ({ stderrTail, failedCommand }) => {
  if (
    !/Connection refused|ECONNREFUSED|Failed to connect|Could not connect|Couldn't connect|timed out|ETIMEDOUT|Connection reset|ECONNRESET|Empty reply from server/i.test(
      stderrTail,
    )
  )
    return null;
  const isInside = loopback.test(stderrTail) || loopback.test(failedCommand ?? '');
  if (/timed out|ETIMEDOUT/i.test(stderrTail))
    return {
      code: 'connection_refused',
      hint: 'A server did not answer in time.',
      nextAction: isInside ? 'Wait until the service is ready, or give it more time.' : 'Check the address, or try again later.',
    };
  return {
    code: 'connection_refused',
    hint: isInside ? 'Nothing answers at this address of the sandbox itself.' : 'A server did not answer.',
    nextAction: isInside
      ? 'Start the service earlier in the script and wait until it listens: in a new sandbox nothing runs yet.'
      : 'Check the address, then test setup again.',
  };
};

const adviceOn = (status: string): string => {
  if (status === '404' || status === '410') return 'Check the address: nothing is there.';
  if (status === '429') return 'The server was asked too often: wait a while, or log in where that raises its limit.';
  if (status.startsWith('5')) return 'The fault is the server’s own: try again later, or take another server.';
  return 'Check the address, and whether it needs a login.';
};

const httpError: HintRule = ({ stderrTail }) => {
  const found = /requested URL returned error: (\d+)|HTTP Error (\d+)|\bERROR (\d{3}): |server returned.*?(\d{3})/i.exec(stderrTail);
  const status = found?.slice(1).find((group) => group !== undefined);
  if (status === undefined) return null;
  return {
    code: 'http_error',
    hint: `The server answered with HTTP ${status}.`,
    nextAction: adviceOn(status),
  };
};

const download = /(?:^|[|;&(]\s*|\bsudo )(curl|wget)\b/;
const showIt = 'To see what it was, let it speak: `curl -fsSL` or `wget -nv`.';

/** What the codes of curl and of wget mean. Source: curl(1), "EXIT CODES"; wget(1), "EXIT STATUS". */
const quietCodes: Record<string, [code: string, hint: string, nextAction: string]> = {
  'curl 6': ['dns', 'The name of a server could not be resolved.', showIt],
  'curl 7': ['connection_refused', 'A server did not answer.', showIt],
  'curl 22': ['http_error', 'A server answered with an error (curl’s exit code 22).', showIt],
  'curl 23': [
    'permission',
    'curl could not write the file: its folder is missing, or not the sandbox user’s.',
    'Make the folder first, or use sudo.',
  ],
  'curl 28': ['connection_refused', 'A server did not answer in time.', showIt],
  'curl 60': ['certificate', 'The certificate of a server could not be checked.', showIt],
  'wget 4': ['connection_refused', 'A server was not reached (wget’s exit code 4).', showIt],
  'wget 5': ['certificate', 'The certificate of a server could not be checked.', showIt],
  'wget 8': ['http_error', 'A server answered with an error (wget’s exit code 8).', showIt],
};

/** A download that was told to be quiet: only its exit code speaks. */
export const quietDownload: HintRule = ({ exitCode, failedCommand }) => {
  const known = quietCodes[`${download.exec(failedCommand ?? '')?.[1]} ${exitCode}`];
  return known === undefined ? null : { code: known[0], hint: known[1], nextAction: known[2] };
};

/** The ways out; asked before what tools conclude from it. */
export const reachRules: HintRule[] = [seenBlocked, egressBlocked, dns];

/** Clocks and certificates. */
export const trustRules: HintRule[] = [
  when(
    'clock',
    /Release file [^\n]*not valid yet|certificate is not yet valid|certificate [^\n]*not yet activated|clock skew/i,
    'The clock of the machine is wrong: something is dated in the future.',
    'Set the clock of this machine (on a laptop: wake up the virtual machine of the runtime), then test setup again.',
  ),
  when(
    'expired',
    /Release file [^\n]*is expired|certificate has expired|CERT_HAS_EXPIRED|certificate of [^\n]*has expired/i,
    'A certificate or a package list is no longer valid, or the clock of this machine is ahead.',
    "Check this machine's clock; else its owner has to renew it, so take another server or mirror.",
  ),
  when(
    'certificate',
    /certificate verif(?:y|ication) failed|SSL certificate problem|self[- ]signed certificate|unable to get local issuer|x509: certificate|CERT_|error setting certificate|certificate of [^\n]*(?:is not trusted|known issuer)|PKIX path building failed/i,
    'The certificate of a server could not be checked.',
    'Install ca-certificates, or add the certificate of your company to the recipe.',
  ),
];

/** What a server did, or did not do. */
export const serverRules: HintRule[] = [httpError, noAnswer];
