import { describe, expect, test } from 'vitest';
import { driftOutputSchema } from '../../../src/cli/outputSchemas.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { asObject, getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';
import { readFolderTexts } from '../../support/readFolderTexts.ts';
import { startTemporarySandbox } from '../../support/temporarySandbox.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const fixture = new ProjectFixture({ profile });
  const runDrift = (code: number, ...args: readonly string[]) => fixture.expectExit(code, 'drift', ...args);

  test('that matches the project is reported as the same, and nothing is written to it or to the project', async () => {
    const before = await readFolderTexts(fixture.project);
    expect(await runDrift(0)).toMatchObject({
      stdout: 'No differences between the instance and the project.\n',
      stderr: '',
    });
    const requests = fixture.proxy.takeRequests();
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter(isWrite)).toEqual([]);
    expect(await readFolderTexts(fixture.project)).toEqual(before);
    const junit = await runDrift(0, '--format', 'junit');
    expect(junit.stdout).toContain('tests="1" failures="0" errors="0"');
    expect((await runDrift(0, '--format', 'markdown')).stdout).toBe(
      '### Drift of `default`\n\nNo differences between the instance and the project.\n',
    );
  });

  test('that has drifted is reported with each difference, its path, and the values on both sides', async () => {
    await fixture.setTableDescription('Orders', 'Changed there');
    await fixture.publishInFile('viewpoints/Profit by Week.viewpoint.json');
    await fixture.remove('viewpoints/Profit by Month.viewpoint.json');
    await fixture.write('viewpoints/New.viewpoint.json', { name: 'New <b>', description: '' });
    const text = await runDrift(2);
    expect(text.stdout.split('\n')).toEqual([
      'table/Retail/Orders: differs, changed on the server since the last pull',
      expect.stringMatching(
        /^ {4}description: "Changed there" on the instance, "One row .+" in the project$/,
      ),
      'viewpoint/New <b>: only in the project',
      'viewpoint/Profit by Week: differs',
      '    enabled: false on the instance, true in the project',
      '    visibility/enabled: false on the instance, true in the project',
      'viewpoint/Profit by Month: only on the instance',
      '4 items differ.',
      '',
    ]);
    expect(text.stderr).toBe('');
    const view = driftOutputSchema.parse(JSON.parse((await runDrift(2, '--format', 'json')).stdout));
    expect(view).toMatchObject({ state: 'differs', counts: { differs: 4 }, unknown: [] });
    expect(view.items[0]).toMatchObject({
      item: 'table/Retail/Orders',
      path: ordersPath,
      state: 'changed',
      changedOnServer: true,
      parts: [{ pointer: '/description', instance: 'Changed there' }],
    });
    const junit = (await runDrift(2, '--format', 'junit')).stdout;
    expect(junit).toContain('tests="5" failures="4"');
    expect(junit).toContain('name="viewpoint/New &lt;b&gt;"');
    const { stdout: markdown, stderr } = await runDrift(2, '--format', 'markdown');
    expect(stderr).toBe('4 items differ.\n');
    expect(markdown).toContain('#### Differences (4)\n\n');
    expect(markdown).toContain('- `viewpoint/New <b>: only in the project`\n');
    const inMarketing = 'No differences between the instance and the project in Marketing.\n';
    const limits = ['--datamodel', 'Marketing'];
    expect((await runDrift(0, ...limits)).stdout).toBe(inMarketing);
    const limited = await runDrift(0, ...limits, '--format', 'markdown');
    expect(limited.stdout).toBe(`### Drift of \`default\`\n\n${inMarketing}`);
    expect((await runDrift(0, ...limits, '--format', 'junit')).stdout).toMatch(
      /name="\d+ items without differences in Marketing"/,
    );
    const json = driftOutputSchema.parse(
      JSON.parse((await runDrift(0, ...limits, '--format', 'json')).stdout),
    );
    expect(json.limits).toEqual({ datamodel: 'Marketing' });
    expect((await runDrift(2, '--datamodel', 'Ret*')).stdout).toMatch(
      /\n1 item differs in the datamodels "Ret\*"\.\n$/,
    );
    expect(fixture.proxy.takeRequests().filter(isWrite)).toEqual([]);
  });

  test('that cannot be read is reported as unknown, not as if its items were deleted', async () => {
    await fixture.sandbox.setFaults([{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }]);
    const exit = await runDrift(3);
    expect([...exit.stdout.matchAll(/^Can't read the rules of ([^:]+): /gm)].map(([, name]) => name)).toEqual(
      ['Marketing', 'Retail'],
    );
    const view = driftOutputSchema.parse(JSON.parse((await runDrift(3, '--format', 'json')).stdout));
    expect(view).toMatchObject({ state: 'unknown', items: [] });
    expect((await runDrift(3, '--format', 'junit')).stdout).toContain('<error type="unknown"');
    expect((await runDrift(3, '--format', 'markdown')).stdout).toContain("#### Can't be read (");
    await fixture.sandbox.setFaults([{ kind: 'drop' }]);
    await runDrift(3);
    const empty = await fixture.createFolder('empty');
    expect((await runDrift(4, '--project', empty)).stderr).toContain("The folder isn't a project");
  });

  test('that another user has added a property to is reported until a pull adds the property to the files', async () => {
    const text = 'added by someone';
    await fixture.runAsOtherUser(async (client) => {
      const { table, keys } = await findRetailTable(client, 'Stores');
      await client.tables.update(keys, {
        description: text,
        columns: getObjects(asObject(table)['columns']).map((column) =>
          column['name'] === 'Store Id' ? { ...column, description: text } : column,
        ),
      });
    });
    const reason = "Can't be applied: The file doesn't have this property. A pull adds it.";
    const lines = [
      'table/Retail/Stores: differs, changed on the server since the last pull',
      `    description: "${text}" on the instance, none in the project. ${reason}`,
      `    columns/Store Id/description: "${text}" on the instance, none in the project. ${reason}`,
    ];
    expect((await runDrift(2)).stdout.split('\n')).toEqual([...lines, '1 item differs.', '']);
    for (const format of ['junit', 'markdown']) {
      const { stdout } = await runDrift(2, '--format', format);
      expect(stdout).toContain('differs, changed on the server since the last pull');
      expect(stdout).toContain('columns/Store Id/description');
    }
    const view = driftOutputSchema.parse(JSON.parse((await runDrift(2, '--format', 'json')).stdout));
    expect(view.items).toMatchObject([
      {
        item: 'table/Retail/Stores',
        state: 'changed',
        changedOnServer: true,
        parts: [
          { pointer: '/description', instance: text },
          { pointer: '/columns/Store Id/description', instance: text },
        ],
      },
    ]);
    expect((await fixture.expectExit(0, 'plan')).stdout).toContain(
      'Nothing to change. 1 item will still differ.',
    );
    const pull = await fixture.expectExit(0, 'pull', '--project', fixture.project);
    expect(pull.stdout).toContain('changed datamodels/Retail/tables/Stores.table.json');
    await runDrift(0);
    // A property that a pull has seen, but no file has, is not reported as a difference.
    const path = 'datamodels/Retail/tables/Stores.table.json';
    const { description, ...table } = await fixture.readJson(path);
    expect(description).toBe(text);
    await fixture.write(path, table);
    await runDrift(0);
  });

  /** Gives the column Store Id a description, as another user. */
  const describeStoreId = () =>
    fixture.runAsOtherUser(async (client) => {
      const { table, keys } = await findRetailTable(client, 'Stores');
      await client.tables.update(keys, {
        description: 'Shops',
        columns: getObjects(asObject(table)['columns']).map((column) =>
          column['name'] === 'Store Id' ? { ...column, description: 'The number of the shop' } : column,
        ),
      });
    });

  test('that was never pulled is not reported as changed by others after an apply', async () => {
    await describeStoreId();
    await fixture.remove('environments/default.lock.json');
    await fixture.expectExit(0, 'apply', '--execute');
    await runDrift(0);
    // Another apply doesn't count the description as changed by others either.
    await fixture.expectExit(0, 'apply', '--execute');
    await runDrift(0);
  });

  test('that an apply has changed is not reported as changed by others', async () => {
    await describeStoreId();
    await fixture.expectExit(0, 'pull', '--project', fixture.project);
    const path = 'datamodels/Retail/tables/Stores.table.json';
    const { description, ...table } = await fixture.readJson(path);
    expect(description).toBe('Shops');
    const columns = getObjects(table['columns']).map(({ description: _description, ...column }) =>
      column['name'] === 'Store Id' ? { ...column, hidden: true } : column,
    );
    await fixture.write(path, { ...table, columns });
    const { stdout, stderr } = await fixture.expectExit(0, 'apply', '--execute');
    expect(`${stdout}${stderr}`).not.toContain('will still differ');
    await runDrift(0);
    // Additions by others to another table are still reported.
    await fixture.setTableDescription('Products', 'Goods');
    expect((await runDrift(2)).stdout).toContain('table/Retail/Products');
  });

  test('of the other profile that was empty before an apply is reported as the same', async () => {
    const other = await startTemporarySandbox('empty', {
      profile: profile === 'guide' ? 'contract' : 'guide',
    });
    try {
      // An empty instance doesn't have the users and groups that rules name.
      await fixture.remove('environments');
      await fixture.remove('datamodels/Marketing/rules');
      // Some instances generate the columns of a custom table only with a build.
      await fixture.remove('datamodels/Marketing/tables/Campaign Performance.table.json');
      await fixture.remove('datamodels/Marketing/tables/Campaign Performance.datamodel.sql');
      fixture.proxy.setInstance(other);
      await fixture.expectExit(0, 'apply', '--execute', '--datamodel', 'Marketing');
      await runDrift(0, '--datamodel', 'Marketing');
    } finally {
      fixture.proxy.setInstance(fixture.sandbox);
      await other.stop();
    }
  });
});

describe('an instance on which an apply was interrupted', () => {
  const fixture = new ProjectFixture({ profile: 'guide' });

  test.each(['resume', 'roll-back', 'abandon'])(
    "is still reported with other users' additions to items that the apply did not touch: %s",
    async (command) => {
      await fixture.setTableDescription('Stores', 'Added by someone');
      await fixture.expectExit(2, 'drift');
      for (const name of ['Order Items', 'Orders']) {
        await fixture.changeJson(`datamodels/Retail/tables/${name}.table.json`, { description: 'Mine' });
      }
      let writeCount = 0;
      fixture.proxy.intercept((request) => {
        writeCount += isWrite(request) ? 1 : 0;
        return isWrite(request) && writeCount === 2 ? 403 : 'forward';
      });
      const stopped = await fixture.expectExit(1, 'apply', '--execute');
      fixture.proxy.intercept();
      const [, journal = ''] = /Journal: (\S+)/.exec(stopped.stderr) ?? [];
      await fixture.expectExit(0, command, journal, '--execute', '--project', fixture.project);
      expect((await fixture.expectExit(2, 'drift')).stdout).toContain(
        'table/Retail/Stores: differs, changed on the server since the last pull',
      );
    },
  );
});

describe('an instance with a title that no URL can contain', () => {
  // Only this profile accepts such a title.
  const fixture = new ProjectFixture({ profile: 'contract' });

  test('is reported with the remedy, and the rest can be compared', async () => {
    await fixture.runAsOtherUser((client) =>
      client.datamodels.create({ title: '../../evil', type: 'extract' }),
    );
    const { stdout } = await fixture.expectExit(3, 'plan');
    expect(stdout).toContain(
      `Can't read the rules of ../../evil: Loading the data security rules failed: a name such as A/../B can't be used in a URL. Rename it, or list the others in "manage", such as "Sales *".`,
    );
    await fixture.expectExit(0, 'plan', '--datamodel', 'Retail');
    await fixture.changeJson('datamodel-studio.json', {
      manage: { datamodels: ['Retail', 'Marketing', 'Support *'], viewpoints: ['*'] },
    });
    await fixture.expectExit(0, 'plan');
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'drift');
  });
});
