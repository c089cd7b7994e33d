import { chmod, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import type { PlanRecord } from '../../../src/cli/planRecord.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const lockPath = 'environments/default.lock.json';
/** Plans are recorded only with the ID of a build, which the bundler otherwise sets. */
vi.hoisted(() => Object.assign(globalThis, { builtId: 'the build under test' }));

/** A number of unchanged items that no comparison finds: a plan with this number comes from the record. */
const markedCount = 123_456;

describe('a plan without changes', () => {
  const fixture = new ProjectFixture({ profile: 'guide' });
  const findRecord = async (): Promise<string> => {
    const folder = join(fixture.stateFolder, 'plans');
    const [name, ...others] = await readdir(folder);
    expect(others).toEqual([]);
    return join(folder, name ?? '');
  };
  const changeRecord = async (change: (record: PlanRecord) => object): Promise<void> => {
    const path = await findRecord();
    await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')) as PlanRecord)));
  };
  const markRecord = (): Promise<void> =>
    changeRecord((record) => ({
      ...record,
      plan: { ...record.plan, counts: { ...record.plan.counts, unchanged: markedCount } },
    }));
  /** Runs a plan. Returns the plan, and whether the project was compared with the instance. */
  const runPlan = async (code: number, ...args: readonly string[]) => {
    const { stdout } = await fixture.expectExit(code, 'plan', '--format', 'json', ...args);
    const plan = planOutputSchema.parse(JSON.parse(stdout));
    return { plan, isCompared: plan.counts.unchanged !== markedCount };
  };
  /** Makes a plan without changes, and marks its record. */
  const recordPlan = async () => {
    const { plan } = await runPlan(0);
    await markRecord();
    fixture.proxy.takeRequests();
    return plan;
  };

  const takePaths = (): readonly string[] =>
    fixture.proxy
      .takeRequests()
      .map(({ path }) => path)
      .toSorted();

  test('is taken from the record if reading the project and the instance shows no change', async () => {
    const { plan } = await runPlan(0);
    const paths = takePaths();
    expect((await runPlan(0)).plan).toEqual(plan);
    expect(takePaths()).toEqual(paths);
    await markRecord();
    expect((await runPlan(0)).isCompared).toBe(false);
    expect(takePaths()).toEqual(paths);
    // To find out that a file differs, everything was read already; nothing is read twice.
    await fixture.write(ordersPath, `${await fixture.read(ordersPath)} `);
    expect((await runPlan(0)).isCompared).toBe(true);
    expect(takePaths()).toEqual(paths);
    const text = await readFile(await findRecord(), 'utf8');
    expect(text).not.toContain(fixture.proxy.token);
  });

  test('is recorded by the built program, too', async () => {
    const run = async (): Promise<unknown> => {
      const { code, stdout } = await fixture.start('plan', '--format', 'json').ended;
      expect(code).toBe(0);
      return planOutputSchema.parse(JSON.parse(stdout)).counts.unchanged;
    };
    await run();
    await markRecord();
    expect(await run()).toBe(markedCount);
    // The record has the ID of that build, which the sources under test don't have.
    expect((await runPlan(0)).isCompared).toBe(true);
  });

  test('is made again after any change of a file', async () => {
    await recordPlan();
    await fixture.changeJson(ordersPath, { description: 'Changed in the project' });
    expect((await runPlan(2)).plan.changes.map(({ item }) => item)).toEqual(['table/Retail/Orders']);
    await fixture.remove(ordersPath);
    await runPlan(0);
    expect((await runPlan(0)).plan.extras).toContainEqual({ item: 'table/Retail/Orders' });
  });

  test('is made again after a change of the lock file or of the managed items', async () => {
    await recordPlan();
    await fixture.write(lockPath, `${await fixture.read(lockPath)}\n`);
    expect((await runPlan(0)).isCompared).toBe(true);
    await markRecord();
    await fixture.changeJson('datamodel-studio.json', { manage: { datamodels: ['Retail'] } });
    expect((await runPlan(0)).isCompared).toBe(true);
    await fixture.remove('datamodel-studio.json');
    const { stderr } = await fixture.expectExit(4, 'plan');
    expect(stderr).toContain("The folder isn't a project");
  });

  test('is made again after a change on the instance', async () => {
    await recordPlan();
    await fixture.setTableDescription('Orders', 'Changed on the server');
    const { plan } = await runPlan(2);
    expect(plan.changes.map(({ item, changedOnServer }) => [item, changedOnServer])).toEqual([
      ['table/Retail/Orders', true],
    ]);
  });

  test('is made again while a change of another project is interrupted', async () => {
    const other = await fixture.createFolder('another-project');
    await fixture.expectExit(0, 'pull', '--project', other, '--datamodel', 'Retail');
    await fixture.changeJson('datamodel-studio.json', { manage: { datamodels: ['Marketing'] } });
    await recordPlan();
    // The plan of this project reads no rules of Retail.
    const folder = join(other, 'datamodels/Retail/rules');
    const names = await readdir(folder);
    expect(names.length).toBeGreaterThan(1);
    await Promise.all(names.map((name) => rm(join(folder, name))));
    let writeCount = 0;
    fixture.proxy.intercept((request) => {
      writeCount += isWrite(request) ? 1 : 0;
      return isWrite(request) && writeCount > 1 ? 403 : 'forward';
    });
    await fixture.expectExit(1, 'apply', '--prune', 'rules', '--execute', '--project', other);
    fixture.proxy.intercept();
    const { plan, isCompared } = await runPlan(0);
    expect(isCompared).toBe(true);
    expect(plan.interrupted?.text).toContain('An earlier change was interrupted.');
    expect((await fixture.expectExit(0, 'plan')).stdout).toContain('An earlier change was interrupted.');
  });

  test('says in every run if the lock file was not updated after an apply', async () => {
    await fixture.changeJson(ordersPath, { description: 'Changed in the project' });
    await fixture.expectExit(0, 'apply', '--execute');
    await utimes(join(fixture.project, lockPath), 0, 0);
    const text = "The last apply was finished, but the lock file wasn't updated afterward.";
    expect((await fixture.expectExit(0, 'plan')).stderr).toContain(text);
    await markRecord();
    expect((await fixture.expectExit(0, 'plan')).stderr).toContain(text);
    expect((await runPlan(0)).isCompared).toBe(false);
  });

  test('is made again with other options, and by another build', async () => {
    await recordPlan();
    expect((await runPlan(0, '--datamodel', 'Retail')).isCompared).toBe(true);
    await markRecord();
    expect((await runPlan(0, '--datamodel', 'Retail', '--prune', 'tables')).isCompared).toBe(true);
    await changeRecord((record) => ({ ...record, inputs: 'those of another build' }));
    expect((await runPlan(0)).isCompared).toBe(true);
    await markRecord();
    await changeRecord((record) => ({ ...record, version: 2 }));
    expect((await runPlan(0)).isCompared).toBe(true);
  });

  test('is made again if the record is broken or missing, or other users can write it', async () => {
    await recordPlan();
    await writeFile(await findRecord(), '{"version": 1');
    expect((await runPlan(0)).isCompared).toBe(true);
    await rm(await findRecord());
    expect((await runPlan(0)).isCompared).toBe(true);
    await markRecord();
    if (process.platform !== 'win32') {
      await chmod(join(fixture.stateFolder, 'plans'), 0o777);
      expect((await runPlan(0)).isCompared).toBe(true);
    }
  });

  test('is made again if a request fails', async () => {
    await recordPlan();
    let failures = 0;
    fixture.proxy.intercept(({ path }) =>
      path.includes('viewpoints') && (failures += 1) === 1 ? 429 : 'forward',
    );
    expect((await runPlan(0)).isCompared).toBe(true);
    expect(failures).toBeGreaterThan(1);
  });
});
