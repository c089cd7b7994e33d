import { expect, test } from 'vitest';
import { createRetail, createSandbox } from './support.ts';

test('a relation has at least 2 columns (rest-api.md, "Limits" and "Errors" 2)', async () => {
  const sandbox = createSandbox();
  const { path, ends } = await createRetail(sandbox);
  for (const columns of [undefined, [], [ends[0]], 'x', [1, 2], [{ table: 'a' }, ends[0]]]) {
    const reply = await sandbox.send('POST', `${path}/relations`, { columns });
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain('columns');
  }
  const created = await sandbox.send('POST', `${path}/relations`, { columns: ends });
  expect(created.status).toBe(201);
  expect(
    (await sandbox.send('PATCH', `${path}/relations/${created.body.oid}`, { columns: [ends[0]] })).status,
  ).toBe(400);
});

test('each end names a column of the datamodel by its three oids (rest-api.md, "Relation")', async () => {
  const sandbox = createSandbox();
  const { path, ends, orders } = await createRetail(sandbox);
  for (const invalidEnd of [
    { ...ends[0], column: 'nothing' },
    { ...ends[0], table: 'nothing' },
    { ...ends[1], table: orders.oid },
    { ...ends[0], dataset: 'nothing' },
  ]) {
    const reply = await sandbox.send('POST', `${path}/relations`, { columns: [ends[1], invalidEnd] });
    expect(reply.status).toBe(400);
    expect(reply.body.detail).toContain('columns/1');
  }
});

test('on PATCH, columns not sent are removed from the relation (rest-api.md, "Datamodel API" 3)', async () => {
  const sandbox = createSandbox();
  const { path, ends, createEnd, orders, create } = await createRetail(sandbox);
  const relation = await create(`${path}/relations`, { columns: [...ends, createEnd(orders, 0)], note: 1 });
  const changed = await sandbox.send('PATCH', `${path}/relations/${relation.oid}`, {
    columns: [ends[1], ends[0]],
  });
  expect(changed.body.columns.map((c: { column: string }) => c.column)).toEqual([
    ends[1]?.column,
    ends[0]?.column,
  ]);
  expect(changed.body).toMatchObject({ oid: relation.oid, note: 1 });
  expect((await sandbox.send('GET', `${path}/relations`)).body).toEqual([changed.body]);
});

test('a dangling end may stay until the caller removes it, but cannot be added again', async () => {
  const sandbox = createSandbox();
  const { path, datasetPath, orders, ends, createEnd, create } = await createRetail(sandbox);
  const third = createEnd(orders, 2);
  const relation = await create(`${path}/relations`, { columns: [...ends, third] });
  const firstTwo = orders.columns.slice(0, 2);
  await sandbox.send('PATCH', `${datasetPath}/tables/${orders.oid}`, { columns: firstTwo });
  const relationPath = `${path}/relations/${relation.oid}`;
  expect((await sandbox.send('GET', relationPath)).body.columns[2]).toMatchObject({
    ...third,
    isDropped: true,
  });
  const sentAsIntact = await sandbox.send('PATCH', relationPath, {
    columns: [...ends, { ...third, isDropped: null }],
  });
  expect(sentAsIntact.body.columns[2].isDropped).toBe(true);
  expect((await sandbox.send('PATCH', relationPath, { columns: ends })).status).toBe(200);
  expect((await sandbox.send('PATCH', relationPath, { columns: [...ends, third] })).status).toBe(400);
});

test('DELETE deletes the relation (rest-api.md, "Datamodel API")', async () => {
  const sandbox = createSandbox();
  const { path, ends, create } = await createRetail(sandbox);
  const relation = await create(`${path}/relations`, { columns: ends });
  expect((await sandbox.send('DELETE', `${path}/relations/${relation.oid}`)).status).toBe(200);
  expect((await sandbox.send('GET', `${path}/relations/${relation.oid}`)).status).toBe(404);
  expect((await sandbox.send('DELETE', `${path}/relations/${relation.oid}`)).status).toBe(404);
  expect((await sandbox.send('PATCH', `${path}/relations/nothing`, { columns: ends })).status).toBe(404);
});
