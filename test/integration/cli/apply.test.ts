import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applyOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { planOutputSchema } from '../../../src/cli/planOutputSchema.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { largeEditPrune, makeLargeEdit } from '../../support/largeEdit.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { readFolderTexts } from '../../support/readFolderTexts.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const returnsPath = 'datamodels/Retail/tables/Returns.table.json';
const lockPath = 'environments/default.lock.json';
const nothingToDo =
  'Environment: default (development)\nNothing to change: the instance matches the project.\n';
const nothingToDoInRetail =
  'Environment: default (development)\nNothing to change: the instance matches the project in Retail.\n';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const takeWrites = () => fixture.proxy.takeRequests().filter(isWrite);
  const editReturns = () => fixture.changeJson(returnsPath, { description: 'What came back' });
  const limits = ['--datamodel', 'Retail'] as const;

  test('is changed to match the project only with --execute; applying again changes nothing', async () => {
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

    // Applied changes aren't reported as changed on the server later.
    await fixture.changeJson(returnsPath, { description: 'What came back' });
    const next = await fixture.expectExit(2, 'plan', '--format', 'json');
    expect(planOutputSchema.parse(JSON.parse(next.stdout)).changes).toMatchObject([
      { item: 'table/Retail/Returns', changedOnServer: false },
    ]);
    const finished = await fixture.expectExit(4, 'resume', result?.journal ?? '', '--execute');
    expect(finished.stderr).toContain('The change is already finished or rolled back.');
  });

  describe('that matches the project', () => {
    test('gets no writes; the lock file is updated only with --execute', async () => {
      const formerLock = await fixture.read(lockPath);
      await editReturns();
      const path = join(fixture.project, 'plan.json');
      await fixture.expectExit(2, 'plan', '--out', path);
      await fixture.expectExit(0, 'apply', path, '--execute');
      const appliedLock = await fixture.read(lockPath);
      expect(appliedLock).not.toBe(formerLock);
      await fixture.write(lockPath, formerLock);
      takeWrites();
      for (const args of [['plan'], ['apply'], ['apply', path]]) {
        await fixture.expectExit(0, ...args);
        expect(await fixture.read(lockPath)).toBe(formerLock);
      }
      const repeated = await fixture.expectExit(0, 'apply', path, '--execute');
      expect(repeated.stdout + repeated.stderr).toBe(nothingToDo);
      expect(await fixture.read(lockPath)).toBe(appliedLock);
      expect(takeWrites()).toEqual([]);
    });

    test('leaves a lock file as it is that a pull has changed in the meantime', async () => {
      const formerLock = await fixture.read(lockPath);
      await editReturns();
      await fixture.expectExit(0, 'apply', '--execute');
      const pulledLock = await fixture.read(lockPath);
      await fixture.write(lockPath, formerLock);
      fixture.proxy.intercept(async (): Promise<'forward'> => {
        await fixture.write(lockPath, pulledLock);
        return 'forward';
      });
      const { stderr } = await fixture.expectExit(1, 'apply', '--execute');
      expect(stderr).toContain(`${lockPath} has changed in the meantime, so it wasn't written.`);
      expect(await fixture.read(lockPath)).toBe(pulledLock);
    });

    test('is refused while a change may still be rolled back, and leaves the lock file as it is', async () => {
      await editReturns();
      const held = Promise.withResolvers<void>();
      fixture.proxy.intercept((request) => (isWrite(request) ? 'hold-response' : 'forward'), held.resolve);
      const run = fixture.start('apply', '--execute');
      const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
      await held.promise;
      run.kill('SIGKILL');
      await run.ended;
      fixture.proxy.intercept();
      const formerLock = await fixture.read(lockPath);
      const [environmentLine = '', result = ''] = nothingToDo.split(/(?<=\n)/);
      expect((await fixture.expectExit(0, 'apply')).stdout).toBe(
        `${environmentLine}An earlier change was interrupted. Finish it or roll it back first. Until then, an apply is refused.\n${result}`,
      );
      const repeated = await fixture.expectExit(4, 'apply', '--execute');
      expect(repeated.stderr).toContain(`roll-back ${journal} --execute`);
      expect(await fixture.read(lockPath)).toBe(formerLock);
      await fixture.expectExit(0, 'roll-back', journal, '--execute', '--project', fixture.project);
      await fixture.expectExit(0, 'apply', '--execute');
    });
  });

  test('is not changed by a file that is not a plan, or by a plan for another instance', async () => {
    await editReturns();
    const path = join(fixture.project, 'plan.json');
    await fixture.addEnvironment('other');
    await fixture.expectExit(2, 'plan', ...limits, '--out', path);
    const text = await fixture.read('plan.json');
    const expectRefusal = async (
      content: string,
      message: string,
      ...args: readonly string[]
    ): Promise<void> => {
      await writeFile(path, content);
      const { stdout, stderr } = await fixture.expectExit(4, 'apply', path, '--execute', ...args);
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: expect.stringContaining(message) });
    };
    const notAPlanMessage = "The file isn't a plan.";
    await expectRefusal('', notAPlanMessage);
    await expectRefusal('{}', notAPlanMessage);
    await expectRefusal(text.slice(0, text.length / 2), notAPlanMessage);
    await expectRefusal(text.replace('"command": "plan"', '"command": "apply"'), notAPlanMessage);
    for (const otherVersion of [
      text.replace('"version": 1', '"version": 2'),
      text.replace(/"planFileVersion": \d+/, '"planFileVersion": 1'),
      // The plans of earlier builds have no version of their own, and other fields.
      text.replace(/"planFileVersion": \d+,/, '').replace('"ignoreErrors": [],', ''),
    ]) {
      expect(otherVersion).not.toBe(text);
      await expectRefusal(
        otherVersion,
        'written by another version of Datamodel Studio. Create the plan again',
      );
    }
    await expectRefusal(text, 'Remove --prune', '--prune', 'tables');
    await expectRefusal(text, 'for the environment default', '--environment', 'other');
    await expectRefusal(text.replace(fixture.proxy.url, 'https://example.com'), 'at https://example.com');
    await expectRefusal(
      text.replace('"instance": {', '"instance": { "tenant": "t1",'),
      'not for this environment',
    );
    expect(takeWrites()).toEqual([]);
    const { stderr } = await fixture.expectExit(4, 'apply', `${path}.missing`, '--execute');
    expect(stderr).toBe("Can't read the plan file. The file or its folder doesn't exist (ENOENT).\n");
  });

  test('is not changed by an outdated plan file; a plan file that was applied has nothing left to do', async () => {
    await editReturns();
    const path = join(fixture.project, 'plan.json');
    const outdated = 'The plan is out of date: the project or the instance has changed since.';
    const createPlan = () => fixture.expectExit(2, 'plan', ...limits, '--out', path);
    const applyFile = (code: number) => fixture.expectExit(code, 'apply', path, '--execute');

    await createPlan();
    await fixture.changeJson(ordersPath, { hidden: true });
    expect((await applyFile(4)).stderr).toContain(outdated);

    await createPlan();
    await fixture.setTableDescription('Returns', 'Changed there');
    expect((await applyFile(4)).stderr).toContain(outdated);
    expect(takeWrites()).toEqual([]);

    // Changes on the instance since the last pull are overwritten only by a plan file that shows them.
    const refused = await fixture.expectExit(4, 'apply', ...limits, '--execute');
    expect(refused.stderr).toContain(
      '1 item has changed on the server since the last pull: table/Retail/Returns. Nothing was written.',
    );
    expect(takeWrites()).toEqual([]);
    const { stdout } = await createPlan();
    expect(stdout).toContain(
      '~ table/Retail/Returns (changed on the server)\n    description: "Changed there" → "What came back"\n',
    );
    // Changes outside of the limits of the plan (its --datamodel) don't make it outdated.
    await fixture.write('viewpoints/New.viewpoint.json', { name: 'New', description: 'New' });
    expect((await applyFile(0)).stderr).toContain('Done. The instance matches the project in Retail.\n');
    expect(takeWrites().length).toBe(2);
    expect((await applyFile(0)).stdout).toBe(nothingToDoInRetail);
    expect(takeWrites()).toEqual([]);
    expect((await fixture.expectExit(2, 'plan')).stdout).toMatch(/\n\+ viewpoint\/New\n/);
  });

  test('that was never pulled is changed only by a plan file that shows what it overwrites', async () => {
    await fixture.remove(lockPath);
    // An item that is the same on both sides needs no pull: it counts as last seen.
    const same = await fixture.expectExit(0, 'apply', ...limits, '--execute');
    expect(same.stdout).toBe(nothingToDoInRetail);
    await editReturns();
    expect((await fixture.expectExit(2, 'plan')).stdout).toContain('~ table/Retail/Returns\n');
    await fixture.remove(lockPath);
    await fixture.changeJson(ordersPath, { hidden: true });
    await fixture.remove('datamodels/Retail/rules');
    const path = join(fixture.project, 'plan.json');
    const line = '~ table/Retail/Returns (never pulled)\n';
    expect((await fixture.expectExit(0, 'apply', ...limits)).stdout).toContain(line);
    const refused = await fixture.expectExit(4, 'apply', ...limits, '--execute');
    expect(refused.stderr).toContain(
      '2 items on the server were never pulled and would be overwritten or deleted: table/Retail/Orders, table/Retail/Returns. Nothing was written. Pull first, or overwrite with a plan that shows these changes.\n',
    );
    const pruned = await fixture.expectExit(4, 'apply', ...limits, '--prune', 'rules', '--execute');
    expect(pruned.stderr).toMatch(
      /^[3-9]\d* items on the server were never pulled[^:]*: (\S+ ?\S*, ){5}and \d+ more\. Nothing/m,
    );
    expect(takeWrites()).toEqual([]);
    const drift = await fixture.expectExit(2, 'drift', ...limits);
    expect(drift.stdout).toContain('table/Retail/Returns: differs, never pulled\n');
    const markdown = await fixture.expectExit(2, 'plan', ...limits, '--format', 'markdown', '--out', path);
    expect(markdown.stdout).toContain('Never pulled, and will be overwritten or deleted (2)');
    const github = await fixture.expectExit(2, 'plan', ...limits, '--format', 'github');
    expect(github.stdout).toContain(
      `::warning file=${returnsPath},title=Never pulled%2C and will be overwritten or deleted::table/Retail/Returns\n`,
    );
    const { stdout } = await fixture.expectExit(2, 'plan', ...limits, '--format', 'json');
    expect(planOutputSchema.parse(JSON.parse(stdout)).changes).toMatchObject([
      { item: 'table/Retail/Orders', changedOnServer: true, neverPulled: true },
      { item: 'table/Retail/Returns', changedOnServer: true, neverPulled: true },
    ]);
    await fixture.expectExit(0, 'apply', path, '--execute');
    expect(takeWrites().length).toBe(2);
    // Applied items count as last seen.
    await fixture.changeJson(returnsPath, { description: 'What came back again' });
    await fixture.expectExit(0, 'apply', ...limits, '--execute');
  });

  test('is changed only if the role of its environment allows it, and is confirmed for production', async () => {
    await editReturns();
    await fixture.addEnvironment('readonly', { role: 'read-only' });
    const run = (code: number, name: string, ...args: readonly string[]) =>
      fixture.expectExit(code, 'apply', '--environment', name, ...limits, ...args);
    expect((await run(4, 'readonly', '--execute')).stderr).toBe('The environment readonly is read-only.\n');
    // The message doesn't suggest a command that would be refused.
    const shown = await run(0, 'readonly');
    expect(shown.stderr).toContain('Nothing was written. The environment readonly is read-only.\n');
    expect(shown.stderr).not.toContain('--execute');
    await fixture.remove('environments/readonly.json');
    await fixture.remove('environments/readonly.lock.json');
    await fixture.addEnvironment('prod', { role: 'production' });
    const unconfirmed = 'is a production instance. To write to it, add --confirm prod.';
    expect((await run(4, 'prod', '--execute')).stderr).toContain(unconfirmed);
    expect((await run(4, 'prod', '--execute', '--confirm', 'readonly')).stderr).toContain(unconfirmed);
    expect((await run(0, 'prod')).stdout).toContain('~ table/Retail/Returns\n');
    expect(takeWrites()).toEqual([]);
    await run(0, 'prod', '--execute', '--confirm', 'prod');
    expect(takeWrites().map(({ method }) => method)).toEqual(['PATCH']);
  });

  test('is refused with --url if the environment of that address is read-only or production', async () => {
    await editReturns();
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
    // These commands plan no changes of the instance, so they are allowed.
    await fixture.expectExit(2, 'drift');
    await fixture.expectExit(0, 'pull', '--project', fixture.project);
    await fixture.addEnvironment('prod', { role: 'staging' });
    await fixture.expectExit(2, 'plan');
    // Only viewpoints depend on the tenant, so the role for another tenant protects everything else.
    await fixture.addEnvironment('tenant', { role: 'production', tenant: 't1' });
    await fixture.expectExit(4, 'plan');
  });

  test('gets a name that was changed in the project, and loses a name that was changed only on the instance', async () => {
    // A rename in the project.
    await fixture.changeJson(returnsPath, { name: 'Sent Back', renamedFrom: 'Returns' });
    const relationPath =
      'datamodels/Retail/relations/Order Items.Order Item Id - Returns.Order Item Id.relation.json';
    const paths = [...(await fixture.readInstance())].flatMap(([path, text]) =>
      path === relationPath || (path.startsWith('viewpoints/') && text.includes('"Returns"')) ? [path] : [],
    );
    for (const path of paths) {
      const text = await fixture.read(path);
      await fixture.write(
        path,
        text.replaceAll('"Returns"', '"Sent Back"').replaceAll('[Returns.', '[Sent Back.'),
      );
    }
    const viewpointCount = paths.length - 1;
    expect(viewpointCount).toBeGreaterThan(0);
    // A rename on the instance.
    const renameViewpoint = (name: string, newName: string) =>
      fixture.runAsOtherUser(async ({ viewpoints }) => {
        const [found] = (await viewpoints.list({ search: { name } })).value.viewpoints;
        await viewpoints.update({ viewpointId: found?.id ?? '' }, { name: newName });
      });
    await renameViewpoint('Profit by Week', 'Weekly Profit');
    const shown = await fixture.expectExit(2, 'plan');
    const changes = shown.stdout.split('\n').filter((line) => /^[+~-]/.test(line));
    expect(changes).toContain('~ table/Retail/Sent Back (renamed from table/Retail/Returns)');
    expect(changes).toContain(
      '~ viewpoint/Profit by Week (renamed from viewpoint/Weekly Profit) (changed on the server)',
    );
    expect(changes).toHaveLength(2 + viewpointCount);
    const path = join(fixture.project, 'plan.json');
    await fixture.expectExit(2, 'plan', '--out', path);
    takeWrites();
    await fixture.expectExit(0, 'apply', path, '--execute');
    expect(takeWrites().map(({ method }) => method)).toEqual([
      'PATCH',
      ...Array.from({ length: 1 + viewpointCount }, () => 'PUT'),
    ]);
    expect((await fixture.expectExit(0, 'plan')).stdout).toBe(nothingToDo);
    const files = await fixture.readInstance();
    expect([...files.keys()]).toContain('datamodels/Retail/tables/Sent Back.table.json');
    expect([...files.keys()]).not.toContain(returnsPath);
    expect(files.get('viewpoints/Profit by Week.viewpoint.json')).toBe(
      await fixture.read('viewpoints/Profit by Week.viewpoint.json'),
    );
  });

  test('gets the secret of a mapped connection, which is never printed or stored', async () => {
    const path = 'datamodels/Retail/datasets/Warehouse.dataset.json';
    await fixture.write(path, {
      name: 'Warehouse',
      type: 'extract',
      database: 'shop',
      schemaName: 'public',
      connection: { provider: 'PostgreSQL', parameters: { Server: 'elsewhere.example.com' } },
    });
    const unmapped = await fixture.expectExit(4, 'apply', ...limits, '--execute');
    expect(unmapped.stdout).toContain(
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
    const mapPasswordTo = (variable: string, parameters: object = {}) =>
      fixture.addEnvironment('test', {
        connections: {
          Retail: {
            Warehouse: {
              ...connection,
              parameters: { ...connection.parameters, Password: { $env: variable }, ...parameters },
            },
          },
        },
      });
    await mapPasswordTo('NOT_SET');
    const args = ['--environment', 'test', ...limits];
    // Only an apply needs the secret.
    const drifted = await fixture.expectExit(2, 'drift', ...args);
    expect(drifted.stdout).toContain('dataset/Retail/Warehouse');
    expect(drifted.stderr).not.toContain('NOT_SET');
    const planPath = join(fixture.project, 'plan.json');
    const shownPlan = await fixture.expectExit(2, 'plan', ...args, '--out', planPath);
    const needed =
      'To apply, set the environment variable NOT_SET: a connection of a new dataset contains it.\n';
    expect(shownPlan.stdout).toContain(needed);
    expect((await fixture.expectExit(0, 'apply', ...args)).stdout).toContain(needed);
    for (const planned of [[planPath], limits]) {
      const missing = await fixture.expectExit(4, 'apply', ...planned, '--environment', 'test', '--execute');
      expect(missing.stderr).toBe("The environment variable NOT_SET isn't set.\n");
    }
    await mapPasswordTo('SOURCE_PASSWORD');
    const outdated = await fixture.expectExit(4, 'apply', planPath, '--environment', 'test', '--execute');
    expect(outdated.stderr).toContain('out of date');
    // The plan is made without the secret, and applied with it.
    const folders = ['--project', fixture.project, '--state', fixture.stateFolder];
    const json = await runCli(
      ['plan', ...args, ...folders, '--token-env', 'STUDIO_TOKEN', '--format', 'json', '--out', planPath],
      { env: { STUDIO_TOKEN: fixture.proxy.token } },
    );
    expect(json.code, json.stderr).toBe(2);
    expect(planOutputSchema.parse(JSON.parse(json.stdout)).neededVariables).toEqual(['SOURCE_PASSWORD']);
    expect(takeWrites()).toEqual([]);

    // The process is killed before the write with the secret. The journal doesn't contain it.
    const killBeforeWrite = async (): Promise<string> => {
      const held = Promise.withResolvers<void>();
      fixture.proxy.intercept((request) => (isWrite(request) ? 'hold' : 'forward'), held.resolve);
      const run = fixture.start('apply', planPath, '--environment', 'test', '--execute');
      await held.promise;
      run.kill('SIGKILL');
      const [, id = ''] = /Journal: (\S+)/.exec((await run.ended).stderr) ?? [];
      fixture.proxy.intercept();
      fixture.proxy.takeRequests();
      return id;
    };
    const journal = await killBeforeWrite();
    // Without the environment variable, resume sends no request.
    await mapPasswordTo('NOT_SET');
    const neededToFinish =
      'Finishing the change requires the environment variable NOT_SET, because journals contain no secrets. Not set: NOT_SET.';
    expect((await fixture.expectExit(0, 'resume', journal)).stderr).toContain(`${neededToFinish}\n`);
    fixture.proxy.takeRequests();
    const unset = await fixture.expectExit(4, 'resume', journal, '--execute');
    expect(unset.stderr).toContain(
      `${neededToFinish} Nothing was written.\nFinish:    datamodel-studio resume ${journal} --execute --url `,
    );
    expect(unset.stderr).toContain('\nRoll back: datamodel-studio roll-back ');
    expect(fixture.proxy.takeRequests()).toEqual([]);
    // A connection that has changed since isn't used: its secret may be that of another server.
    await mapPasswordTo('SOURCE_PASSWORD', { Server: 'other.example.com' });
    const resumed = await fixture.expectExit(4, 'resume', journal, '--execute');
    expect(fixture.proxy.takeRequests()).toEqual([]);
    expect(resumed.stderr).toContain(
      `The change can't be finished: finishing it requires connection.parameters.Password, but journals contain no secrets. Roll it back, and then run its command again.\nRoll back: datamodel-studio roll-back ${journal} --execute --url ${fixture.proxy.url} `,
    );
    expect(resumed.stderr).toContain(
      `\nIf that isn't possible, keep what is on the instance: datamodel-studio abandon ${journal} `,
    );
    await fixture.expectExit(0, 'roll-back', journal, '--execute');
    takeWrites();

    await mapPasswordTo('SOURCE_PASSWORD');
    const secondJournal = await killBeforeWrite();
    const inProject = ['--project', fixture.project, '--environment', 'test'];
    const shown = await fixture.expectExit(0, 'resume', secondJournal, ...inProject);
    expect(shown.stderr).toContain('requires the environment variable SOURCE_PASSWORD, because');
    expect(shown.stderr).not.toContain('Not set');
    await fixture.expectExit(0, 'resume', secondJournal, ...inProject, '--execute');
    expect(takeWrites().map(({ body }) => body.includes(fixture.secret))).toEqual([true]);
    // The connection in the file differs from that of the instance on purpose, so the pull keeps the file: that's no
    // change of the project.
    const project = ['--project', fixture.project, '--environment', 'test', ...limits];
    const pulled = await fixture.expectExit(0, 'pull', ...project);
    expect(pulled.stderr).toMatch(/^Files: 0 created, 0 changed, 0 deleted, \d+ unchanged\.$/m);
    expect(pulled.stderr).not.toContain('Kept');
    const files = [...(await readFolderTexts(fixture.project)).values(), await fixture.readJournals()].join(
      '\n',
    );
    expect(files).not.toContain(fixture.secret);
    expect(files).not.toContain(fixture.proxy.token);
    expect(files).not.toContain(fixture.sandbox.adminToken);
    expect(files).toContain('SOURCE_PASSWORD');
  });
});
