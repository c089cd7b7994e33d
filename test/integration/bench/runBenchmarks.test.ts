import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import type { Figure } from '../../bench/harness/figures.ts';
import { runBenchmarks } from '../../bench/harness/runBenchmarks.ts';
import { createTemporaryFolder } from '../../editor/support/temporaryFolder.ts';

const benchModule = JSON.stringify(join(projectRoot, 'test', 'bench', 'harness', 'bench.ts'));
const createLine = (name: string): string =>
  JSON.stringify({ name, what: name, baseline: 'base', minPairs: 2, maxPairs: 2 });

/** Creates a version with files of benchmarks, which can call `compare` and `report`. */
async function createVersion(root: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(root, 'test', 'bench');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const program = `import { writeFileSync } from 'node:fs'; import { compare, report } from ${benchModule};\n${text}`;
    await writeFile(join(folder, `${name}.bench.ts`), program);
  }
  return root;
}

async function run(options: {
  root: string;
  otherRoot?: string;
  filter?: string;
  signal?: AbortSignal;
  onFigure?: (figure: Figure) => void;
}) {
  const figures: Figure[] = [];
  const messages: string[] = [];
  const failed = await runBenchmarks({
    filter: '',
    otherRoot: undefined,
    machine: { waitUntilQuiet: () => Promise.resolve(true) },
    signal: new AbortController().signal,
    print: (message) => messages.push(message),
    onFigure: (figure) => figures.push(figure),
    ...options,
  });
  const byName = Object.fromEntries(figures.map((figure) => [figure.name, figure]));
  return { byName, messages, failed };
}

test('every line of every file is measured, in the order of the files', async () => {
  await using folder = await createTemporaryFolder();
  const root = await createVersion(folder.path, {
    b: `await compare(${createLine('fast')}, { subject: () => 1, base: () => 4 });`,
    a: `await report(${createLine('exact')}, 0.5); await compare(${createLine('limit')}, { subject: () => 8, base: 16 });`,
  });
  const { byName, failed } = await run({ root });
  expect(failed).toEqual([]);
  expect(Object.entries(byName).map(([name, { ratio }]) => [name, ratio.median])).toEqual([
    ['a.exact', 0.5],
    ['a.limit', 0.5],
    ['b.fast', 0.25],
  ]);
});

test('only the lines that match a filter are measured', async () => {
  await using folder = await createTemporaryFolder();
  const root = await createVersion(folder.path, {
    a: `for (const line of [${createLine('x')}, ${createLine('y')}]) await compare(line, { subject: () => 1, base: () => 1 });`,
    b: 'throw new Error("started");',
  });
  const { byName, failed } = await run({ root, filter: 'a.y' });
  expect(Object.keys(byName)).toEqual(['a.y']);
  expect(failed).toEqual([]);
});

test('a benchmark that fails is reported, and the others are run', async () => {
  await using folder = await createTemporaryFolder();
  const fail = `() => { throw new Error('This failure is expected'); }`;
  const root = await createVersion(folder.path, {
    a: `await compare(${createLine('x')}, { subject: ${fail}, base: () => 1 });`,
    b: `await compare(${createLine('x')}, { subject: () => 1, base: () => 1 });`,
    c: `throw new Error('This failure is expected');`,
  });
  const { byName, failed } = await run({ root });
  expect(failed).toEqual(['a', 'c']);
  expect(Object.keys(byName)).toEqual(['b.x']);
});

test('two versions are measured side by side', async () => {
  await using folder = await createTemporaryFolder();
  const root = await createVersion(join(folder.path, 'new'), {
    a: `await compare(${createLine('x')}, { subject: () => 1, base: () => 4 }); await report(${createLine('y')}, 1);`,
  });
  const otherRoot = await createVersion(join(folder.path, 'old'), {
    a: `await compare(${createLine('x')}, { subject: () => 2, base: () => 4 }); await report(${createLine('y')}, 3);`,
  });
  const { byName, messages } = await run({ root, otherRoot });
  expect(byName['a.x']?.ratio.median).toBe(0.25);
  expect(byName['a.x']?.other).toMatchObject({
    ratio: { median: 0.5 },
    subjectMs: 2,
    change: { median: 0.5 },
  });
  expect(byName['a.y']?.other).toEqual({ ratio: { median: 3, low: 3, high: 3, count: 1 } });
  expect(messages).toEqual([]);
});

test('a benchmark that the other version cannot run is measured only on the current version', async () => {
  await using folder = await createTemporaryFolder();
  const lines = `await compare(${createLine('x')}, { subject: () => 1, base: () => 4 }); await report(${createLine('y')}, 1);`;
  const root = await createVersion(join(folder.path, 'new'), { a: lines, b: lines });
  const otherRoot = await createVersion(join(folder.path, 'old'), {
    a: `await compare(${createLine('x')}, { subject: () => { throw new Error('This failure is expected'); }, base: 1 });`,
    b: `await import('./missing.ts');`,
  });
  const { byName, messages, failed } = await run({ root, otherRoot });
  expect(failed).toEqual([]);
  expect(Object.entries(byName).map(([name, { other }]) => [name, other])).toEqual(
    ['a.x', 'a.y', 'b.x', 'b.y'].map((name) => [name, undefined]),
  );
  expect(messages).toEqual([
    "The other version can't run a further than to a.x.",
    "The other version can't run b further than to b.x.",
  ]);
});

test('an interrupted run ends its benchmarks, which clean up', async () => {
  await using folder = await createTemporaryFolder();
  const marker = JSON.stringify(join(folder.path, 'cleaned'));
  const root = await createVersion(folder.path, {
    a: `using cleanup = { [Symbol.dispose]: () => writeFileSync(${marker}, '') };
      for (const line of [${createLine('x')}, ${createLine('y')}]) await compare(line, { subject: () => 1, base: () => 1 });`,
  });
  const controller = new AbortController();
  const interrupted = run({ root, signal: controller.signal, onFigure: () => controller.abort() });
  await expect(interrupted).rejects.toMatchObject({ name: 'AbortError' });
  expect(await readdir(folder.path)).toContain('cleaned');
});
