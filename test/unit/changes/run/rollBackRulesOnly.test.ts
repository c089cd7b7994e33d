import { expect, test } from 'vitest';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { createShopRule, openShop, readShopRules, shop } from './renameColumn.ts';
import {
  advanceUntilSettled,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getColumns,
  getFailure,
} from './support.ts';

const stores = createTableRef('Stores');

test.each(
  (['guide', 'contract'] as const).flatMap((profile) =>
    (['undo', 'restore'] as const).map((mode) => [profile, mode] as const),
  ),
)(
  'rules on a column that a stopped change could not create are removed, without overwriting what others have changed in the table (%s, %s)',
  async (profile, mode) => {
    const fixture = openShop(profile);
    using _ = fixture;
    const { writer, history } = fixture.open();
    const columns = getColumns(await fixture.read(stores));
    const operation = createOperation(
      [
        ...createRuleWrites(shop, { adds: [createShopRule(undefined, 'Initial', [])], deletes: [] }),
        createTableUpdate('Stores', { columns: [...columns, { id: 'Initial', name: 'Initial', type: 18 }] }),
      ],
      'apply',
    );
    fixture.getWriteFault = (line) => (line.startsWith('PATCH') ? 'refusal' : undefined);
    expect(await getFailure(advanceUntilSettled(fixture, runApproved(writer, operation)))).toBeInstanceOf(
      StoppedError,
    );
    fixture.getWriteFault = () => undefined;
    await fixture.sandbox.clock.advance(1000);
    const entry = expectDefined((await history.readEntries(connectionId))[0]);
    expect(await readShopRules(fixture)).toHaveLength(1);
    const described = columns.map((column) =>
      column['name'] === 'City' ? { ...column, description: 'Theirs' } : column,
    );
    await fixture.client.tables.update(stores, { columns: described });

    const { laterChanges, ...review } = await writer.planUndoForReview(entry, mode, {
      overwrittenIds: new Set(),
      names: new Map(),
    });
    expect(laterChanges.flatMap(({ keptRuleColumns = [] }) => keptRuleColumns)).toEqual([]);
    const { operation: undo, ...options } = review;
    await advanceUntilSettled(fixture, runApproved(writer, undo, { ...options, undoneEntryId: entry.id }));
    expect(await readShopRules(fixture)).toEqual([]);
    expect(getColumns(await fixture.read(stores)).map((column) => getText(column['description']))).toContain(
      'Theirs',
    );
  },
);
