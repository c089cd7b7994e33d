import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { runKilled } from './simulateInterruption.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
} from './support.ts';

const path = { server: 'LocalHost', elasticube: 'Shop' } as const;
export const shop = { kind: 'extract', ...path } as const;
const table = createTableRef('Stores');
const columnIndex = 1;
export const newName = 'Renamed';

/** Opens the demo; its datamodel Retail has another title, and so no rules. */
export function openShop(profile: ProfileName = 'guide'): ChangeFixture {
  const fixture = new ChangeFixture({ profile });
  const { datamodels } = fixture.sandbox.store;
  const { datamodelId } = table;
  const model = { ...expectDefined(datamodels.getDocument(datamodelId)), title: shop.elasticube };
  datamodels.delete(datamodelId);
  datamodels.insert(model);
  datamodels.setBuiltSchema(datamodelId, model);
  return fixture;
}

export const createShopRule = (
  group: { readonly _id: string } | undefined,
  column: string,
  members: readonly string[],
): JsonObject => ({
  table: 'Stores',
  column,
  datatype: 'text',
  members,
  allMembers: members.length === 0 ? false : null,
  exclusionary: false,
  shares: [group === undefined ? { type: 'default' } : { type: 'group', party: group._id }],
});

export const readShopRules = async (fixture: ChangeFixture): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject: shop }));

/** The rules as texts: `Column: ["member"]`. */
export const describeShopRules = async (fixture: ChangeFixture): Promise<readonly string[]> =>
  (await readShopRules(fixture))
    .map(({ column, members }) => `${getText(column)}: ${JSON.stringify(members)}`)
    .toSorted();

/** The current name of the column. */
export const readColumnName = async (fixture: ChangeFixture): Promise<string> =>
  getText(getColumns(await fixture.read(table))[columnIndex]?.['name']);

/** Returns whether the column has rules, whatever its current name. */
export async function hasRules(fixture: ChangeFixture): Promise<boolean> {
  const name = await readColumnName(fixture);
  return (await readShopRules(fixture)).some(({ column }) => column === name);
}

/**
 * Creates rules on a column, and an apply in three steps that renames it: it adds the rules on the new name, renames the
 * column, and deletes the rules on the old name.
 */
export async function createRename(
  fixture: ChangeFixture,
): Promise<{ readonly operation: Operation; readonly oldName: string }> {
  const columns = getColumns(await fixture.read(table));
  const oldName = await readColumnName(fixture);
  const createRules = (column: string): readonly JsonObject[] => [
    createShopRule(undefined, column, []),
    createShopRule(groups.sales, column, ['a']),
  ];
  await fixture.client.extractRules.create(path, createRules(oldName));
  const current = await readShopRules(fixture);
  const operation = createOperation(
    [
      ...createRuleWrites(shop, { adds: createRules(newName), deletes: [] }),
      createTableUpdate('Stores', {
        columns: columns.map((column, index) =>
          index === columnIndex ? { ...column, name: newName } : column,
        ),
      }),
      ...createRuleWrites(shop, { adds: [], deletes: current.map((rule, index) => ({ rule, index })) }),
    ],
    'apply',
  );
  return { operation, oldName };
}

/** Runs the apply as a process that is killed right before it deletes the rules on the old name. */
export async function killRename(fixture: ChangeFixture, operation: Operation): Promise<void> {
  const { writer } = fixture.open();
  await runKilled(fixture, { killedAt: 3, loss: 'request-lost' }, () =>
    advanceUntilSettled(fixture, runApproved(writer, operation)),
  );
}
