import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyOutputSchema, planOutputSchema } from '../../../src/cli/outputs.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { largeEditPrune, makeLargeEdit } from '../../support/largeEdit.ts';
import { ProjectFixture, readFiles } from '../../support/projectFixture.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const returnsPath = 'datamodels/Retail/tables/Returns.table.json';
const nothingToDo = 'Nothing to change: the instance is in the state of the project.\n';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);
  const describeReturns = () => fixture.change(returnsPath, { description: 'What came back' });
  const limits = ['--datamodel', 'Retail'] as const;

  test('is brought to the state of the project with --execute only, and once', async () => {
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

  test('is written to as its role allows', async () => {
    await describeReturns();
    await fixture.addEnvironment('prod', { role: 'production' });
    await fixture.addEnvironment('readonly', { role: 'read-only' });
    const run = (code: number, name: string, ...args: readonly string[]) =>
      fixture.expectExit(code, 'apply', '--environment', name, ...limits, ...args);
    expect((await run(4, 'readonly', '--execute')).stderr).toBe('The environment readonly is read-only.\n');
    const unconfirmed = 'is a production instance. To write to it, add --confirm prod.';
    expect((await run(4, 'prod', '--execute')).stderr).toContain(unconfirmed);
    expect((await run(4, 'prod', '--execute', '--confirm', 'readonly')).stderr).toContain(unconfirmed);
    expect((await run(0, 'prod')).stdout).toContain('~ table/Retail/Returns\n');
    expect(takeWrites()).toEqual([]);
    await run(0, 'prod', '--execute', '--confirm', 'prod');
    expect(takeWrites().map(({ method }) => method)).toEqual(['PATCH']);
  });

  test('is not written to by its address if an environment protects it', async () => {
    await describeReturns();
    await fixture.addEnvironment('prod', { role: 'production' });
    const refusal =
      '--url is the address of the environment prod, whose role is production. Use --environment prod instead.\n';
    for (const command of [
      ['plan'],
      ['apply'],
      ['apply', '--execute'],
      ['apply', '--execute', '--confirm', 'prod'],
    ]) {
      expect(await fixture.expectExit(4, ...command)).toMatchObject({ stdout: '', stderr: refusal });
    }
    await fixture.addEnvironment('prod', { role: 'read-only' });
    expect((await fixture.expectExit(4, 'apply', '--execute')).stderr).toContain('whose role is read-only');
    expect(takeWrites()).toEqual([]);
    // These write nothing to the instance.
    await fixture.expectExit(2, 'drift');
    await fixture.expectExit(0, 'pull', '--project', fixture.project);
    await fixture.addEnvironment('prod', { role: 'staging' });
    await fixture.addEnvironment('tenant', { role: 'production', tenant: 't1' });
    await fixture.expectExit(2, 'plan');
  });

  test('is renamed where a file says so, and keeps what others have renamed there', async () => {
    // A rename in the project.
    await fixture.change(returnsPath, { name: 'Sent Back', renamedFrom: 'Returns' });
    const relationPath =
      'datamodels/Retail/relations/Order Items.Order Item Id - Returns.Order Item Id.relation.json';
    await fixture.write(relationPath, (await fixture.read(relationPath)).replace('"Returns"', '"Sent Back"'));
    // A rename on the instance.
    const rename = (name: string, to: string) =>
      fixture.asOtherUser(async ({ viewpoints }) => {
        const [found] = (await viewpoints.list({ search: { name } })).value.viewpoints;
        await viewpoints.update({ viewpointId: found?.id ?? '' }, { name: to });
      });
    await rename('Profit by Week', 'Weekly Profit');
    const shown = await fixture.expectExit(2, 'plan');
    expect(shown.stdout).toBe(
      [
        '~ table/Retail/Sent Back (renamed from table/Retail/Returns)',
        '~ viewpoint/Profit by Week (renamed from viewpoint/Weekly Profit) (changed on the server)',
        '',
      ].join('\n'),
    );
    const path = join(fixture.project, 'plan.json');
    await fixture.expectExit(2, 'plan', '--out', path);
    takeWrites();
    await fixture.expectExit(0, 'apply', path, '--execute');
    expect(takeWrites().map(({ method }) => method)).toEqual(['PATCH', 'PUT']);
    expect((await fixture.expectExit(0, 'plan')).stderr).toBe(nothingToDo);
    const files = await fixture.readInstance();
    expect([...files.keys()]).toContain('datamodels/Retail/tables/Sent Back.table.json');
    expect([...files.keys()]).not.toContain(returnsPath);
    expect(files.get('viewpoints/Profit by Week.viewpoint.json')).toBe(
      await fixture.read('viewpoints/Profit by Week.viewpoint.json'),
    );
  });

  test('never shows a secret of a mapped connection', async () => {
    const path = 'datamodels/Retail/datasets/Warehouse.dataset.json';
    await fixture.write(path, {
      name: 'Warehouse',
      type: 'extract',
      database: 'shop',
      schemaName: 'public',
      connection: { provider: 'PostgreSQL', parameters: { Server: 'elsewhere.example.com' } },
    });
    const unmapped = await fixture.expectExit(4, 'apply', ...limits, '--execute');
    expect(unmapped.stderr).toContain(
      'The new dataset Warehouse needs a connection: "connections": {"Retail": {',
    );
    const connection = {
      provider: 'PostgreSQL',
      name: 'Warehouse',
      description: '',
      schema: 'public',
      timeout: 60_000,
      refreshRate: 30_000,
      resultLimit: 5000,
      parameters: { Server: 'db.example.com', UserName: 'reader', Password: { $env: 'NOT_SET' } },
    };
    const map = (variable: string) =>
      fixture.addEnvironment('test', {
        connections: {
          Retail: {
            Warehouse: {
              ...connection,
              parameters: { ...connection.parameters, Password: { $env: variable } },
            },
          },
        },
      });
    await map('NOT_SET');
    const args = ['--environment', 'test', ...limits];
    const missing = await fixture.expectExit(4, 'plan', ...args);
    expect(missing.stderr).toBe('The environment variable NOT_SET is not set.\n');
    await map('SOURCE_PASSWORD');
    const planPath = join(fixture.project, 'plan.json');
    await fixture.expectExit(2, 'plan', ...args, '--out', planPath);
    await fixture.expectExit(2, 'plan', ...args, '--format', 'json');
    expect(takeWrites()).toEqual([]);

    // Killed before the write with the secret: what was not stored can't be sent later.
    const held = Promise.withResolvers<void>();
    fixture.proxy.intercept((request) => (isWrite(request) ? 'hold' : 'forward'), held.resolve);
    const run = fixture.start('apply', planPath, '--environment', 'test', '--execute');
    await held.promise;
    run.kill('SIGKILL');
    const [, journal = ''] = /Journal: (\S+)/.exec((await run.ended).stderr) ?? [];
    fixture.proxy.intercept();
    const resumed = await fixture.expectExit(4, 'resume', journal, '--execute');
    expect(resumed.stderr).toBe(
      `The change can't be finished: journals contain no secrets, and it needs connection.parameters.Password. Roll it back, then run its command again: datamodel-studio roll-back ${journal} --execute\n`,
    );
    await fixture.expectExit(0, 'roll-back', journal, '--execute');
    takeWrites();

    await fixture.expectExit(0, 'apply', planPath, '--environment', 'test', '--execute', '--format', 'json');
    expect(takeWrites().map(({ body }) => body.includes(fixture.secret))).toEqual([true]);
    const files = [...(await readFiles(fixture.project)).values(), await fixture.readJournals()].join('\n');
    expect(files).not.toContain(fixture.secret);
    expect(files).not.toContain(fixture.proxy.token);
    expect(files).not.toContain(fixture.sandbox.adminToken);
    expect(files).toContain('SOURCE_PASSWORD');
  });
});
