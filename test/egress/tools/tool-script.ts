// A setup script that tries every tool in four ways: by the proxy variables and without them, as the sandbox's user and as root by sudo.
import { blockedName, toolNames } from './tool-world.ts';

const { web, git, packages, npm, python } = toolNames;

/** What begins a command: variables kept or taken away, user kept or root. */
const ways = {
  'by variables': '',
  'by variables as root': 'sudo',
  'straight out': 'plain',
  'straight out as root': 'plain sudo',
} as const;

const fetchJava = `import java.net.*;
import java.net.http.*;
public class Fetch {
  public static void main(String[] urls) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    for (String url : urls) {
      HttpURLConnection old = (HttpURLConnection) new URL(url).openConnection();
      if (old.getResponseCode() != 200) throw new Exception(url + " " + old.getResponseCode());
      old.getInputStream().readAllBytes();
      var answer = client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) throw new Exception(url + " " + answer.statusCode());
    }
  }
}
`;

const both = (host: string): string[] => [`http://${host}/hello`, `https://${host}/hello`];
const proxied = ['http', 'https'].map((scheme) => `-D${scheme}.proxyHost=198.18.0.1 -D${scheme}.proxyPort=3128`).join(' ');
const urllib = 'import sys, urllib.request as u; [u.urlopen(url, timeout=20).read() for url in sys.argv[1:]]';
const requests = 'import sys, requests as r; [r.get(url, timeout=20).raise_for_status() for url in sys.argv[1:]]';
const fetchNode =
  'Promise.all(process.argv.slice(1).map((url) => fetch(url))).then((all) => process.exit(all.every((one) => one.ok) ? 0 : 1))';
const apt = 'apt-get -q -o Dir::Etc::sourcelist=/tmp/local.list -o Dir::Etc::sourceparts=-';

/** Commands that must work, by what they try. */
const tools: Record<string, string> = {
  'curl http': `curl -sSf -m 20 http://${web}/hello`,
  'curl https': `curl -sSf -m 20 https://${web}/hello`,
  wget: `wget -q -T 20 -t 1 -O - ${both(web).join(' ')}`,
  'git over http': `git clone -q http://${git}/repo.git "$(mktemp -d)"`,
  'git over https': `git clone -q https://${git}/repo.git "$(mktemp -d)"`,
  'node fetch': `node -e '${fetchNode}' ${both(web).join(' ')}`,
  npm: `npm install --prefix "$(mktemp -d)" --no-audit --no-fund --fetch-retries 0 --registry http://${npm}/ tiny-package`,
  'npm over https': `npm install --prefix "$(mktemp -d)" --no-audit --no-fund --fetch-retries 0 --registry https://${npm}/ tiny-package`,
  pip: `pip install -q --no-cache-dir --break-system-packages --retries 0 --target "$(mktemp -d)" --index-url https://${python}/simple/ tiny-wheel`,
  'python urllib': `python3 -c '${urllib}' ${both(web).join(' ')}`,
  'python requests': `python3 -c '${requests}' ${both(web).join(' ')}`,
  java: `java /tmp/Fetch.java ${both(web).join(' ')}`,
};

/** The same with what Debian's package manager lets only root do. */
const rootTools: Record<string, string> = {
  'apt-get update': `sudo ${apt} update`,
  'apt-get install': `sudo ${apt} install -y --reinstall tiny-tool`,
};

const blockedTools: Record<string, string> = {
  curl: `curl -sSf -m 20 https://${blockedName}/hello`,
  'curl http': `curl -sSf -m 20 http://${blockedName}/hello`,
  git: `git clone -q https://${blockedName}/repo.git "$(mktemp -d)"`,
  node: `node -e '${fetchNode}' https://${blockedName}/hello`,
  pip: `pip install -q --retries 0 --target "$(mktemp -d)" --index-url https://${blockedName}/simple/ tiny-wheel`,
  python: `python3 -c '${urllib}' https://${blockedName}/hello`,
  java: `java /tmp/Fetch.java https://${blockedName}/hello`,
};

const inWays = (commands: Record<string, string>, say: string, among: readonly string[]): { name: string; line: string }[] =>
  Object.entries(commands).flatMap(([tool, command]) =>
    Object.entries(ways)
      .filter(([way]) => among.includes(way))
      .map(([way, prefix]) => ({ name: `${tool} ${way}`, line: `${say} "${tool} ${way}" ${prefix === '' ? '' : `${prefix} `}${command}` })),
  );

const works = [
  ...inWays(tools, 'works', Object.keys(ways)),
  ...inWays(rootTools, 'works', ['by variables', 'straight out']),
  { name: 'java by its own settings', line: `works "java by its own settings" java ${proxied} /tmp/Fetch.java ${both(web).join(' ')}` },
];
const fails = inWays(blockedTools, 'fails', ['by variables', 'straight out as root']);

const counted = 'env | grep -ci proxy';

/** X-01 and X-02 of the cases: which variables there are, for whom, and that loopback is left alone. */
const variables = [
  `echo "variables $(env | cut -d= -f1 | grep -i proxy | sort | tr '\\n' ' ')"`,
  `echo "counts $(${counted}) $(sudo ${counted}) $(sudo -u nobody ${counted})"`,
  'python3 -m http.server -b 127.0.0.1 8000 --directory /etc >/dev/null 2>&1 &',
  "until curl -s -o /dev/null http://127.0.0.1:8000/hostname; do sleep 0.1; done; echo 'loopback direct'",
  `NO_PROXY='*' no_proxy='*' works "told to use no proxy" curl -sSf -m 5 https://${web}/hello`,
  'works "java prints nothing of its own" sh -c "java --version 2>&1 | head -n 1 | grep -q ^openjdk"',
  'kill %1',
];

export const toolScript = [
  'plain() { env -u HTTP_PROXY -u HTTPS_PROXY -u FTP_PROXY -u NO_PROXY -u http_proxy -u https_proxy -u ftp_proxy -u no_proxy "$@"; }',
  'works() { local name=$1; shift; if "$@" >/tmp/said 2>&1; then echo "ok $name"; else echo "FAILED $name: $(tail -c 400 /tmp/said | tr "\\n" " ")"; fi; }',
  'fails() { local name=$1; shift; if "$@" >/tmp/said 2>&1; then echo "OPEN $name"; else echo "refused $name"; fi; }',
  `cat >/tmp/Fetch.java <<'EOF'\n${fetchJava}EOF`,
  `echo 'deb [trusted=yes] http://${packages}/debian ./' >/tmp/local.list`,
  ...works.map(({ line }) => line),
  ...fails.map(({ line }) => line),
  ...variables,
  'grep -q installed /opt/tiny-tool',
  '',
].join('\n');

/** What the script must print. */
export const toolLines: string[] = [
  ...works.map(({ name }) => `ok ${name}`),
  ...fails.map(({ name }) => `refused ${name}`),
  'variables FTP_PROXY HTTPS_PROXY HTTP_PROXY NODE_USE_ENV_PROXY NO_PROXY ftp_proxy http_proxy https_proxy no_proxy ',
  'counts 9 9 9',
  'loopback direct',
  'ok told to use no proxy',
  'ok java prints nothing of its own',
];

/** The lines of the script that try what is blocked. */
export const blockedLines: number[] = toolScript.split('\n').flatMap((line, index) => (line.startsWith('fails "') ? [index + 1] : []));
