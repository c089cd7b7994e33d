import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type InstanceContent, TestInstance, pullNew } from '../project/apply/roundTripSupport.ts';
import type { PulledProject } from '../project/pull/pullSupport.ts';
import { planAccessOn } from './planAccessSupport.ts';

const createTable = (number: number, name: string, columns: readonly string[]): JsonObject => ({
  oid: `3${number}000000-0000-0000-0000-000000000000`,
  id: name,
  name,
  type: 'base',
  columns: columns.map((column, index) => ({
    oid: `3${number}000000-0000-0000-0000-00000000000${index + 1}`,
    id: column,
    name: column,
    type: 18,
  })),
});

const values = (...members: readonly string[]): JsonObject => ({ members, allMembers: null });
const everything: JsonObject = { members: [], allMembers: true };
const everyone: JsonObject = { type: 'default' };

const createRule = (name: string, grant: JsonObject, party: JsonObject = everyone): JsonObject => {
  const [table = '', column = ''] = name.split('.');
  return { table, column, datatype: 'text', ...grant, shares: [party] };
};

/** Returns an instance with a datamodel M. */
const createContent = (tables: readonly JsonObject[], rules: readonly JsonObject[]): InstanceContent => ({
  datamodels: [
    {
      oid: '10000000-0000-0000-0000-000000000000',
      title: 'M',
      type: 'extract',
      relations: [],
      datasets: [
        {
          oid: '20000000-0000-0000-0000-000000000000',
          name: 'D',
          type: 'extract',
          connection: { provider: 'CSV' },
          schema: { tables },
        },
      ],
    },
  ],
  extractRules: rules.map((rule, index) => ({
    _id: `${index}`.padStart(24, 'b'),
    server: 'LocalHost',
    elasticube: 'M',
    cubeId: 'M',
    ...rule,
  })),
});

const folder = 'datamodels/M';

function setRules({ texts }: PulledProject, name: string, ...rules: readonly JsonObject[]): void {
  texts.set(`${folder}/rules/${name}.rules.json`, JSON.stringify(rules));
}

/** Adds a table N to a project, with a relation from its column K to that of another table. */
function addTable({ texts }: PulledProject, linkedTable?: string): void {
  const columns = ['X', 'K'].map((name) => ({ name, type: 18 }));
  texts.set(
    `${folder}/tables/N.table.json`,
    JSON.stringify({ name: 'N', id: 'N', dataset: 'D', type: 'base', columns }),
  );
  if (linkedTable !== undefined) {
    texts.set(
      `${folder}/relations/${linkedTable}.K - N.K.relation.json`,
      JSON.stringify({ columns: [linkedTable, 'N'].map((table) => ({ table, column: 'K' })) }),
    );
  }
}

const a = createTable(1, 'A', ['X', 'K']);
const b = createTable(2, 'B', ['Y', 'Z']);

test('rules on a linked table that another apply changes restrict a new table as they are now', async () => {
  /** Returns what the plan says if the rules on A.X change together with the name of B.Y and the rules on it. */
  async function plan(before: JsonObject, after: JsonObject | undefined) {
    const rules = [createRule('A.X', before), createRule('B.Y', values('North'))];
    using instance = new TestInstance('guide', createContent([a, b], rules));
    const project = await pullNew(instance);
    addTable(project, 'A');
    if (after === undefined) {
      project.texts.delete(`${folder}/rules/A.X.rules.json`);
    } else {
      setRules(project, 'A.X', createRule('A.X', after));
    }
    project.edit(`${folder}/tables/B.table.json`, '"name": "Y"', '"name": "Y2", "renamedFrom": "Y"');
    project.texts.delete(`${folder}/rules/B.Y.rules.json`);
    setRules(project, 'B.Y2', createRule('B.Y2', values('South')));
    return await planAccessOn(instance, project, { prunedKinds: new Set(['rules']) });
  }
  const open = await plan(everything, values('a'));
  expect(open.newTables).toEqual([
    { item: 'table/M/N', rules: ['rules on linked tables: A.X (not in this apply)'] },
  ]);
  expect(open.summary).toContain(
    '1 new table: without rules in this apply, so everyone with access to the datamodel will see it.',
  );
  for (const after of [everything, values('b'), undefined]) {
    const restricted = await plan(values('a'), after);
    expect(restricted.newTables).toEqual([{ item: 'table/M/N', rules: ['rules on linked tables: A.X'] }]);
    expect(restricted.summary).toContain('1 new table: rules restrict who sees it.');
  }
});
