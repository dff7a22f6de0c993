// Reviewed starting points. Data: each definition is a body that `environments.create` takes as it is.
// Each opens only what it needs: the registries that the package manager in its image is configured to use, and nothing else.
// Source: SPEC.md 4.
import type { PresetId, Template } from '../contract/model.ts';

const closed = { version: 'v1', rules: [] };

/** Only these package registries, whichever the tools in the image are configured to use. */
const registries = (...presets: PresetId[]) => ({ version: 'v1', rules: [{ action: 'allow', presets, note: 'from the template' }] });

const template = (id: string, name: string, summary: string, definition: Record<string, unknown>): Template => ({
  id,
  revision: 2,
  name,
  summary,
  definition: { name, description: summary, ...definition },
  is_own: false,
});

/** Serves the repository, or /workspace, for as long as the session runs; where nothing is there yet, a first page. */
const staticSite = `base: python
initialize:
  - name: A word in each terminal
    run: |
      cat > /etc/profile.d/site.sh << 'END'
      case $- in *i*) echo 'Your site is on port 8000: open it under Ports. After a resume, run the start script again.' ;; esac
      END
session_start:
  - name: First page, where there is nothing yet
    run: |
      [ -n "$(ls -A)" ] || echo '<!doctype html><title>My site</title><h1>It works</h1><p>This is index.html in /workspace.' > index.html
  - name: Serve it on port 8000
    run: |
      answers() { (exec 3<> /dev/tcp/127.0.0.1/8000) 2> /dev/null; }
      answers || setsid -f python3 -m http.server 8000 --bind 127.0.0.1 < /dev/null > /tmp/site.log 2>&1
      for try in {1..100}; do
        if answers; then
          echo "$PWD is served on port 8000 of the session. Open it under Ports, or with: sandlot session forward SESSION 8000 --open"
          exit 0
        fi
        sleep 0.1
      done
      cat /tmp/site.log
      exit 1
knowledge:
  - name: preview
    contents: The start script serves this folder on port 8000. The log of the server is /tmp/site.log. After a resume the script is run again by hand.
`;

/** The templates in the order in which they are shown. Those without a setup script are Ready at once. */
export const templates: readonly Template[] = [
  template('base-sandbox', 'Base sandbox', 'Plain Debian with git and sudo, no network, ready at once.', {
    recipe_yaml: 'base: debian\n',
    network_policy: closed,
  }),
  template(
    'python-data',
    'Python data',
    'Python with uv and a virtual environment for notebooks and tables. Reaches the Python package registry, nothing else.',
    {
      recipe_yaml: 'base: python\nenv:\n  PYTHONUNBUFFERED: "1"\n',
      setup: {
        script: 'python3 -m venv /workspace/.venv\n/workspace/.venv/bin/pip install pandas==2.2.3 matplotlib==3.9.2 ipython==8.28.0',
        timeout_seconds: 900,
      },
      network_policy: registries('pip'),
    },
  ),
  template(
    'web-app',
    'Node/Bun web app',
    'Bun and Node.js; dependencies of the repository are installed at the start of each session. Reaches the npm registry, nothing else.',
    {
      recipe_yaml: [
        'base: bun',
        'session_start:',
        '  - name: Install dependencies',
        '    run: if [ -f package.json ]; then bun install; fi',
        'knowledge:',
        '  - name: dev server',
        '    contents: Run `bun run dev` and open the port that it prints.',
        '',
      ].join('\n'),
      network_policy: registries('npm'),
    },
  ),
  template(
    'go-service',
    'Go service',
    'Go with a C compiler; modules are fetched at the start of each session. Reaches the Go module proxy, nothing else.',
    {
      recipe_yaml: 'base: go\nsession_start:\n  - name: Fetch modules\n    run: if [ -f go.mod ]; then go mod download; fi\n',
      network_policy: registries('go'),
    },
  ),
  template(
    'rust',
    'Rust',
    'Rust with clippy and rustfmt; crates are fetched at the start of each session. Reaches the crate registry, nothing else.',
    {
      recipe_yaml: 'base: rust\nsession_start:\n  - name: Fetch crates\n    run: if [ -f Cargo.toml ]; then cargo fetch; fi\n',
      network_policy: registries('cargo'),
    },
  ),
  template(
    'browser-desktop',
    'Browser desktop',
    'Chromium and a small desktop, seen and used in the app. Build it once: it takes some minutes. No site is open: allow what it needs, or launch it observed.',
    {
      recipe_yaml: 'base: browser-desktop\n',
      computer_use: true,
      network_policy: closed,
    },
  ),
  template('static-site', 'Static site', 'Python serves the files of /workspace on port 8000 from the start. Needs no network.', {
    recipe_yaml: staticSite,
    network_policy: closed,
  }),
  template('agent-with-docs', 'Agent with docs', 'Tools to search and read, and a runbook for an agent. No network.', {
    recipe_yaml:
      'base: debian\npackages:\n  apt: [ripgrep, fd-find, jq, less]\nknowledge:\n  - name: search\n    contents: Use `rg` for text and `fdfind` for file names.\n',
    runbook: 'Read the documents under /workspace first. Answer with the path and line of what you used.',
    network_policy: closed,
  }),
  template('empty', 'Empty', 'Nothing but the defaults: Debian, no network.', {}),
];
