// Proves that an image can carry a session: it starts, keeps running, and has the user and tools that a session needs.
// Source: SPEC.md 3 (Pin, boot test).
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { keepAlive, keepAliveName } from '../container/keep-alive.ts';
import type { MakeLabels } from '../container/labels.ts';
import { readExec } from '../container/read-exec.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { BootTest } from '../contract/model.ts';
import { cancelled } from './cancelled.ts';

interface BootTestRequest {
  runtime: ContainerRuntime;
  imageId: string;
  name: string;
  labels: ReturnType<MakeLabels>;
  signal: AbortSignal;
}

// Each check prints one line: name, tab, ok or failed, tab, what was seen.
const script = `
say() { printf '%s\\t%s\\t%s\\n' "$1" "$2" "$3"; }
try() { name=$1; shift; if out=$("$@" 2>&1); then say "$name" ok "\${out%%$'\\n'*}"; else say "$name" failed "\${out%%$'\\n'*}"; fi; }
uid=$(id -u); if [ "$uid" != 0 ]; then say user ok "uid $uid ($(id -un))"; else say user failed "runs as root"; fi
try shell bash -lc 'echo "bash $BASH_VERSION"'
try git git --version
try sudo sh -c 'sudo -n true && echo "works without a password"'
try workspace sh -c 'touch /workspace/.boot-test && rm /workspace/.boot-test && echo "/workspace is writable"'
one=$(tr '\\0' ' ' < /proc/1/cmdline)
case "$one" in ${keepAliveName}*) say "entry point" ok "none of the image's own" ;; *) say "entry point" failed "process 1 is: $one" ;; esac
`;

const seconds = 30;

const parseChecks = (output: string): BootTest['checks'] =>
  output
    .split('\n')
    .map((line) => line.split('\t'))
    .filter((fields) => fields.length === 3)
    .map(([name, verdict, message]) => ({ name: name ?? '', passed: verdict === 'ok', message: message ?? '' }));

/** Why a check gave no answer, as far as what came instead can tell: the runtime puts its own complaint there. */
const silence = (output: string): string => {
  const first = output.split('\n').find((line) => line.trim() !== '' && !line.includes('\t'));
  return first === undefined ? 'gave no answer' : `gave no answer, but: ${first.trim().slice(0, 300)}`;
};

const expected = ['user', 'shell', 'git', 'sudo', 'workspace', 'entry point'];

/** Boots the image once with no network and answers every check; what did not answer counts as failed. @throws cancelled */
export const bootTest = async ({ runtime, imageId, name, labels, signal }: BootTestRequest): Promise<BootTest> => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const containerId = await runtime.createContainer({
    name,
    image: imageId,
    command: keepAlive,
    env: [],
    labels,
    user: sandboxUser,
    workdir: workspace,
    network: 'none',
  });
  try {
    await runtime.startContainer(containerId);
    const exec = {
      command: ['bash', '-c', script],
      user: sandboxUser,
      workdir: workspace,
      stdin: false,
    };
    const output = await readExec(runtime, containerId, exec, { signal: limit });
    const found = parseChecks(output);
    signal.throwIfAborted();
    const state = await runtime.inspectContainer(containerId);
    const checks = [
      {
        name: 'starts',
        passed: state?.status === 'running',
        message: state?.status === 'running' ? 'keeps running' : `is ${state?.status ?? 'gone'}`,
      },
      ...expected.map((check) => found.find((one) => one.name === check) ?? { name: check, passed: false, message: silence(output) }),
    ];
    return { passed: checks.every((check) => check.passed), checks };
  } catch (thrown) {
    if (signal.aborted) throw cancelled('The boot test was cancelled.', thrown);
    if (!(thrown instanceof SandlotError) || thrown.code === 'runtime_unavailable') throw thrown;
    return { passed: false, checks: [{ name: 'starts', passed: false, message: thrown.message }] };
  } finally {
    await runtime.removeContainer(containerId);
  }
};
