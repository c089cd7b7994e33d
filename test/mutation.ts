/**
 * `npm run mutation`: changes one operator or condition at a time in the core and counts how many of the changes the
 * unit tests notice. Options: `--count N` (300), `--seed N` (1), `--only PATH` for one file or folder of `src`. Prints
 * each change that no test noticed, and fails if too few were noticed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Node, parse } from 'acorn';
import { projectRoot } from '../src/launcher/projectRoot.ts';
import { SeededRandom } from '../src/sandbox/seeds/seededRandom.ts';
import { findFiles } from './editor/support/findFiles.ts';

/** The minimum share of noticed changes, in percent. */
const minNoticedPercent = 92;
const rooms = ['changes', 'security', 'sql', 'builds'];
/** A change that makes tests run for longer than this counts as noticed: it has caused an endless loop. */
const timeoutsMs = { nearby: 120_000, all: 600_000 };

interface Mutant {
  /** Relative to the project. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const replacements: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
};

/** Iterates over the nodes of a syntax tree. */
function* walk(node: Node): Generator<Node & Readonly<Record<string, unknown>>> {
  const fields = node as Node & Readonly<Record<string, unknown>>;
  yield fields;
  for (const value of Object.values(fields)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) {
        yield* walk(child as Node);
      }
    }
  }
}

/** Returns all changes of a file: one operator, condition or boolean each. */
async function findMutants(file: string): Promise<readonly Mutant[]> {
  const source = await readFile(join(projectRoot, file), 'utf8');
  // Types become blanks, so every position is that of the source.
  const code = stripTypeScriptTypes(source);
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  return [...walk(program)].flatMap((node): readonly Mutant[] => {
    const { type, start, end } = node;
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      const [left, right] = [node['left'] as Node, node['right'] as Node];
      const operator = String(node['operator']);
      const replacement = replacements[operator];
      const position = code.indexOf(operator, left.end);
      // A plus may join texts, where a minus is an error that any test notices.
      const isText = operator === '+' && /['"`]/.test(code.slice(left.start, right.end));
      return replacement === undefined || isText || position >= right.start
        ? []
        : [{ file, start: position, end: position + operator.length, replacement }];
    }
    if (type === 'UnaryExpression' && node['operator'] === '!') {
      return [{ file, start, end: start + 1, replacement: '' }];
    }
    if (type === 'IfStatement' || type === 'ConditionalExpression') {
      const test = node['test'] as Node;
      return [
        { file, start: test.start, end: test.end, replacement: 'true' },
        { file, start: test.start, end: test.end, replacement: 'false' },
      ];
    }
    if (type === 'Literal' && typeof node['value'] === 'boolean') {
      return [{ file, start, end, replacement: String(!node['value']) }];
    }
    return [];
  });
}

function pickRandom<Item>(items: readonly Item[], count: number, random: SeededRandom): readonly Item[] {
  const remaining = [...items];
  return Array.from({ length: Math.min(count, remaining.length) }, () =>
    remaining.splice(random.nextInteger(0, remaining.length - 1), 1),
  ).flat();
}

/** A copy of the project whose files may be changed. */
class ProjectCopy implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<ProjectCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'mutation-'));
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: projectRoot });
    execFileSync('tar', ['-cf', join(folder, 'copy.tar'), '--null', '--ignore-failed-read', '-T', '-'], {
      cwd: projectRoot,
      input: files,
    });
    execFileSync('tar', ['-xf', 'copy.tar'], { cwd: folder });
    await rm(join(folder, 'copy.tar'));
    await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
    return new ProjectCopy(folder);
  }

  /** Applies a change, and returns whether a test fails with it. */
  async isNoticed({ file, start, end, replacement }: Mutant): Promise<boolean> {
    const path = join(this.#folder, file);
    const source = await readFile(path, 'utf8');
    await writeFile(path, source.slice(0, start) + replacement + source.slice(end));
    try {
      // Most changes are noticed by the tests next to the file, which takes a second.
      const folder = dirname(file).replace(/^src/, 'test/unit');
      const name = basename(file, '.ts');
      return (
        !(await this.#passes(['run', `${folder}/${name}.test.ts`], timeoutsMs.nearby)) ||
        !(await this.#passes(['run', folder], timeoutsMs.nearby)) ||
        !(await this.#passes(['related', file], timeoutsMs.all))
      );
    } finally {
      await writeFile(path, source);
    }
  }

  async #passes([command = '', ...args]: readonly string[], timeout: number): Promise<boolean> {
    const vitest = join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
    const options = [
      '--run',
      '--project=unit',
      '--bail=1',
      '--maxWorkers=1',
      '--passWithNoTests',
      '--reporter=dot',
    ];
    const child = spawn(process.execPath, [vitest, command, ...args, ...options], {
      cwd: this.#folder,
      stdio: 'ignore',
      timeout,
      killSignal: 'SIGKILL',
    });
    const [code] = await once(child, 'exit');
    return code === 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function describe({ file, start, end, replacement }: Mutant): Promise<string> {
  const source = await readFile(join(projectRoot, file), 'utf8');
  const line = source.slice(0, start).split('\n').length;
  const text = source.split('\n')[line - 1]?.trim() ?? '';
  return `${file}:${line}: ${source.slice(start, end)} -> ${replacement === '' ? '(nothing)' : replacement}   in ${text}`;
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const { only } = values;
const sources = (only === undefined ? rooms : ['']).flatMap((room) =>
  findFiles(join(projectRoot, 'src', room), '**/*.ts').map((file) => join('src', room, file)),
);
const files = sources.filter((file) => only === undefined || file.startsWith(only));
const all = (await Promise.all(files.map(findMutants))).flat();
const mutants = [...pickRandom(all, Number(values.count), new SeededRandom(Number(values.seed)))];
process.stdout.write(`${mutants.length} of ${all.length} changes, seed ${values.seed}\n`);
const survivors: Mutant[] = [];
let triedCount = 0;
const queue = [...mutants];
const tryMutants = async (): Promise<void> => {
  await using copy = await ProjectCopy.create();
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    if (!(await copy.isNoticed(mutant))) {
      survivors.push(mutant);
      process.stdout.write(`not noticed: ${await describe(mutant)}\n`);
    }
    triedCount += 1;
    if (triedCount % 25 === 0) {
      process.stdout.write(`${triedCount} tried, ${survivors.length} not noticed\n`);
    }
  }
};
await Promise.all(Array.from({ length: availableParallelism() }, tryMutants));
const noticedPercent = (100 * (mutants.length - survivors.length)) / Math.max(1, mutants.length);
process.stdout.write(`${noticedPercent.toFixed(1)} % of ${mutants.length} changes were noticed\n`);
process.exitCode = noticedPercent >= minNoticedPercent ? 0 : 1;
