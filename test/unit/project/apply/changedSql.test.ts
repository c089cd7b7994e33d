import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects, omitMembers } from '../../../../src/changes/model/jsonMembers.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { createTableRef, getFailure } from '../../changes/run/support.ts';
import { createRule } from './compileSupport.ts';
import { createDemoContent } from './demoContent.ts';
import type { InstanceContent } from './roundTripSupport.ts';
import { UndoFixture } from './undoSupport.ts';

const custom = createTableRef('Store Ranking');
const folder = 'datamodels/Retail/tables/Store Ranking';
const newSql = 'SELECT [Store] FROM [Stores]';
const label = { oid: createSeedOid('Label'), name: 'Label', isCustom: true, type: 18, expression: "'x'" };

/** The datamodel Retail, with a custom column in the custom table. */
function createContent(): InstanceContent & { readonly datamodels: readonly JsonObject[] } {
  const { datamodels, extractRules, users, groups } = createDemoContent();
  const addLabel = (table: JsonObject): JsonObject =>
    table['oid'] === custom.tableId ? { ...table, columns: [...getObjects(table['columns']), label] } : table;
  return {
    datamodels: datamodels
      .filter(({ title }) => title === 'Retail')
      .map(
        (model): JsonObject => ({
          ...model,
          datasets: getObjects(model['datasets']).map((dataset): JsonObject => {
            const schema = dataset['schema'] as JsonObject;
            return { ...dataset, schema: { ...schema, tables: getObjects(schema['tables']).map(addLabel) } };
          }),
        }),
      ),
    extractRules,
    liveRules: [],
    viewpoints: [],
    users,
    groups,
  };
}

describe.each(['guide', 'contract'] as const)(
  'on an instance of the profile %s, if the SQL of a table generates fewer columns and a custom column is deleted',
  (profile) => {
    async function prepare() {
      const fixture = await UndoFixture.create(profile, {
        content: createContent(),
        sql: [newSql],
        prunedKinds: ['column'],
      });
      const { texts } = fixture.project;
      const table = JSON.parse(expectDefined(texts.get(`${folder}.table.json`)));
      const columns = getObjects(table.columns).filter(({ name }) => name === 'Store');
      texts.set(`${folder}.table.json`, JSON.stringify({ ...table, columns }));
      texts.delete(`${folder}/Label.datamodel.sql`);
      texts.set(`${folder}.datamodel.sql`, `${newSql}\n`);
      const readNames = async () =>
        getObjects((await fixture.instance.fixture.readObject(custom))['columns']).map(({ name }) => name);
      const before = await readNames();
      const generated = before.filter((name) => name !== 'Label');
      return {
        fixture,
        readNames,
        before,
        after: profile === 'contract' ? ['Store'] : generated,
        changes: fixture.instance.fixture,
      };
    }

    test('one apply changes the SQL and deletes the column, and its undo reverts both', async () => {
      const { fixture, readNames, before, after, changes } = await prepare();
      using _fixture = fixture;
      const entry = await fixture.apply();
      // The column is hidden first: other SQL might change which rows of the datamodel the rules show.
      expect(changes.getWriteRequests().filter((line) => line.startsWith('PATCH'))).toHaveLength(2);
      expect(await readNames()).toEqual(after);
      expect((await fixture.load()).operation.writes).toEqual([]);
      await fixture.undo(entry);
      expect(new Set(await readNames())).toEqual(new Set(before));
    });

    test('the deletion waits for a second apply if the table is renamed and has rules, and a third one has nothing to do', async () => {
      const { fixture, readNames, before, after } = await prepare();
      using _fixture = fixture;
      const { texts } = fixture.project;
      const datamodel = { server: 'LocalHost', elasticube: 'Retail' };
      const rule = omitMembers(createRule('Store Ranking.Label', { ...datamodel, datatype: 'text' }), '_id');
      await fixture.instance.fixture.client.extractRules.create(datamodel, [rule]);
      const table = JSON.parse(expectDefined(texts.get(`${folder}.table.json`)));
      texts.set(
        `${folder}.table.json`,
        JSON.stringify({ ...table, name: 'Ranking', renamedFrom: 'Store Ranking' }),
      );
      await fixture.apply();
      expect(await readNames()).toEqual(profile === 'contract' ? [...after, 'Label'] : before);
      await fixture.apply();
      expect(await readNames()).toEqual(after);
      expect((await fixture.load()).operation.writes).toEqual([]);
    });

    test('the write of the SQL and the deletion counts as done if its response is lost', async () => {
      const { fixture, readNames, after, changes } = await prepare();
      using _fixture = fixture;
      changes.getWriteFault = () => 'response-lost';
      await fixture.apply();
      expect(await readNames()).toEqual(after);
    });

    test.each(['request-lost', 'refusal'] as const)('resume does both after: %s', async (fault) => {
      const { fixture, readNames, before, after, changes } = await prepare();
      using _fixture = fixture;
      changes.getWriteFault = () => fault;
      expect(await getFailure(fixture.apply())).toBeInstanceOf(StoppedError);
      expect(await readNames()).toEqual(before);
      changes.getWriteFault = () => undefined;
      await fixture.end(expectDefined(await fixture.readLatest()), 'resume');
      expect(await readNames()).toEqual(after);
    });
  },
);
