import { expect, test } from 'vitest';
import { type JsonObject, isJsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { noMemory } from '../../../src/documents/baseMemory.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import type { SaveIntent } from '../../../src/documents/saveIntent.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import { planSavedRenames, findRenames } from '../../../src/changes/plan/rename/planRename.ts';
import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { PlanNeededError } from '../../../src/changes/run/writeErrors.ts';
import { readRenameState } from '../../../src/changes/plan/readRenameState.ts';
import { Bench, columnsIn, connectionId, tableRef } from '../changes/run/support.ts';

test('a save that renames a column updates the references by name as well, and then breaks nothing', async () => {
  using bench = new Bench();
  const { writer, history } = bench.open();
  const documents = new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client: bench.client }) },
    getWriter: () => Promise.resolve(writer),
    clock: bench.sandbox.clock,
    editor: { isDirty: () => false },
    memory: noMemory,
    aliases: new RuleAliases({ read: () => undefined, write: () => undefined }),
  });
  const path = createDocumentPath({
    connectionId,
    resource: tableRef('Orders'),
    name: 'Orders',
    within: ['Retail'],
  });
  const table = parseLossless(new TextDecoder().decode(await documents.read(path)));
  if (!isJsonObject(table)) {
    throw new Error('The table is no object');
  }
  const columns = columnsIn(table).map((one) => (one['name'] === 'Status' ? { ...one, name: 'State' } : one));
  const bytes = new TextEncoder().encode(stringify({ ...table, columns }));
  const save = (intent?: SaveIntent) =>
    documents.write(path, bytes, { byHand: true, intent, onUnknown: () => undefined });

  const refused = await save().catch((error: unknown) => error);
  if (!(refused instanceof PlanNeededError)) {
    throw new Error('The save was not refused');
  }
  expect(refused.plan.breaks.length).toBeGreaterThan(0);
  const { operation } = refused.plan;
  const state = await readRenameState(bench.client, createSeedOid('Retail'));
  const [write] = operation.writes;
  const renames = write === undefined ? [] : findRenames(write, table);
  expect(renames.map(({ to }) => to)).toEqual(['State']);
  const whole = state && planSavedRenames(state, operation, { renames });
  const saved = await save({ additionalWrites: whole?.operation.writes.slice(1) ?? [] });

  expect(saved.report?.writes.length).toBeGreaterThan(1);
  const monthly = await bench.object(tableRef('Monthly Store Sales'));
  expect((monthly['expression'] as JsonObject)['expression']).toContain("WHERE o.[State] <> 'Cancelled'");
  // One entry, undone as one.
  expect(await history.readEntries(connectionId)).toHaveLength(1);
  // Its own SQL was updated too, and the editor is asked to reload it.
  expect(await documents.acknowledgeSave(path)).toBe(true);
  const now = await documents.read(path);
  expect(new TextDecoder().decode(now)).toContain("CASE WHEN [State] = 'Cancelled'");
  // It applied to that save only.
  expect(
    (await documents.write(path, now, { byHand: true, onUnknown: () => undefined })).report,
  ).toBeUndefined();
});
