import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import type { SchemaOrigin } from '../../../../src/contract/build.ts';
import type { BuildOutcome } from '../../../../src/sandbox/engine/buildEngine.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { createShopRule, openShop, readShopRules, shop } from '../run/renameColumn.ts';
import { createOperation, createTableRef, getColumns } from '../run/support.ts';

const { kind: _kind, ...stores } = createTableRef('Stores');
const outcome: BuildOutcome = { status: 'done', columns: {}, rowCounts: {} };

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  test.each(['running', 'overlapping', 'latest'] as const)(
    'a plan warns of deleted rules on a former name, even after a successful build (%s)',
    async (kind) => {
      using fixture = openShop(profile);
      const { client, sandbox } = fixture;
      sandbox.engine.outcome = undefined;
      const startBuild = (schemaOrigin: SchemaOrigin): Promise<unknown> =>
        client.builds.start({ datamodelId: stores.datamodelId, buildType: 'full', schemaOrigin });
      await client.extractRules.create({ server: 'LocalHost', elasticube: 'Shop' }, [
        createShopRule(undefined, 'Store', []),
      ]);
      await startBuild('latest');
      await sandbox.clock.advance(10_000);
      sandbox.engine.finish(outcome);
      await sandbox.clock.advance(50_000);
      if (kind === 'overlapping') {
        await startBuild('latest');
        await sandbox.clock.advance(10_000);
      }
      const columns = getColumns(await fixture.read(createTableRef('Stores')));
      await client.tables.update(stores, {
        columns: columns.map(
          (column): JsonObject => (column['name'] === 'Store' ? { ...column, name: 'Renamed' } : column),
        ),
      });
      await sandbox.clock.advance(60_000);
      if (kind !== 'overlapping') {
        await startBuild(kind);
        await sandbox.clock.advance(10_000);
      }
      sandbox.engine.finish(outcome);
      await sandbox.clock.advance(50_000);
      // By its times, the last build has the new name.
      const { lastUpdated, lastSuccessfulBuildTime } = await fixture.readObject({
        kind: 'datamodel',
        datamodelId: stores.datamodelId,
      });
      expect(getText(lastSuccessfulBuildTime) > getText(lastUpdated)).toBe(true);
      const rules = await readShopRules(fixture);
      const { plan } = await fixture
        .open()
        .writer.plan(
          createOperation(
            createRuleWrites(shop, { adds: [], deletes: rules.map((rule, index) => ({ rule, index })) }),
            'apply',
          ),
        );
      const { subjects } = expectDefined(await plan.loadAccess());
      expect(subjects).toEqual([expect.objectContaining({ untilBuild: expect.anything() })]);
    },
  );
});
