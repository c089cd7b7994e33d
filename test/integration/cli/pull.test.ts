import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pullOutputSchema } from '../../../src/cli/outputSchemas.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { CliSandboxFixture } from '../../support/cliSandboxFixture.ts';
import { runCli } from '../../support/cliInProcess.ts';
import { readFolderTexts } from '../../support/readFolderTexts.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { createRealWriter } from '../../support/createRealWriter.ts';

const ordersPath = 'datamodels/Retail/tables/Orders.table.json';
const statusRulesPath = 'datamodels/Retail/rules/Orders.Status.rules.json';

describe.each(['guide', 'contract'] as const)('an instance of the profile %s', (profile) => {
  const cli = new CliSandboxFixture({ profile });
  let project = '';

  beforeEach(async () => {
    project = await mkdtemp(join(cli.folder, 'project-'));
  });
  afterEach(() => rm(project, { recursive: true, force: true }));

  const pull = (...args: readonly string[]) => cli.run('pull', '--project', project, ...args);
  const read = (path: string): Promise<string> => readFile(join(project, path), 'utf8');
  const edit = async (path: string, before: string | RegExp, after: string): Promise<string> => {
    const text = await read(path);
    const edited = text.replace(before, after);
    expect(edited).not.toBe(text);
    await writeFile(join(project, path), edited);
    return edited;
  };
  const withClient = async <T>(use: (client: PlatformClient) => Promise<T>): Promise<T> => {
    const { url, adminToken: token } = cli.sandbox;
    const { client } = createRealWriter({ url, token, folder: join(cli.folder, 'history') });
    try {
      return await use(client);
    } finally {
      client.dispose();
    }
  };

  /** Sets the description of the table Orders on the instance, and returns the previous one. */
  const setOrdersDescription = (description: string): Promise<string> =>
    withClient(async (client) => {
      const models = (await client.datamodels.list()).value;
      const datamodelId = models.find(({ title }) => title === 'Retail')?.oid ?? '';
      for (const { oid: datasetId } of (await client.datasets.list({ datamodelId })).value) {
        const tables = (await client.tables.list({ datamodelId, datasetId })).value;
        const table = tables.find(({ name }) => name === 'Orders');
        if (table !== undefined) {
          await client.tables.update({ datamodelId, datasetId, tableId: table.oid }, { description });
          return table.description ?? '';
        }
      }
      throw new Error('The demo has no table Orders');
    });

  test('is written to files, and a second pull changes nothing in them', async () => {
    const firstPull = await pull();
    expect(firstPull).toMatchObject({ code: 0 });
    expect(firstPull.stdout).toContain(`created ${ordersPath}`);
    expect(firstPull.stderr).toMatch(/^Files: \d+ created, 0 changed, 0 deleted, 0 unchanged\.$/m);
    const files = await readFolderTexts(project);
    expect([...files.keys()]).toContain('datamodel-studio.json');
    expect([...files.keys()]).toContain('environments/default.lock.json');
    expect([...files.keys()].filter((path) => path.endsWith('.tmp'))).toEqual([]);

    const secondPull = await pull();
    expect(secondPull).toMatchObject({ code: 0, stdout: '' });
    expect(await readFolderTexts(project)).toEqual(files);
  });

  test('is merged with local changes of the files, and comments in the files are kept', async () => {
    await pull();
    await edit(ordersPath, '{', '{ // Ours');
    await edit(ordersPath, '"hidden": false', '"hidden": true');
    const description = await setOrdersDescription('Changed there');
    try {
      const { code, stdout } = await pull('--format', 'json');
      expect(code).toBe(0);
      const output = pullOutputSchema.parse(JSON.parse(stdout));
      expect(output.files).toEqual([{ path: ordersPath, state: 'changed' }]);
      expect(output.counts).toMatchObject({ created: 0, changed: 1, deleted: 0 });
      const merged = await read(ordersPath);
      expect(merged).toContain('// Ours');
      expect(merged).toContain('"hidden": true');
      expect(merged).toContain('"description": "Changed there"');
    } finally {
      await setOrdersDescription(description);
    }
  });

  test('conflicts with a local change of the same property: the file is kept, and the exit code is 2', async () => {
    await pull();
    const mine = await edit(ordersPath, /"One row per order[^"]*"/, '"Changed here"');
    const description = await setOrdersDescription('Changed there');
    try {
      const before = await readFolderTexts(project);
      const { code, stderr } = await pull();
      expect(code).toBe(2);
      expect(stderr).toContain(
        `Conflict: ${ordersPath} (/description): changed in the file and on the instance. Your file was kept.\n` +
          '    description: "Changed there" on the instance, "Changed here" in the project\n',
      );
      const json = await pull('--format', 'json');
      expect(pullOutputSchema.parse(JSON.parse(json.stdout)).conflicts).toMatchObject([
        { versions: [{ pointer: '/description', project: 'Changed here', instance: 'Changed there' }] },
      ]);
      expect(await read(ordersPath)).toBe(mine);
      expect(await readFolderTexts(project)).toEqual(before);
    } finally {
      await setOrdersDescription(description);
    }
  });

  test.each([
    ['ours', '"Changed here"', ''],
    ['theirs', '"Changed there"', `changed ${ordersPath}\n`],
  ])('does not conflict with --conflicts %s', async (side, text, stdout) => {
    await pull();
    await edit(ordersPath, /"One row per order[^"]*"/, '"Changed here"');
    const description = await setOrdersDescription('Changed there');
    try {
      expect(await pull('--conflicts', side)).toMatchObject({ code: 0, stdout });
      expect(await read(ordersPath)).toContain(text);
      expect(await pull()).toMatchObject({ code: 0, stdout: '' });
    } finally {
      await setOrdersDescription(description);
    }
  });

  test('is pulled except for items that it refuses to return: their files are kept, and the exit code is 3', async () => {
    await pull();
    const rules =
      '[{"table": "Orders", "column": "Status", "members": ["Ours"], "shares": [{"type": "default"}]}]';
    await mkdir(join(project, 'datamodels/Retail/rules'), { recursive: true });
    await writeFile(join(project, statusRulesPath), rules);
    await rm(join(project, 'viewpoints'), { recursive: true });
    await rm(join(project, 'environments'), { recursive: true });
    await cli.sandbox.setFaults([{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }]);
    const { code, stderr } = await pull('--prune', 'rules,tables');
    expect(code).toBe(3);
    expect(stderr).toContain("Can't read the rules of Retail: ");
    expect(await read(statusRulesPath)).toBe(rules);
    expect((await readdir(join(project, 'viewpoints'))).length).toBeGreaterThan(50);
  });

  test('is pulled except for a table with a new column if it refuses to return the rules that the column may have', async () => {
    await pull();
    const before = await readFolderTexts(project);
    const secret = { id: 'secret', name: 'Secret', type: 18, hidden: false, indexed: true, isCustom: false };
    const restore = await withClient(async (client) => {
      const { keys, table } = await findRetailTable(client, 'Orders');
      await client.tables.update(keys, { columns: [...(table.columns ?? []), secret] });
      return { keys, columns: table.columns ?? [] };
    });
    await cli.sandbox.setFaults([{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }]);
    const { code, stderr } = await pull();
    expect(code).toBe(3);
    expect(stderr).toContain(
      'Warning: table/Retail/Orders: not pulled, because the rules on these columns are unknown: Secret.\n',
    );
    expect(await readFolderTexts(project)).toEqual(before);
    await cli.sandbox.setFaults([]);
    expect((await pull()).code).toBe(0);
    expect(await read(ordersPath)).toContain('"name": "Secret"');
    await withClient((client) => client.tables.update(restore.keys, { columns: restore.columns }));
  });

  test('changes no files if the connection to it is lost', async () => {
    await pull();
    await edit(ordersPath, '"hidden": false', '"hidden": true');
    const before = await readFolderTexts(project);
    await cli.sandbox.setFaults([{ kind: 'drop' }]);
    const { code, stderr } = await pull('--prune', 'datamodels,viewpoints');
    expect(code).toBe(3);
    expect(stderr).not.toBe('');
    expect(await readFolderTexts(project)).toEqual(before);
  });

  test('is pulled without undoing local changes and deletions, which are reported', async () => {
    await pull();
    await edit(ordersPath, '"hidden": false', '"hidden": true');
    await rm(join(project, 'viewpoints/Profit by Month.viewpoint.json'));
    const { code, stdout, stderr } = await pull();
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`Kept: ${ordersPath} (differs from the instance)\n`);
    expect(stderr).toContain('Kept: viewpoint/Profit by Month (deleted in the project)\n');
    expect(stderr).toMatch(
      /^Files: 0 created, 0 changed, 0 deleted, \d+ unchanged, 2 with local changes\.$/m,
    );
    const output = pullOutputSchema.parse(JSON.parse((await pull('--format', 'json')).stdout));
    expect(output.localChanges).toEqual([
      { item: 'table/Retail/Orders', path: ordersPath, state: 'changed' },
      { item: 'viewpoint/Profit by Month', state: 'deleted' },
    ]);
  });

  test('no longer has an item, whose file is kept until it is pruned', async () => {
    const id = await withClient(async ({ viewpoints }) => {
      const created = await viewpoints.create({ name: 'Short-lived', description: 'Soon gone' });
      return created.value?.id ?? '';
    });
    await pull();
    const path = 'viewpoints/Short-lived.viewpoint.json';
    await read(path);
    await withClient(({ viewpoints }) => viewpoints.delete({ viewpointId: id }));
    const pulled = await pull();
    expect(pulled.code).toBe(0);
    expect(pulled.stderr).toContain(`No longer on the instance: ${path}.`);
    await read(path);
    const pruned = await pull('--prune', 'viewpoints');
    expect(pruned).toMatchObject({ code: 0, stdout: `deleted ${path}\n` });
    await expect(read(path)).rejects.toThrow('ENOENT');
  });

  test('has renamed an item, whose file is kept because the settings no longer select its name', async () => {
    await pull();
    const path = 'viewpoints/Profit by Week.viewpoint.json';
    await withClient(async ({ viewpoints }) => {
      const search = { name: 'Profit by Week' };
      const [found] = (await viewpoints.list({ search })).value.viewpoints;
      await viewpoints.update({ viewpointId: found?.id ?? '' }, { name: 'Other' });
    });
    try {
      const settings = '{"version": 1, "manage": {"viewpoints": ["Profit*"]}}';
      await writeFile(join(project, 'datamodel-studio.json'), settings);
      const { code, stdout } = await pull('--prune', 'viewpoints');
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
      await read(path);
    } finally {
      await withClient(async ({ viewpoints }) => {
        const [found] = (await viewpoints.list({ search: { name: 'Other' } })).value.viewpoints;
        await viewpoints.update({ viewpointId: found?.id ?? '' }, { name: 'Profit by Week' });
      });
    }
  });

  test('is not pulled into a project of another instance', async () => {
    await pull();
    const before = await readFolderTexts(project);
    const { code, stderr } = await pull('--tenant', 'another', '--prune', 'viewpoints');
    expect(code).toBe(4);
    expect(stderr).toContain(
      'environments/default.lock.json belongs to an instance with a different address or tenant.',
    );
    expect(await readFolderTexts(project)).toEqual(before);
  });

  test('does not list its users to this token, so the files of rules and viewpoints are kept', async () => {
    await pull();
    const before = await readFolderTexts(project);
    await cli.sandbox.setFaults([
      { kind: 'status', status: 403, pathPrefix: '/api/v1/users' },
      { kind: 'status', status: 403, pathPrefix: '/api/users' },
    ]);
    const { code, stderr } = await pull('--prune', 'viewpoints,rules');
    expect(code).toBe(3);
    expect(stderr).toContain("Use an administrator's token.");
    expect(await readFolderTexts(project)).toEqual(before);
  });

  test('is pulled except for a file with invalid JSON, which is kept, and the exit code is 3', async () => {
    await pull();
    await writeFile(join(project, ordersPath), '{"name": "Orders",');
    await rm(join(project, 'viewpoints'), { recursive: true });
    await rm(join(project, 'environments'), { recursive: true });
    const { code, stderr } = await pull();
    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`Can't read ${ordersPath}:1:\\d+: Invalid JSON`));
    expect(await read(ordersPath)).toBe('{"name": "Orders",');
    expect((await readdir(join(project, 'viewpoints'))).length).toBeGreaterThan(50);
  });

  test('is pulled only for the items that the settings and the options select', async () => {
    await writeFile(
      join(project, 'datamodel-studio.json'),
      '{"version": 1, "manage": {"datamodels": ["Re*"], "viewpoints": ["Profit*"]}}',
    );
    expect((await pull()).code).toBe(0);
    expect(await readdir(join(project, 'datamodels'))).toEqual(['Retail']);
    const viewpoints = await readdir(join(project, 'viewpoints'));
    expect(viewpoints.length).toBeGreaterThan(0);
    expect(viewpoints.filter((name) => !name.startsWith('Profit'))).toEqual([]);

    await rm(join(project, 'viewpoints'), { recursive: true });
    await rm(join(project, 'environments'), { recursive: true });
    expect((await pull('--viewpoint', '*by Month')).code).toBe(0);
    expect(await readdir(join(project, 'viewpoints'))).toEqual(['Profit by Month.viewpoint.json']);
  });

  test('is not pulled into a folder that does not exist', async () => {
    const { code, stderr } = await cli.run('pull', '--project', join(project, 'missing'));
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: "The --project folder doesn't exist. Create it first.\n",
    });
    expect(await readdir(project)).toEqual([]);
  });

  test('is pulled as an environment of the project, even with the role production', async () => {
    await mkdir(join(project, 'environments'));
    await writeFile(
      join(project, 'environments/prod.json'),
      JSON.stringify({ url: cli.sandbox.url, role: 'production' }),
    );
    const args = ['pull', '--project', project, '--environment', 'prod', '--token-env', 'STUDIO_TOKEN'];
    const env = { STUDIO_TOKEN: cli.sandbox.adminToken };
    const { code, stdout } = await runCli([...args, '--format', 'json'], { env });
    expect(code).toBe(0);
    expect(pullOutputSchema.parse(JSON.parse(stdout))).toMatchObject({
      environment: 'prod',
      instance: { role: 'production' },
    });
    expect(await readdir(join(project, 'environments'))).toEqual(['prod.json', 'prod.lock.json']);
  });

  test('creates, if it is pulled with limits, a project that manages only the selected items', async () => {
    const limits = ['--datamodel', 'Market*', '--viewpoint', 'Profit by Week'];
    const { code, stderr } = await pull(...limits);
    expect(code).toBe(0);
    const note =
      'The new project manages only the items that were pulled. To pull more, first change "manage" in datamodel-studio.json.\n';
    expect(stderr).toContain(note);
    const settingsPath = join(project, 'datamodel-studio.json');
    expect(JSON.parse(await readFile(settingsPath, 'utf8'))).toMatchObject({
      manage: { datamodels: ['Market*'], viewpoints: ['Profit by Week'] },
    });
    // Nothing else seems to be missing.
    const instance = ['--url', cli.sandbox.url, '--token-env', 'STUDIO_TOKEN', '--project', project];
    const env = { STUDIO_TOKEN: cli.sandbox.adminToken };
    const prune = ['--prune', 'datamodels,viewpoints', '--state', join(cli.folder, 'limited-state')];
    for (const args of [['drift'], ['plan', ...prune]]) {
      const exit = await runCli([...args, ...instance], { env });
      expect(exit.code, exit.stdout).toBe(0);
    }
    expect((await pull(...limits)).stderr).not.toContain(note);
  });

  test.each<[args: readonly string[], file: string | undefined, text: string, message: RegExp]>([
    [['--environment', 'prod'], undefined, '', /Use only one of/],
    [['--prune', 'everything'], undefined, '', /Unknown kind in --prune: "everything"\. Expected: /],
    [['--conflicts', 'mine'], undefined, '', /Invalid --conflicts. Expected: report, ours, theirs./],
    [['--datamodel', 'retail'], undefined, '', /Names are case-sensitive\. Did you mean "Retail"/],
    [['--viewpoint', 'Nope*'], undefined, '', /has a viewpoint that matches --viewpoint/],
    [[], 'datamodel-studio.json', '{"version": 1,', /datamodel-studio\.json:1: Invalid JSON/],
    [[], 'datamodel-studio.json', '{"version": 2}', /Update Datamodel Studio/],
    [
      [],
      'environments/default.lock.json',
      '{"version": 1, "items',
      /default\.lock\.json isn't valid at line 1/,
    ],
    [[], 'environments/default.lock.json', '{"version": 99}', /newer version/],
  ])('is not read if the project cannot be used (%j %s %s)', async (args, file, text, message) => {
    if (file !== undefined) {
      await mkdir(join(project, 'environments'));
      await writeFile(join(project, file), text);
    }
    const before = await readFolderTexts(project);
    const { code, stdout, stderr } = await pull(...args);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(message);
    expect(await readFolderTexts(project)).toEqual(before);
  });
});
