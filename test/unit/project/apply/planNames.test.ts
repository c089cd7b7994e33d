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
