// The import rules of the house, each as a sentence. test/house/import-rules.test.ts shows every one of them firing.
const resources = '^sandbox-engine/(registry|recipe|container|stream|egress|secrets)/';
const workflows = '^sandbox-engine/(image|setup|session|gate|agents)/';
const contract = '^sandbox-engine/contract/';
const doors = '^main/(electron|web|cli|mcp)/';
const screens = '^renderer/src/(?!host/|store/|ui/)[^/]+/';
const ours = '^(sandbox-engine|main|preload|renderer|test|scripts)/';
const inPackage = (names) => `(^|node_modules/)(${names})(/|$)`;
const typesOnly = ['type-only'];

/** One rule: what stands in `from` may not import what stands in `to`. */
const never = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** One door per library: only the named files may import it, others its types. Our tests may look behind the door. */
const door = (library, files) =>
  never(
    `one-door-${library.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')}`,
    `${library} has one door: ${files}.`,
    { path: '^(sandbox-engine|main|preload|renderer)/', pathNot: files },
    { path: inPackage(library), dependencyTypesNot: typesOnly },
  );

module.exports = {
  forbidden: [
    never(
      'contract-stands-on-nothing',
      'The contract imports nothing but itself and zod.',
      { path: contract },
      { pathNot: [contract, inPackage('zod')] },
    ),
    never(
      'base-sees-only-contract',
      'Base stands on the contract, and on Node.',
      { path: '^sandbox-engine/base/' },
      { path: ours, pathNot: [contract, '^sandbox-engine/base/'] },
    ),
    never(
      'resources-never-look-up',
      'A resource stands on base and contract only: no workflow, no engine, no door.',
      { path: resources },
      { path: ours, pathNot: [contract, '^sandbox-engine/base/', resources] },
    ),
    never(
      'resources-never-meet',
      'A resource never imports another resource.',
      { path: '^sandbox-engine/(registry|recipe|container|stream|egress|secrets)/' },
      { path: resources, pathNot: '^sandbox-engine/$1/' },
    ),
    never(
      'workflows-never-look-up',
      'A workflow stands on resources, base and contract: not on the engine, not on a door.',
      { path: workflows },
      { path: ours, pathNot: [contract, '^sandbox-engine/base/', resources, workflows] },
    ),
    never(
      'workflows-never-meet',
      'A workflow never imports another workflow.',
      { path: '^sandbox-engine/(image|setup|session|gate|agents)/' },
      { path: workflows, pathNot: '^sandbox-engine/$1/' },
    ),
    never(
      'engine-is-plain-node',
      'The engine knows no window, no browser, no web server.',
      { path: '^sandbox-engine/' },
      {
        path: [
          '^(main|preload|renderer|test|scripts)/',
          inPackage('electron|react|react-dom|ws|fastify|@fastify/static|zustand|@mantine/[^/]+|@xterm/[^/]+|commander'),
        ],
      },
    ),
    never(
      'main-enters-by-index',
      'Main enters the engine by index.ts; beside it only the contract, which belongs to both sides.',
      { path: '^main/' },
      { path: '^sandbox-engine/', pathNot: ['^sandbox-engine/index\\.ts$', contract] },
    ),
    never(
      'host-knows-no-door',
      'The host does not know who stands at its door.',
      { path: '^main/host/' },
      { path: [doors, '^main/[^/]+\\.ts$'] },
    ),
    never(
      'doors-never-meet',
      'A door never imports another door.',
      { path: '^main/(electron|web|cli|mcp)/' },
      { path: doors, pathNot: '^main/$1/' },
    ),
    never(
      'nobody-imports-an-entry',
      'An entry of main is where a process starts: nobody imports it.',
      { path: ours, pathNot: '^test/' },
      { path: '^main/[^/]+\\.ts$' },
    ),
    never(
      'only-index-imports-engine',
      'engine.ts is wired behind index.ts.',
      { path: ours, pathNot: ['^sandbox-engine/index\\.ts$', '^test/'] },
      { path: '^sandbox-engine/engine\\.ts$' },
    ),
    never(
      'preload-sees-types-only',
      'Preload imports electron and types of the contract.',
      { path: '^preload/' },
      { path: ours, pathNot: ['^preload/', contract] },
    ),
    never(
      'preload-sees-contract-types-only',
      'Preload takes types, not values, from the contract.',
      { path: '^preload/' },
      { path: contract, dependencyTypesNot: typesOnly },
    ),
    never(
      'renderer-sees-contract-only',
      'The renderer imports nothing of ours but itself and the contract.',
      { path: '^renderer/' },
      { path: ours, pathNot: ['^renderer/', contract] },
    ),
    never(
      'renderer-sees-contract-types-only',
      'The renderer takes types, not values, from the contract.',
      { path: '^renderer/' },
      { path: contract, dependencyTypesNot: typesOnly },
    ),
    never(
      'renderer-has-no-node',
      'The renderer runs in a browser: no Node module, no electron.',
      { path: '^renderer/' },
      { dependencyTypes: ['core'] },
    ),
    never(
      'only-store-touches-host',
      'Only the store talks to the host.',
      { path: '^renderer/src/', pathNot: ['^renderer/src/(store|host)/', '^renderer/src/main\\.tsx$'] },
      { path: '^renderer/src/host/' },
    ),
    never(
      'screens-never-meet',
      'A screen never imports another screen.',
      { path: '^renderer/src/(?!host/|store/|ui/)([^/]+)/' },
      { path: screens, pathNot: '^renderer/src/$1/' },
    ),
    never(
      'ui-knows-nothing',
      'ui is shared pieces: it knows no store, no host, no screen.',
      { path: '^renderer/src/ui/' },
      { path: '^renderer/src/', pathNot: '^renderer/src/ui/' },
    ),
    never(
      'store-knows-no-view',
      'The store knows no screen and no ui.',
      { path: '^renderer/src/(store|host)/' },
      { path: '^renderer/src/', pathNot: '^renderer/src/(store|host)/' },
    ),
    door('sqlite3', '^sandbox-engine/registry/database\\.ts$'),
    door('dockerode', '^sandbox-engine/container/docker-connection\\.ts$'),
    door('ipaddr\\.js', '^sandbox-engine/egress/address\\.ts$'),
    door('koffi', '^sandbox-engine/egress/native-sockets\\.ts$'),
    door('tldts', '^sandbox-engine/egress/public-suffix\\.ts$'),
    door('dns-packet', '^sandbox-engine/egress/write-dns-answer\\.ts$'),
    door('yaml', '^sandbox-engine/recipe/'),
    door('zod', '^(sandbox-engine/(contract|recipe)|main/host)/|^main/web/openapi\\.ts$|^main/mcp/'),
    door('electron', '^(main/electron|preload)/|^main/electron\\.ts$'),
    door('ws', '^main/web/'),
    door('fastify|@fastify/[^/]+', '^main/web/'),
    door('commander', '^main/cli/|^main/cli\\.ts$'),
    door('@xterm/[^/]+', '^renderer/src/ui/(StreamView\\.tsx|xterm-screen\\.ts)$'),
    door('@novnc/[^/]+', '^renderer/src/ui/bounded-screen\\.ts$'),
    door('@codemirror/[^/]+|@lezer/[^/]+', '^renderer/src/ui/(CodeField\\.tsx|code-[a-z]+\\.ts)$'),
    door('zustand', '^renderer/src/store/store\\.ts$'),
    never(
      'no-cycles',
      'No file imports itself through others; a type, which is gone when the program runs, does not count.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: typesOnly } },
    ),
    never(
      'no-orphans',
      'A file that imports nothing and that nobody imports is dead.',
      { orphan: true, pathNot: ['\\.d\\.ts$', '\\.css$', '^test/', '^renderer/public/', '^main/[^/]+\\.ts$', '(^|/)tsconfig\\.json$'] },
      {},
    ),
    never(
      'nobody-imports-tests',
      'Only tests import tests.',
      { path: '^(sandbox-engine|main|preload|renderer|scripts)/' },
      { path: '^test/' },
    ),
    never('resolvable', 'Every import leads somewhere.', { pathNot: '^test/' }, { couldNotResolve: true }),
    never(
      'declared',
      'A package that is imported stands in package.json.',
      { path: ours },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    never(
      'shipped',
      'What runs in the product is a dependency, not a development dependency; the renderer is bundled and electron brings itself.',
      { path: '^(sandbox-engine|main)/', pathNot: '^main/web/vite-middleware\\.ts$' },
      {
        path: 'node_modules/',
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: typesOnly,
        pathNot: ['node_modules/electron/', 'node_modules/@types/'],
      },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^dist/'] },
    exclude: { path: ['^dist/', '^\\.cache/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
