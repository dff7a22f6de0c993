// The labels on every object that Sandlot makes in a runtime. They are how a restarted host finds its own and leaves others alone.

export const labelKeys = {
  /** Always `true`. */
  managed: 'dev.sandlot.managed',
  /** The id of the data folder that owns the object: two hosts with two folders never touch each other's. */
  home: 'dev.sandlot.home',
  /** `PID:START` of the host process that made it, START being the process's start time in clock ticks. */
  owner: 'dev.sandlot.owner',
  /** session · setup-run · gate · boot-test · base · image · gate-image · prepared · workspace · probe */
  role: 'dev.sandlot.role',
  environment: 'dev.sandlot.environment',
  environmentName: 'dev.sandlot.environment-name',
  session: 'dev.sandlot.session',
  setupRun: 'dev.sandlot.setup-run',
  build: 'dev.sandlot.build',
  fingerprint: 'dev.sandlot.fingerprint',
  runtimeLayer: 'dev.sandlot.runtime-layer',
  /** On a gate that was made anew: the id of the one that its sandbox was made to join. */
  standsFor: 'dev.sandlot.stands-for',
  /** Version of the gate that an image holds. */
  gateVersion: 'dev.sandlot.gate-version',
  /** Base64 of the recipe an image was built from, so that a lost registry can be made whole again. */
  recipe: 'dev.sandlot.recipe',
} as const;

export type LabelRole =
  | 'session'
  | 'setup-run'
  | 'gate'
  | 'boot-test'
  | 'base'
  | 'image'
  | 'gate-image'
  | 'prepared'
  | 'workspace'
  | 'probe';

/** Makes the labels of one object. `home` and `owner` identify the host that makes it. */
export type MakeLabels = (
  role: LabelRole,
  of?: Partial<Record<Exclude<keyof typeof labelKeys, 'managed' | 'home' | 'owner' | 'role'>, string>>,
) => Record<string, string>;

/** Binds label making to one host. */
export const createLabels =
  (home: string, owner: string): MakeLabels =>
  (role, of = {}) => {
    const labels: Record<string, string> = {
      [labelKeys.managed]: 'true',
      [labelKeys.home]: home,
      [labelKeys.owner]: owner,
      [labelKeys.role]: role,
    };
    for (const [key, value] of Object.entries(of)) if (value !== undefined) labels[labelKeys[key as keyof typeof labelKeys]] = value;
    return labels;
  };
