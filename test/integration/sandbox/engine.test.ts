import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildLimits } from '../../../src/sandbox/engine/resourceLimits.ts';
import { createBuildEngine } from '../../../src/sandbox/engine/processBuildEngine.ts';
import { engineProgram } from '../../support/programs.ts';
import {
  createBaseTable,
  createCustomTable,
  EngineFolder,
  integerType,
  createModel,
} from '../../unit/sandbox/engine/models.ts';

const engine = createBuildEngine({ program: engineProgram });
const neverAborted = new AbortController().signal;

const numbers = createBaseTable('Numbers', [{ name: 'N', type: integerType }]);
const endless = createCustomTable(
  'Endless',
  'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n > 0) SELECT COUNT(*) AS Counted FROM c',
);

const createFolder = (...values: readonly string[]): EngineFolder =>
  new EngineFolder().writeCsv('Numbers', 'N', ...values);

const listCubeFiles = (folder: EngineFolder): string[] => readdirSync(join(folder.path, 'cubes'));

/** Resolves when a build has created its file, so its process is running. */
async function waitForBuildFile(folder: EngineFolder): Promise<void> {
  while (!listCubeFiles(folder).some((name) => name.endsWith('.building'))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('builds in a separate process', () => {
  it('builds from source and replaces the data', async () => {
    using folder = createFolder('1', '2');
    expect(await engine.run(folder.createJob(createModel([numbers])), neverAborted)).toMatchObject({
      status: 'done',
      rowCounts: { Numbers: 2 },
    });
    folder.writeCsv('Numbers', 'N', '3');
    expect(await engine.run(folder.createJob(createModel([numbers])), neverAborted)).toMatchObject({
      rowCounts: { Numbers: 1 },
    });
    expect(folder.queryRows('SELECT N FROM Numbers')).toEqual([[3]]);
    expect(listCubeFiles(folder)).toEqual(['model.sqlite']);
  });

  it('keeps the previous data when a build fails', async () => {
    using folder = createFolder('1');
    await engine.run(folder.createJob(createModel([numbers])), neverAborted);
    folder.writeCsv('Numbers', 'N', '2');
    const failingTable = createCustomTable('Bad', 'SELECT Revenu FROM Numbers');
    expect(await engine.run(folder.createJob(createModel([numbers, failingTable])), neverAborted)).toEqual({
      status: 'failed',
      table: 'Bad',
      message: 'no such column: Revenu',
    });
    expect(folder.queryRows('SELECT N FROM Numbers')).toEqual([[1]]);
    expect(listCubeFiles(folder)).toEqual(['model.sqlite']);
  });

  it('reports a canceled build at once, in the middle of a statement that never ends', async () => {
    using folder = createFolder('1');
    await engine.run(folder.createJob(createModel([numbers])), neverAborted);
    const controller = new AbortController();
    const run = engine.run(folder.createJob(createModel([numbers, endless])), controller.signal);
    await waitForBuildFile(folder);
    controller.abort();
    // Without the cancellation, the statement would fail at the time limit.
    expect(await run).toEqual({ status: 'cancelled' });
    expect(folder.queryRows('SELECT N FROM Numbers')).toEqual([[1]]);
    expect(listCubeFiles(folder)).toEqual(['model.sqlite']);
  });

  it.each([
    [{ timeMs: 500 }, 'The expression took longer than 0.5 seconds, the limit of the sandbox'],
    [
      { memoryBytes: 1024 * 1024 },
      /^The (?:build|expression) needed more than 1 MB of memory, the limit of the sandbox$/,
    ],
  ])('ends a build that exceeds a limit, and names it: %j', async (limit, message) => {
    using folder = createFolder('1');
    await engine.run(folder.createJob(createModel([numbers])), neverAborted);
    const limits = { ...buildLimits, ...limit };
    const limitedEngine = createBuildEngine({ program: engineProgram, limits });
    expect(
      await limitedEngine.run(folder.createJob(createModel([numbers, endless])), neverAborted),
    ).toMatchObject({
      status: 'failed',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    expect(folder.queryRows('SELECT N FROM Numbers')).toEqual([[1]]);
    expect(listCubeFiles(folder)).toEqual(['model.sqlite']);
  });

  it('delays a build as requested; the build can be canceled during the delay', async () => {
    using folder = createFolder('1');
    const delayed = await engine.run(
      folder.createJob(createModel([numbers]), 'full', { delayMs: 1 }),
      neverAborted,
    );
    expect(delayed).toMatchObject({ status: 'done' });
    const controller = new AbortController();
    const run = engine.run(
      folder.createJob(createModel([numbers]), 'full', { delayMs: 600_000 }),
      controller.signal,
    );
    await waitForBuildFile(folder);
    // The same build without a delay starts later and ends first.
    using other = createFolder('1');
    expect(await engine.run(other.createJob(createModel([numbers])), neverAborted)).toMatchObject({
      status: 'done',
    });
    controller.abort();
    expect(await run).toEqual({ status: 'cancelled' });
    expect(listCubeFiles(folder)).toEqual(['model.sqlite']);
  });

  it('does not start with an aborted signal', async () => {
    using folder = createFolder('1');
    expect(await engine.run(folder.createJob(createModel([numbers])), AbortSignal.abort())).toEqual({
      status: 'cancelled',
    });
    expect(listCubeFiles(folder)).toEqual([]);
  });

  it('fails if the document is not a datamodel, or if the worker cannot start', async () => {
    using folder = createFolder('1');
    expect(await engine.run(folder.createJob({ oid: 'model' }), neverAborted)).toMatchObject({
      status: 'failed',
    });
    const brokenEngine = createBuildEngine({ program: new URL('missing.js', import.meta.url) });
    expect(await brokenEngine.run(folder.createJob(createModel([numbers])), neverAborted)).toMatchObject({
      status: 'failed',
    });
  });

  it('keeps integers that a double cannot represent', async () => {
    using folder = createFolder('9007199254740993');
    const big = createBaseTable('Numbers', [
      { name: 'N', type: 0 },
      { name: 'Next', type: 0, expression: '[N] + 1' },
    ]);
    expect(await engine.run(folder.createJob(createModel([big])), neverAborted)).toMatchObject({
      status: 'done',
    });
    expect(folder.queryRows("SELECT N || '', Next || '' FROM Numbers")).toEqual([
      ['9007199254740993', '9007199254740994'],
    ]);
  });

  it('removes leftovers of a killed process', async () => {
    using folder = createFolder('1');
    writeFileSync(join(folder.path, 'cubes', 'model.999999999-1.building'), 'half');
    await engine.run(folder.createJob(createModel([numbers])), neverAborted);
    expect(listCubeFiles(folder)).toEqual(['model.sqlite']);
  });
});
