// Scripts in which git, pip, npm, make, downloads and certificates really fail, each with the hint that it must bring.
// What they talk to is a server in their own sandbox: see `serve` and `certificate` in tool-image.ts.
import { type FailingScript, lines } from './failing-scripts.ts';

const from = 'http://127.0.0.1:8000';
const sshServer = lines(
  'dropbearkey -t ed25519 -f /tmp/key > /dev/null 2>&1',
  '/usr/sbin/dropbear -s -r /tmp/key -p 127.0.0.1:2222 -P /tmp/pid 2> /dev/null',
);
const repository = 'git init -q r; git -C r -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m x';

export const gitScripts: FailingScript[] = [
  { code: 'git_auth', script: lines('serve /tmp 8000', `git clone ${from}/status/401/x.git`), says: /no credentials/ },
  {
    code: 'git_auth',
    script: lines(sshServer, "GIT_SSH_COMMAND='ssh -o StrictHostKeyChecking=no' git clone ssh://sandbox@127.0.0.1:2222/x.git"),
  },
  { code: 'git_unknown_host', script: lines(sshServer, 'git clone ssh://sandbox@127.0.0.1:2222/x.git'), says: /ssh-keyscan/ },
  { code: 'git_not_found', script: lines('serve /tmp 8000', `git clone ${from}/x.git`), says: /x\.git.*private/ },
  { code: 'git_not_found', script: 'git clone file:///tmp/none', says: /"\/tmp\/none"/ },
  { code: 'git_ownership', script: lines('sudo git init -q /tmp/theirs', 'git -C /tmp/theirs status'), says: /chown/ },
  { code: 'git_no_repository', script: 'git submodule update --init', says: /session start/ },
  { code: 'git_ref', script: lines(repository, 'git clone --branch nosuch r q'), says: /"nosuch"/ },
  { code: 'git_identity', script: lines(repository, 'cd r', 'git commit --allow-empty -m x'), says: /user\.email/ },
];

const tls = (fromTime: string, toTime: string): string => lines(`certificate /tmp/c ${fromTime} ${toTime}`, 'serve /tmp 8443 /tmp/c');
const valid = tls('20200101000000Z', '20990101000000Z');

export const networkScripts: FailingScript[] = [
  { code: 'egress_blocked', script: 'git ls-remote https://example.org/a.git', says: /Allow example\.org/ },
  { code: 'egress_blocked', script: 'git clone git@example.org:a/b.git', says: /Allow example\.org/ },
  { code: 'egress_blocked', script: 'curl -sSf http://192.0.2.1/', says: /Allow 192\.0\.2\.1/ },
  { code: 'egress_blocked', script: 'pip install --break-system-packages --retries 0 leftish', says: /no network/ },
  { code: 'dns', script: 'curl -sS https://nosuch.invalid/', says: /nosuch\.invalid/, network: 'bridge' },
  {
    code: 'connection_refused',
    script: 'python3 -c \'import urllib.request as u; u.urlopen("http://127.0.0.1:9/")\'',
    says: /sandbox itself/,
  },
  { code: 'http_error', script: lines('serve /tmp 8000', `curl -sSf ${from}/nope`), says: /HTTP 404.*nothing is there/ },
  { code: 'port_in_use', script: lines('serve /tmp 8000', 'python3 -m http.server 8000'), says: /another port/ },
  { code: 'certificate', script: lines(valid, 'curl -sS https://127.0.0.1:8443/'), says: /ca-certificates/ },
  { code: 'certificate', script: lines(valid, 'git clone https://127.0.0.1:8443/x.git') },
  { code: 'clock', script: lines(tls('20980101000000Z', '20990101000000Z'), 'curl -sS --cacert /tmp/c https://127.0.0.1:8443/') },
  { code: 'expired', script: lines(tls('20180101000000Z', '20190101000000Z'), 'curl -sS --cacert /tmp/c https://127.0.0.1:8443/') },
];

const pip = 'pip install --break-system-packages --no-index --no-build-isolation';

export const buildScripts: FailingScript[] = [
  { code: 'externally_managed_python', script: 'pip install leftish', says: /\/workspace\/\.venv/ },
  { code: 'venv_missing', script: 'python3 -m venv /workspace/.venv', says: /-y python3-venv/ },
  { code: 'pip_version', script: `${pip} leftish==9`, says: /"leftish==9"/ },
  { code: 'pip_build', script: lines("echo 'raise RuntimeError(1)' > setup.py", `${pip} .`), says: /could not be built/ },
  { code: 'checksum', script: lines('echo x > c', 'echo "$(printf %064d 1)  c" | sha256sum -c -'), says: /changed/ },
  { code: 'missing_compiler', script: lines("printf 'all:\\n\\tgcc a.c\\n' > Makefile", 'make'), says: /-y build-essential/ },
  { code: 'missing_header', script: lines("echo '#include <zlib.h>' > a.c", 'cpp a.c a.i'), says: /zlib\.h/ },
  { code: 'make_target', script: lines('touch Makefile', 'make instal'), says: /"instal"/ },
  { code: 'not_an_archive', script: lines('serve /tmp 8000', `curl -sS ${from}/nope.tgz | tar xz`), says: /curl -fL/ },
];

/** A package registry in a folder: a file a package, as npm reads it. */
const packument = (name: string, version: string, more = ''): string =>
  `echo '{"name":"${name}","dist-tags":{"latest":"${version}"},"versions":{"${version}":{"name":"${name}","version":"${version}"${more},"dist":{"tarball":"${from}/t.tgz"}}}}' > /tmp/n/${name}`;
const npmInstall = `npm install --no-audit --no-fund --fetch-retries 0 --registry ${from}`;
const registry = (...packages: string[]): string => lines('mkdir /tmp/n', ...packages, 'serve /tmp/n 8000');

export const npmScripts: FailingScript[] = [
  { code: 'npm_version', script: lines(registry(packument('leftish', '1.0.0')), `${npmInstall} leftish@99`), says: /ETARGET/ },
  {
    code: 'npm_conflict',
    script: lines(
      registry(packument('leftish', '1.0.0', ',"peerDependencies":{"rightish":"^2.0.0"}'), packument('rightish', '1.0.0')),
      `${npmInstall} leftish rightish`,
    ),
    says: /--legacy-peer-deps/,
  },
  { code: 'npm_lock', script: lines("echo '{}' > package.json", 'npm ci'), says: /package-lock\.json/ },
  { code: 'npm_script', script: lines("echo '{}' > package.json", 'npm run build'), says: /"build"/ },
  {
    code: 'npm_engine',
    script: lines('echo \'{"name":"a","version":"1.0.0","engines":{"node":">=999"}}\' > package.json', 'npm install --engine-strict'),
    says: />=999/,
  },
].map((row) => ({ ...row, needsNpm: true }));
