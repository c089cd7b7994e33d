import { expect, test } from 'vitest';
import { type JsonObject, isJsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { noBaseStorage } from '../../../src/documents/baseStorage.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import type { SaveIntent } from '../../../src/documents/saveIntent.ts';
import { ErrorsFoundError } from '../../../src/documents/saveErrors.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import { findRenames } from '../../../src/changes/model/tableRenames.ts';
import { planSavedRenames } from '../../../src/changes/plan/rename/planRename.ts';
import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { PlanNeededError } from '../../../src/changes/run/writeErrors.ts';
import { readRenameState } from '../../../src/changes/plan/readRenameState.ts';
import { ChangeFixture, getColumns, connectionId, createTableRef } from '../changes/run/support.ts';

test('a save that renames a column updates the references by name as well, and then breaks nothing', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const documents = new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client: fixture.client }) },
    getWriter: () => Promise.resolve(writer),
    clock: fixture.sandbox.clock,
    editor: { isDirty: () => false },
    baseStorage: noBaseStorage,
    aliases: new RuleAliases({ read: () => undefined, write: () => undefined }),
  });
  const path = createDocumentPath({
    connectionId,
    resource: createTableRef('Orders'),
    name: 'Orders',
    within: ['Retail'],
  });
  const table = parseLossless(new TextDecoder().decode(await documents.read(path)));
  if (!isJsonObject(table)) {
    throw new Error('The table is no object');
  }
  const columns = getColumns(table).map((column) =>
    column['name'] === 'Status' ? { ...column, name: 'State' } : column,
  );
  const bytes = new TextEncoder().encode(stringify({ ...table, columns }));
  const save = (intent?: SaveIntent) =>
    documents.write(path, bytes, { isExplicit: true, intent, onResponseLost: () => undefined });

  // The user is asked about errors in the text first, except for uses of the old name: the review lists those.
  const replacedNames: (readonly string[])[] = [];
  const findErrors = (names: readonly string[]): readonly string[] => {
    replacedNames.push(names);
    return ['Unexpected ")".'];
  };
  await expect(documents.write(path, bytes, { isExplicit: true, findErrors })).rejects.toThrow(
    ErrorsFoundError,
  );
  expect(replacedNames).toEqual([['Status']]);

  const refused = await save().catch((error: unknown) => error);
  if (!(refused instanceof PlanNeededError)) {
    throw new Error('The save was not refused');
  }
  const brokenReferences = refused.plan.breaks.map(
    ({ referrerKind, referrer }) => `${referrerKind} ${referrer.name}`,
  );
  expect(brokenReferences).toEqual([
    'columnExpression Delivery',
    'tableExpression Monthly Store Sales',
    'tableExpression Customer Value',
    'rule Orders.Status',
    'rule Orders.Status',
  ]);
  const { operation } = refused.plan;
  const state = await readRenameState(fixture.client, createSeedOid('Retail'));
  const [write] = operation.writes;
  const renames = write === undefined ? [] : findRenames(write, table);
  expect(renames.map(({ newName }) => newName)).toEqual(['State']);
  const renamePlan = state && planSavedRenames(state, operation, { renames });
  const saved = await save({ additionalWrites: renamePlan?.operation.writes.slice(1) ?? [] });

  expect(saved.report?.writeStates.length).toBeGreaterThan(1);
  const monthly = await fixture.readObject(createTableRef('Monthly Store Sales'));
  expect((monthly['expression'] as JsonObject)['expression']).toContain("WHERE o.[State] <> 'Canceled'");
  // The save and its additional writes have one history entry.
  expect(await history.readEntries(connectionId)).toHaveLength(1);
  // The SQL of the table itself was updated, too, and the editor is asked to reload it.
  expect(await documents.acknowledgeSave(path)).toBe(true);
  const reloadedBytes = await documents.read(path);
  expect(new TextDecoder().decode(reloadedBytes)).toContain("CASE WHEN [State] = 'Canceled'");
  // The additional writes were sent with that save only.
  expect(
    (await documents.write(path, reloadedBytes, { isExplicit: true, onResponseLost: () => undefined }))
      .report,
  ).toBeUndefined();
});
