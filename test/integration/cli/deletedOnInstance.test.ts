import { describe, expect, test } from 'vitest';
import { getObjects } from '../../../src/changes/model/jsonMembers.ts';
import { findRetailTable } from '../../support/demoTables.ts';
import { isWrite } from '../../support/interceptingProxy.ts';
import { ProjectFixture } from '../../support/projectFixture.ts';

const name = 'Profit by Week';
const item = `viewpoint/${name}`;

describe.each(['guide', 'contract'] as const)('an item that others delete (profile %s)', (profile) => {
  const fixture = new ProjectFixture({ profile });

  /** Kills an apply before it changes a viewpoint. Returns its journal, and the plan that it showed. */
  const killBeforeViewpoint = async (
    ...options: readonly string[]
  ): Promise<{ journal: string; shown: string }> => {
    const held = Promise.withResolvers<void>();
    fixture.proxy.intercept(
      (request) => (request.path.includes('viewpoint') && isWrite(request) ? 'hold' : 'forward'),
      held.resolve,
    );
    const run = fixture.start('apply', ...options, '--execute');
    await held.promise;
    const [, journal = ''] = await run.waitForMessage(/Journal: (\S+)/);
    run.kill('SIGKILL');
    const { stdout } = await run.ended;
    fixture.proxy.intercept();
    return { journal, shown: stdout };
  };

  test('is created again by an apply once a pull that keeps the files has seen the deletion', async () => {
    await fixture.runAsOtherUser(async ({ viewpoints }) => {
      const [found] = (await viewpoints.list({ search: { name } })).value.viewpoints;
      await viewpoints.delete({ viewpointId: found?.id ?? '' });
    });
    const project = ['--project', fixture.project] as const;
    await fixture.expectExit(0, 'pull', ...project);
    const refused = await fixture.expectExit(4, 'apply', '--execute');
    expect(refused.stderr).toContain(`1 item has been deleted on the server since the last pull: ${item}.`);
    // A pull alone keeps the file, so it isn't the first hint, nor a hint at all.
    expect(refused.stderr).toContain(
      'Nothing was written. Recreate it with a plan that shows this, or pull and delete its file, too.\nPlan:  ',
    );
    expect(refused.stderr).not.toMatch(/^Pull: /m);
    expect(refused.stderr).toContain(
      'Pull, and recreate what was deleted: datamodel-studio pull --conflicts ours ',
    );
    expect(refused.stderr).toContain(
      'Pull, and delete the files of what was deleted: datamodel-studio pull --prune viewpoints ',
    );
    const pulled = await fixture.expectExit(0, 'pull', '--conflicts', 'ours', ...project);
    expect(pulled.stderr).toContain(`No longer on the instance: viewpoints/${name}.viewpoint.json.`);
    expect((await fixture.expectExit(2, 'plan')).stdout).toContain(`+ ${item}\n`);
    await fixture.expectExit(0, 'apply', '--execute');
    await fixture.expectExit(0, 'plan');
  });

  test.each(['table', 'column'] as const)(
    'is created again together with the relation that lost a column (%s)',
    async (deleted) => {
      const relation = 'relation/Retail/Order Items/Order Item Id/Returns/Order Item Id';
      const tablePath = 'datamodels/Retail/tables/Returns.table.json';
      const path =
        'datamodels/Retail/relations/Order Items.Order Item Id - Returns.Order Item Id.relation.json';
      await fixture.runAsOtherUser(async (client) => {
        const { keys, table: returns } = await findRetailTable(client, 'Returns');
        const columns = (returns.columns ?? []).filter(({ name: column }) => column !== 'Order Item Id');
        await (deleted === 'table' ? client.tables.delete(keys) : client.tables.update(keys, { columns }));
      });
      const project = ['--project', fixture.project] as const;
      const table = await fixture.read(tablePath);
      const pulled = await fixture.expectExit(0, 'pull', '--conflicts', 'ours', ...project);
      expect(pulled.stderr).toContain(`No longer on the instance: ${path}.`);
      // The pull has removed the deleted column from this file.
      await fixture.write(tablePath, table);
      const end = deleted === 'table' ? '(deleted column)' : 'Returns (deleted column)';
      expect(pulled.stderr).toContain(`count as deleted: Order Items.Order Item Id – ${end}.`);
      const plan = await fixture.expectExit(2, 'plan');
      expect(plan.stdout).toContain(`+ ${relation}\n`);
      await fixture.expectExit(0, 'apply', '--execute');
      const names = deleted === 'table' ? '(deleted)/(deleted)' : 'Returns/(deleted)';
      const brokenRelationItem = `relation/Retail/Order Items/Order Item Id/${names}`;
      // Like every item that only the instance has, the relation without the column is kept: a plan says what follows.
      const rest = (await fixture.expectExit(0, 'plan')).stdout;
      expect(rest).toContain(
        `Builds might fail: ${brokenRelationItem}: One of its columns was deleted on the instance`,
      );
      expect(rest).toContain('Only on the instance, kept: 1 relation.');
      const markdown = (await fixture.expectExit(0, 'plan', '--format', 'markdown')).stdout;
      expect(markdown).toMatch(/Builds might fail[^#]*One of its columns was deleted/);
      const annotations = (await fixture.expectExit(0, 'plan', '--format', 'github')).stdout;
      expect(annotations).toContain(
        `::warning title=Builds might fail%3A ${brokenRelationItem}::One of its columns`,
      );
      for (const format of ['text', 'markdown', 'junit']) {
        const { stdout } = await fixture.expectExit(2, 'drift', '--format', format);
        expect(stdout).toContain('only on the instance, with a deleted column: builds might fail');
      }
      // With --prune, it's deleted like any other relation, without a plan file.
      const pruned = (await fixture.expectExit(2, 'plan', '--prune', 'relations')).stdout;
      expect(pruned).toContain(`- ${brokenRelationItem}\n    One of its columns was deleted on the instance`);
      expect(pruned).toContain('No one gains or loses access.');
      await fixture.expectExit(0, 'apply', '--prune', 'relations', '--execute');
      await fixture.expectExit(0, 'plan');
      await fixture.expectExit(0, 'drift');
    },
  );

  test('is deleted by an apply with the relations on it, and a rollback restores both', async () => {
    const tablePath = 'datamodels/Retail/tables/Returns.table.json';
    const path =
      'datamodels/Retail/relations/Order Items.Order Item Id - Returns.Order Item Id.relation.json';
    const [table, relation] = [await fixture.read(tablePath), await fixture.read(path)];
    const { columns } = await fixture.readJson(tablePath);
    await fixture.remove(path);
    await fixture.changeJson(tablePath, {
      columns: getObjects(columns).filter((column) => column['name'] !== 'Order Item Id'),
    });
    await fixture.changeJson(`viewpoints/${name}.viewpoint.json`, { description: 'The next write' });
    const { journal, shown } = await killBeforeViewpoint('--prune', 'columns');
    expect(shown).toContain('- relation/Retail/Order Items/Order Item Id/Returns/Order Item Id\n');
    await fixture.expectExit(0, 'roll-back', journal, '--execute', '--project', fixture.project);
    await fixture.write(tablePath, table);
    await fixture.write(path, relation);
    expect((await fixture.expectExit(2, 'plan')).stdout).toContain('Plan: 0 to create, 1 to change, 0 to');
  });

  test('leaves a broken relation, which a rollback cannot restore after an apply has deleted the relation', async () => {
    await fixture.runAsOtherUser(async (client) => {
      const { keys, table } = await findRetailTable(client, 'Returns');
      const columns = (table.columns ?? []).filter(({ name: column }) => column !== 'Order Item Id');
      await client.tables.update(keys, { columns });
    });
    await fixture.expectExit(0, 'pull', '--prune', 'relations', '--project', fixture.project);
    await fixture.changeJson(`viewpoints/${name}.viewpoint.json`, { description: 'The next write' });
    const { journal } = await killBeforeViewpoint('--prune', 'relations');
    const unrestored = "1 relation can't be restored because one of its columns had already been deleted.";
    expect((await fixture.expectExit(0, 'roll-back', journal)).stderr).toContain(unrestored);
    const { stderr } = await fixture.expectExit(0, 'roll-back', journal, '--execute');
    expect(stderr).toContain(unrestored);
    expect(stderr).toContain('The change was rolled back, except for 1 item.');
  });

  test('is pruned together with the relation that lost a column', async () => {
    await fixture.runAsOtherUser(async (client) => {
      await client.tables.delete((await findRetailTable(client, 'Returns')).keys);
    });
    const project = ['--project', fixture.project] as const;
    await fixture.expectExit(0, 'pull', ...project);
    const pulled = await fixture.expectExit(0, 'pull', '--prune', 'tables,relations', ...project);
    expect(pulled.stdout).toContain('Returns.Order Item Id.relation.json\n');
    const { stdout } = await fixture.run('validate', ...project);
    expect(stdout).not.toContain('.relation.json');
    await fixture.expectExit(0, 'plan');
  });
});

describe('a datamodel that others replace by one that was never built', () => {
  // In this profile, a datamodel has no rules before its first build, not even an empty list.
  const fixture = new ProjectFixture({ profile: 'contract' });

  test('is read by each pull, plan and apply, although the project has rules of the former datamodel', async () => {
    await fixture.runAsOtherUser(async ({ datamodels }) => {
      const former = (await datamodels.list()).value.find(({ title }) => title === 'Retail');
      await datamodels.delete({ datamodelId: former?.oid ?? '' });
      await datamodels.create({ title: 'Retail', type: 'extract' });
    });
    const pull = () => fixture.expectExit(0, 'pull', '--project', fixture.project);
    const listGone = (text: string) => text.split('\n').filter((line) => line.startsWith('No longer on'));
    const first = await pull();
    const second = await pull();
    expect(listGone(second.stderr)).toEqual(listGone(first.stderr));
    expect(second.stderr).toContain('datamodels/Retail/rules/');
    await fixture.expectExit(2, 'plan');
    const refused = await fixture.expectExit(4, 'apply', '--execute');
    expect(refused.stderr).toContain('have been deleted on the server since the last pull');
    await fixture.expectExit(0, 'pull', '--conflicts', 'ours', '--project', fixture.project);
    // The rules wait for the first build.
    const applied = await fixture.expectExit(2, 'apply', '--execute');
    expect(applied.stdout).toContain('Not in this apply: rules/Retail/');
  });
});
