import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyOutputSchema, planOutputSchema } from '../../../src/cli/outputs.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { largeEditPrune, makeLargeEdit } from '../../support/largeEdit.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const returnsPath = 'datamodels/Retail/tables/Returns.table.json';
const nothingToDo = 'Nothing to change: the instance is in the state of the project.\n';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);
  const describeReturns = () => fixture.change(returnsPath, { description: 'What came back' });
  const limits = ['--datamodel', 'Retail'] as const;

  test('is brought to the state of the project with --execute only, and once', async () => {
    await fixture.useNewInstance();
    await makeLargeEdit(fixture);
    const shown = await fixture.expectExit(0, 'apply', ...largeEditPrune);
    expect(shown.stdout).toContain('+ table/Retail/Categories 1\n');
    expect(shown.stderr).toContain('Nothing was written. Add --execute to write.');
    expect(takeWrites()).toEqual([]);

    const applied = await fixture.expectExit(0, 'apply', ...largeEditPrune, '--execute', '--format', 'json');
    const { counts, result } = applyOutputSchema.parse(JSON.parse(applied.stdout));
    expect(result).toMatchObject({ state: 'done', steps: { done: counts.requests, total: counts.requests } });
    expect(applied.stderr).toContain(`Journal: ${result?.journal}\n`);
    const writes = takeWrites();
    expect(writes.length).toBeGreaterThanOrEqual(30);
    // The rules of a new table are there before the table.
    const find = (part: string): number =>
      writes.findIndex(({ method, body }) => method === 'POST' && body.includes(part));
    expect(find('"table":"Categories 1"')).toBeLessThan(find('"name":"Categories 1"'));
    expect(find('"table":"Categories 1"')).not.toBe(-1);

    const again = await fixture.expectExit(0, 'apply', ...largeEditPrune, '--execute');
    expect(again.stdout + again.stderr).toBe(nothingToDo);
    expect(takeWrites()).toEqual([]);
    const pulled = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(pulled.stdout).toBe('');

    // What was applied counts as seen.
    await fixture.change(returnsPath, { description: 'What came back' });
    const next = await fixture.expectExit(2, 'plan', '--format', 'json');
    expect(planOutputSchema.parse(JSON.parse(next.stdout)).changes).toMatchObject([
      { item: 'table/Retail/Returns', changedOnServer: false },
    ]);
    const finished = await fixture.expectExit(4, 'resume', result?.journal ?? '', '--execute');
    expect(finished.stderr).toContain('The change is already finished or rolled back.');
  });

  test('is not written to with a plan file that is none, or of another instance', async () => {
    await describeReturns();
    const path = join(fixture.project, 'plan.json');
    await fixture.addEnvironment('other');
    await fixture.expectExit(2, 'plan', ...limits, '--out', path);
    const text = await fixture.read('plan.json');
    const refuse = async (content: string, message: string, ...args: readonly string[]): Promise<void> => {
      await writeFile(path, content);
      const { stdout, stderr } = await fixture.expectExit(4, 'apply', path, '--execute', ...args);
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringContaining(message) });
    };
    const noPlan = 'FILE is not a plan.';
    await refuse('', noPlan);
    await refuse('{}', noPlan);
    await refuse(text.slice(0, text.length / 2), noPlan);
    await refuse(text.replace('"command": "plan"', '"command": "apply"'), noPlan);
    await refuse(text.replace('"version": 1', '"version": 2'), 'newer version');
    await refuse(text, 'Remove --prune', '--prune', 'tables');
    await refuse(text, 'for the environment default', '--environment', 'other');
    await refuse(text.replace(fixture.proxy.url, 'https://example.com'), 'at https://example.com');
    await refuse(text.replace('"instance": {', '"instance": { "tenant": "t1",'), 'this is another one');
    expect(takeWrites()).toEqual([]);
    const { stderr } = await fixture.expectExit(4, 'apply', `${path}.missing`, '--execute');
    expect(stderr).toBe("Can't read FILE (ENOENT).\n");
  });

  test('is not written to with a plan file that is out of date; an applied one has nothing left to do', async () => {
    await fixture.useNewInstance();
    await describeReturns();
    const path = join(fixture.project, 'plan.json');
    const outdated = 'The plan is out of date: the project or the instance has changed since.';
    const createPlan = () => fixture.expectExit(2, 'plan', ...limits, '--out', path);
    const applyFile = (code: number) => fixture.expectExit(code, 'apply', path, '--execute');

    await createPlan();
    await fixture.change(ordersPath, { hidden: true });
    expect((await applyFile(4)).stderr).toContain(outdated);

    await createPlan();
    await fixture.describeTable('Returns', 'Changed there');
    expect((await applyFile(4)).stderr).toContain(outdated);
    expect(takeWrites()).toEqual([]);

    // What the instance has changed is overwritten only with a plan that shows it.
    const refused = await fixture.expectExit(4, 'apply', ...limits, '--execute');
    expect(refused.stderr).toContain(
      'The instance has changed 1 item since the last pull, such as table/Retail/Returns. Nothing was written.',
    );
    expect(takeWrites()).toEqual([]);
    const { stdout } = await createPlan();
    expect(stdout).toContain(
      '~ table/Retail/Returns (changed on the server)\n    description: "Changed there" → "What came back"\n',
    );
    // What the limits of the plan leave out may change.
    await fixture.write('viewpoints/New.viewpoint.json', { name: 'New', description: 'New' });
    await applyFile(0);
    expect(takeWrites().length).toBe(2);
    expect((await applyFile(0)).stderr).toBe(nothingToDo);
    expect(takeWrites()).toEqual([]);
    expect((await fixture.expectExit(2, 'plan')).stdout).toBe('+ viewpoint/New\n');
  });
});
