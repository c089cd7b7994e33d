import { describe, expect, test } from 'vitest';
import { getText } from '../../../../src/changes/model/readJson.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { killed } from './interrupted.ts';
import { Bench, connectionId, failure, getIds, operation, tableRef, updateTable } from './support.ts';

const orders = tableRef('Orders');
const stores = tableRef('Stores');
const described = (table: string, description: string): Write => updateTable(table, { description });

/** Two tables were to be described, and the window was killed after the first. */
async function afterTheFirst(bench: Bench) {
  const before = await bench.object(orders);
  await stopped(bench, operation([described('Orders', 'Mine'), described('Stores', 'Mine')]));
  return { before, ...(await killed(bench, ({ write }) => write === 0)) };
}

/** Its last write, to Stores, does not arrive. */
async function stopped(bench: Bench, both: Operation): Promise<void> {
  bench.lose = (line) => (line.includes(stores.tableId) ? 'request' : undefined);
  await failure(bench.open().writer.run(both));
  bench.lose = () => undefined;
}

/** Another user, unknown to the history. */
const stranger = (bench: Bench, table: string, description: string) =>
  bench.client.tables.update(getIds(tableRef(table)) as Parameters<typeof bench.client.tables.update>[0], {
    description,
  });

describe('rolling back an unfinished operation', () => {
  test('restores what the operation had changed', async () => {
    using bench = new Bench();
    const { writer, history, entry, before } = await afterTheFirst(bench);
    await writer.rollBack(entry);
    expect(await bench.object(orders)).toMatchObject({ description: before['description'] });
    expect(await history.readEntry(connectionId, entry.id)).toMatchObject({ end: 'rolled-back' });
  });

  test('overwrites no later changes, and stays unfinished', async () => {
    using bench = new Bench();
    const { writer, history, entry, before } = await afterTheFirst(bench);
    await stranger(bench, 'Orders', 'Theirs');
    const conflict = await failure(writer.rollBack(entry));
    expect(conflict).toBeInstanceOf(ConflictError);
    expect(conflict).toMatchObject({ ref: orders, document: { description: 'Theirs' } });
    expect(await bench.object(orders)).toMatchObject({ description: 'Theirs' });
    expect(await history.readUnfinished(connectionId)).toMatchObject([{ id: entry.id }]);
    // The user may confirm it anyway.
    const stopped = await writer.abandon(entry);
    const { operation: back } = await writer.planRestore(stopped);
    await writer.run(back, { undoes: entry.id });
    expect(await bench.object(orders)).toMatchObject({ description: before['description'] });
    expect(await history.readUnfinished(connectionId)).toEqual([]);
  });

  test('is no conflict with a server that returns nothing', async () => {
    using bench = new Bench();
    bench.mute = (line) => line.startsWith('PATCH');
    const { writer, entry, before } = await afterTheFirst(bench);
    await writer.rollBack(entry);
    expect(await bench.object(orders)).toMatchObject({ description: before['description'] });
  });

  test("detects another user's change on a server that returns nothing", async () => {
    using bench = new Bench();
    bench.mute = (line) => line.startsWith('PATCH');
    const { writer, entry } = await afterTheFirst(bench);
    await bench.client.tables.update(orders, { hidden: true });
    expect(await failure(writer.rollBack(entry))).toBeInstanceOf(ConflictError);
    expect(await bench.object(orders)).toMatchObject({ description: 'Mine', hidden: true });
  });

  test('does not delete a container to which something was added since', async () => {
    using bench = new Bench();
    const creation: Write = {
      endpoint: 'datasets.create',
      params: { datamodelId: createSeedOid('Retail') },
      body: { name: 'New', type: 'custom' },
      target: { kind: 'datamodel', datamodelId: createSeedOid('Retail') },
    };
    await stopped(bench, operation([creation, described('Stores', 'Mine')], 'create'));
    const { writer, entry } = await killed(bench, ({ write }) => write === 0);
    const [state] = entry.writes;
    const datasetId = getOid(state?.state === 'done' ? state.answer : undefined);
    const place = { datamodelId: createSeedOid('Retail'), datasetId };
    const table = { name: 'Theirs', type: 'custom', expression: 'SELECT 1 AS one' } as const;
    const { json } = await bench.client.tables.create(place, table);
    expect(await failure(writer.rollBack(entry))).toBeInstanceOf(ConflictError);
    await bench.client.tables.delete({ ...place, tableId: getOid(json) });
    await writer.rollBack(entry);
    expect(await bench.read({ kind: 'dataset', ...place })).toBeUndefined();
  });
});

describe('a write that may not have been sent', () => {
  /** The window was killed between the line in the journal and the request. */
  async function beforeTheFirst(bench: Bench) {
    const { description } = await bench.object(orders);
    await bench.open().writer.run(operation([described('Orders', 'Mine')]));
    await stranger(bench, 'Orders', getText(description));
    return killed(bench, ({ line }) => line === 'sending');
  }

  test.each(['resume', 'rollBack'] as const)(
    'does not count as done if another user has changed the document: %s',
    async (ending) => {
      using bench = new Bench();
      const { writer, history, entry } = await beforeTheFirst(bench);
      await stranger(bench, 'Orders', 'Theirs');
      expect(await failure(writer[ending](entry))).toMatchObject({ name: 'ConflictError', ref: orders });
      expect(await bench.object(orders)).toMatchObject({ description: 'Theirs' });
      expect(await history.readUnfinished(connectionId)).toMatchObject([{ writes: [{ state: 'sending' }] }]);
    },
  );

  test('is sent if the document is unchanged', async () => {
    using bench = new Bench();
    const { writer, entry } = await beforeTheFirst(bench);
    await writer.resume(entry);
    expect(await bench.object(orders)).toMatchObject({ description: 'Mine' });
  });

  test('does not delete a document that was changed since', async () => {
    using bench = new Bench();
    const viewpoint = (await bench.client.viewpoints.list({ limit: 1 })).value.viewpoints[0];
    const params = { viewpointId: viewpoint?.id ?? '' };
    const deletion = operation([
      { endpoint: 'viewpoints.delete', params, target: { kind: 'viewpoint', ...params } },
    ]);
    const ref: ResourceRef = { kind: 'viewpoint', ...params };
    const before = [{ ref, document: await bench.object(ref) }];
    await (await bench.open().history.begin({ operation: deletion, before })).recordSending(0);
    const left = await killed(bench, ({ line }) => line === 'sending');
    await bench.client.viewpoints.update(params, { description: 'Theirs' });
    expect(await failure(left.writer.resume(left.entry))).toBeInstanceOf(ConflictError);
    expect(await bench.object({ kind: 'viewpoint', ...params })).toMatchObject({ description: 'Theirs' });
    await left.writer.rollBack(left.entry);
    expect(await bench.object({ kind: 'viewpoint', ...params })).toMatchObject({ description: 'Theirs' });
  });
});

const getOid = (value: unknown): string => getText(Reflect.get(Object(value), 'oid'));
