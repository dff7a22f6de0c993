// Turns a recipe into a Dockerfile with its files: pure, same recipe same bytes. Stands on an image that has the runtime layer.
// Leaves building to the image room, quoting to dockerfile.ts, package layers to package-layers.ts.
import type { Recipe } from '../contract/model.ts';
import { maxLineBytes, newlineArgument, pairsInstruction, quoteShell, runInstruction } from './dockerfile.ts';
import { packageLayers } from './package-layers.ts';

export interface ContextFile {
  /** Below the context's root. */
  path: string;
  mode: number;
  contents: string;
}

/** What a builder needs. `steps[i]` is what people call `instructions[i]`; both are in Dockerfile order, one an instruction
 * (builders that number only some instructions are matched by text). */
export interface CompiledRecipe {
  dockerfile: string;
  files: ContextFile[];
  buildArgs: Record<string, string>;
  steps: string[];
  instructions: string[];
}

export interface CompileRequest {
  recipe: Pick<Recipe, 'env' | 'packages' | 'initialize'>;
  /** The tag of an image with the runtime layer. */
  from: string;
  labels?: Record<string, string>;
  /** The numeric id of the sandbox user in `from` (see `readSandboxUserId`); its name when that is not known. */
  user?: number | null;
}

interface Instruction {
  step: string;
  text: string;
}

const bash = ['/bin/bash', '-eo', 'pipefail'];

const holdsNewline = (pairs: Record<string, string>): boolean => Object.values(pairs).some((value) => value.includes('\n'));

/** FROM and ENV. A line break needs a build argument, which the steps see as one more variable; the image does not have it. */
const head = (from: string, env: Record<string, string>): Instruction[] => [
  { step: 'base', text: `FROM ${from}` },
  ...(holdsNewline(env) ? [{ step: 'environment variables', text: `ARG ${newlineArgument}` }] : []),
  ...(Object.keys(env).length === 0 ? [] : [{ step: 'environment variables', text: pairsInstruction('ENV', env) }]),
];

/** One step as one layer; a step too long for a Dockerfile line comes as a file. */
const stepInstructions = (name: string, run: string, position: number, files: ContextFile[]): Instruction[] => {
  const title = `step-${position + 1}`;
  const inline = runInstruction(bash, run, title);
  if (Buffer.byteLength(inline) <= maxLineBytes) return [{ step: name, text: inline }];
  const path = `steps/${title}.sh`;
  const target = `/var/tmp/sandlot-${title}.sh`;
  files.push({ path, mode: 0o644, contents: run });
  return [
    { step: name, text: `COPY ${path} ${target}` },
    {
      step: name,
      text: `RUN ${JSON.stringify([...bash, '-c', `${bash.join(' ')} ${quoteShell(target)}; rm -f ${quoteShell(target)}`, title])}`,
    },
  ];
};

/** Compiles a recipe that was checked. Steps and packages run as root with the recipe's variables; the image ends as the sandbox
 * user in /workspace. A label with a line break loses it. */
export const compileRecipe = ({ recipe, from, labels = {}, user }: CompileRequest): CompiledRecipe => {
  const files: ContextFile[] = [];
  const instructions: Instruction[] = [
    ...head(from, recipe.env),
    { step: 'as root', text: 'USER 0' },
    ...packageLayers(recipe.packages).map(({ name, script }) => ({
      step: name,
      text: runInstruction(bash, script, name.split(' ')[0] ?? name),
    })),
    ...recipe.initialize.flatMap(({ name, run }, position) => stepInstructions(name, run, position, files)),
    { step: 'sandbox user', text: 'WORKDIR /workspace' },
    { step: 'sandbox user', text: 'ENTRYPOINT []' },
    { step: 'sandbox user', text: 'CMD ["/bin/bash"]' },
    { step: 'sandbox user', text: `USER ${user ?? 'sandbox'}` },
  ];
  const oneLine = Object.entries(labels).map(([key, value]) => [key, value.replaceAll('\n', ' ')]);
  if (oneLine.length > 0) instructions.push({ step: 'labels', text: pairsInstruction('LABEL', Object.fromEntries(oneLine)) });
  return {
    dockerfile: `${instructions.map(({ text }) => text).join('\n')}\n`,
    files,
    buildArgs: holdsNewline(recipe.env) ? { [newlineArgument]: '\n' } : {},
    steps: instructions.map(({ step }) => step),
    instructions: instructions.map(({ text }) => text),
  };
};
