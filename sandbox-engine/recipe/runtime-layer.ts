// The layer that makes any Debian-family image fit for sessions: sandbox user, sudo, shell, git, /workspace, no entry point.
// Text only; the image room builds it and gives the label. Runs as root whatever the base says, under /bin/sh first.
// Source: SPEC.md 3 "runtime layer"; cases I-02, I-03, I-04; sudoers(5).
import { createHash } from 'node:crypto';
import type { CompiledRecipe } from './compile.ts';
import { pairsInstruction, runInstruction } from './dockerfile.ts';

/** The name of the user that sessions run as. */
const sandboxUser = 'sandbox';

/** What the first step prints, before a reason, when the base has no apt. Its build step is called "check base". */
export const notDebianFamilyMark = 'NotDebianFamily:';

const checkBase = `if [ ! -x /usr/bin/apt-get ] || [ ! -x /usr/bin/dpkg ]; then
  libc='no apt-get was found'
  for file in /lib/ld-musl-* /etc/alpine-release; do
    if [ -e "$file" ]; then libc='it is built on musl (Alpine), not on glibc'; fi
  done
  echo "${notDebianFamilyMark} this base is not of the Debian family: $libc. Take a Debian or Ubuntu image, such as debian:bookworm-slim." >&2
  exit 65
fi
`;

const installTools = `set -e
missing=''
need() {
  if ! command -v "$1" >/dev/null 2>&1; then missing="$missing $2"; fi
}
need bash bash
need sudo sudo
need git git
need perl perl-base
need ps procps
need tput ncurses-bin
need useradd passwd
# Without it sudo cannot look up its own host in a sandbox that has no network, and says so each time.
if ! ls /lib/*/libnss_myhostname.so.2 /usr/lib/*/libnss_myhostname.so.2 >/dev/null 2>&1; then missing="$missing libnss-myhostname"; fi
if [ ! -e /etc/ssl/certs/ca-certificates.crt ]; then missing="$missing ca-certificates"; fi
# Wanted, not needed: not every distribution has it.
wanted=''
if ! command -v gh >/dev/null 2>&1; then wanted=gh; fi
if [ -z "$missing$wanted" ]; then exit 0; fi
export DEBIAN_FRONTEND=noninteractive
apt-get update
if [ -n "$wanted" ] && LC_ALL=C apt-cache policy "$wanted" 2>/dev/null | grep -q 'Candidate: [0-9]'; then missing="$missing $wanted"; fi
if [ -n "$missing" ]; then apt-get install -y --no-install-recommends $missing; fi
apt-get clean
rm -rf /var/lib/apt/lists/*
`;

const bundle = '/etc/ssl/certs/ca-certificates.crt';

/** Tools that bring their own list of authorities (Node, Python's requests) look here. */
const authorityVariables = { SSL_CERT_FILE: bundle, NODE_EXTRA_CA_CERTS: bundle, REQUESTS_CA_BUNDLE: bundle, PIP_CERT: bundle };

const keptVariables = [
  'DEBIAN_FRONTEND',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
  'NODE_USE_ENV_PROXY',
  // Which authorities are trusted does not depend on who asks: without them `sudo npm` and `sudo pip` fail behind a company's proxy.
  ...Object.keys(authorityVariables),
  // The base's own tools (a Go or Java image has them outside the usual folders) stay reachable under sudo.
  'PATH',
];

const makeUser = `set -e
if ! id -u ${sandboxUser} >/dev/null 2>&1; then
  id=1000
  while getent passwd "$id" >/dev/null || getent group "$id" >/dev/null; do id=$((id + 1)); done
  if getent group ${sandboxUser} >/dev/null; then
    useradd --uid "$id" --gid ${sandboxUser} --create-home --home-dir /home/${sandboxUser} --shell /bin/bash ${sandboxUser}
  else
    groupadd --gid "$id" ${sandboxUser}
    useradd --uid "$id" --gid "$id" --create-home --home-dir /home/${sandboxUser} --shell /bin/bash ${sandboxUser}
  fi
fi
mkdir -p /home/${sandboxUser} /workspace /etc/sudoers.d
chown ${sandboxUser}: /home/${sandboxUser} /workspace
cat > /etc/sudoers.d/${sandboxUser} <<'SUDOERS'
Defaults:${sandboxUser} !requiretty, !secure_path, !use_pty
Defaults:${sandboxUser} env_keep += "${keptVariables.join(' ')}"
${sandboxUser} ALL=(ALL:ALL) NOPASSWD: ALL
SUDOERS
chmod 0440 /etc/sudoers.d/${sandboxUser}
if ! grep -Eq '^[#@]includedir[[:space:]]+/etc/sudoers.d' /etc/sudoers; then echo '@includedir /etc/sudoers.d' >> /etc/sudoers; fi
visudo -cq
`;

const layers = [
  { step: 'check base', text: runInstruction(['/bin/sh'], checkBase, 'check-base') },
  { step: 'runtime tools', text: runInstruction(['/bin/sh'], installTools, 'runtime-tools') },
  { step: 'sandbox user', text: runInstruction(['/bin/sh'], makeUser, 'sandbox-user') },
  { step: 'sandbox user', text: 'WORKDIR /' },
  { step: 'no entry point', text: 'ENTRYPOINT []' },
  { step: 'no entry point', text: 'CMD ["/bin/bash"]' },
  { step: 'no entry point', text: 'STOPSIGNAL SIGTERM' },
];

/** Short hash of what the layer does: an image with another one has to be made again. */
export const runtimeLayerVersion = createHash('sha256').update(JSON.stringify(layers)).digest('hex').slice(0, 12);

const authoritiesFolder = '/usr/local/share/ca-certificates';

/** Trust in the machine's own authorities, also for tools that bring their own list (Node, Python's requests). */
const authorityLayers = (count: number): { step: string; text: string }[] =>
  count === 0
    ? []
    : [
        { step: 'certificates', text: `COPY authorities/ ${authoritiesFolder}/` },
        { step: 'certificates', text: runInstruction(['/bin/sh'], 'update-ca-certificates', 'certificates') },
        {
          step: 'certificates',
          text: pairsInstruction('ENV', authorityVariables),
        },
      ];

/** The Dockerfile that puts the runtime layer on `from` (a tag, not a bare id: BuildKit takes no ids). `labelKey` gets the version;
 * `authorities` are PEM texts of certificate authorities to trust besides the public ones. */
export const runtimeLayer = ({
  from,
  labelKey,
  labels = {},
  authorities = [],
}: {
  from: string;
  labelKey: string;
  authorities?: string[];
  labels?: Record<string, string>;
}): CompiledRecipe => {
  const all = [
    { step: 'base', text: `FROM ${from}` },
    { step: 'base', text: 'USER 0' },
    ...layers,
    ...authorityLayers(authorities.length),
    { step: 'labels', text: pairsInstruction('LABEL', { ...labels, [labelKey]: runtimeLayerVersion }) },
  ];
  return {
    dockerfile: `${all.map(({ text }) => text).join('\n')}\n`,
    files: authorities.map((contents, index) => ({ path: `authorities/sandlot-host-${index + 1}.crt`, mode: 0o644, contents })),
    buildArgs: {},
    steps: all.map(({ step }) => step),
    instructions: all.map(({ text }) => text),
  };
};

/** The numeric id of the sandbox user, read from an image's /etc/passwd; null when it has none. */
export const readSandboxUserId = (passwd: string): number | null => {
  const fields = passwd
    .split('\n')
    .find((line) => line.startsWith(`${sandboxUser}:`))
    ?.split(':');
  return fields?.[2] !== undefined && /^\d+$/.test(fields[2]) ? Number(fields[2]) : null;
};
