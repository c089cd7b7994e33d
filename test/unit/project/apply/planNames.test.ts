import { expect, test } from 'vitest';
import { createOperation } from '../../changes/run/support.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { createDemoContent } from './demoContent.ts';
import { TestInstance, copyForOtherInstance, pullNew } from './roundTripSupport.ts';

test('a plan for an empty instance names the items of datamodels and tables that it creates itself', async () => {
  const demo = createDemoContent();
  using source = new TestInstance('guide', demo);
  const project = copyForOtherInstance(await pullNew(source));
  using instance = new TestInstance('guide', {
    users: demo.users,
    groups: demo.groups,
    datamodels: [],
    extractRules: [],
    liveRules: [],
    viewpoints: [],
  });
  const { compiled } = await instance.prepare(project, { lock: emptyLock });
  const { writer } = instance.fixture.open();
  const { plan } = await writer.plan(createOperation(compiled.writes, 'apply', 'Project'));
  const describe = (kind: string): readonly string[] =>
    [...plan.created, ...plan.changed]
      .filter((subject) => subject.kind === kind)
      .map(({ name, within }) => [...within, name].join(' › '));
  expect(describe('relation')).toContain('Retail › Orders.Store Id = Stores.Store Id');
  expect(describe('dataset')).toContain('Retail › Custom Tables');
  expect(describe('table')).toContain('Retail › Custom Tables › Store Ranking');
  const names = ['relation', 'dataset', 'table'].flatMap(describe);
  expect(names.filter((name) => !name.includes(' › ') || name.endsWith(' › ') || name.includes('?'))).toEqual(
    [],
  );
});

test.each(['Square Meters', 'Area'])(
  'a plan names what it creates in a datamodel on the instance, also by the new name of a column: %s',
  async (column) => {
    using instance = new TestInstance('guide', createDemoContent());
    const project = await pullNew(instance);
    const storesPath = 'datamodels/Retail/tables/Stores.table.json';
    if (column === 'Area') {
      project.edit(storesPath, '"name": "Square Meters"', '"name": "Area", "renamedFrom": "Square Meters"');
    }
    project.texts.set(
      'datamodels/Retail/tables/Sizes.table.json',
      '{"name": "Sizes", "id": "Sizes.csv", "type": "base", "dataset": "Master Data", "columns": [{"name": "Size", "id": "Size", "type": 8}]}',
    );
    project.texts.set(
      'datamodels/Retail/relations/Sizes.relation.json',
      JSON.stringify({
        columns: [
          { table: 'Stores', column },
          { table: 'Sizes', column: 'Size' },
        ],
      }),
    );
    const { compiled } = await instance.prepare(project);
    expect(compiled.problems).toEqual([]);
    const { writer } = instance.fixture.open();
    const { plan } = await writer.plan(createOperation(compiled.writes, 'apply', 'Project'));
    expect(plan.created.map(({ kind, name, within }) => [kind, ...within, name])).toEqual([
      ['table', 'Retail', 'Master Data', 'Sizes'],
      ['relation', 'Retail', `Sizes.Size = Stores.${column}`],
    ]);
    expect(plan.breaks).toEqual([]);
    expect(plan.unchecked).toEqual([]);
  },
);
