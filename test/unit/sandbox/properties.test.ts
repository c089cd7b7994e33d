import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLossless, stringify } from '../../../src/base/json.ts';
import { type EndpointId, endpoints, formatPath } from '../../../src/contract/endpoints.ts';
import {
  createColumn,
  createRetail,
  createSandbox,
  createLiveRule,
  type Reply,
  createRule,
} from './support.ts';

const endpointIds = Object.keys(endpoints) as EndpointId[];

/** Valid bodies: invalid ones that resemble them reach more of the code than arbitrary ones. */
const validBodies: readonly Readonly<Record<string, unknown>>[] = [
  { title: 'T', type: 'extract' },
  { name: 'D', type: 'extract', connection: { provider: 'CSV', parameters: { files: ['a.csv'] } } },
  { id: 'a.csv', name: 'A', columns: [{ id: 'x', type: 8 }], expression: { expression: 'SELECT 1' } },
  {
    columns: [
      { dataset: 'a', table: 'b', column: 'c' },
      { dataset: 'a', table: 'b', column: 'd' },
    ],
  },
  { server: 'LocalHost', elasticube: 'Retail', ...createRule() },
  createLiveRule(),
  { datamodelId: 'x', buildType: 'full', schemaOrigin: 'latest', rowLimit: 5 },
  { queryForSearch: { a: { $gt: 1, $in: [1] } }, objectForUpdate: { b: 1 } },
  {
    name: 'V',
    description: '',
    details: { columns: [] },
    visibility: { apps: ['x'], users: ['y'], enabled: true },
  },
];

const anyJson = fc.jsonValue({ maxDepth: 4 });

/** A valid body with some members replaced by random values. */
const nearlyValid = fc
  .tuple(
    fc.constantFrom(...validBodies),
    fc.dictionary(fc.constantFrom(...new Set(validBodies.flatMap(Object.keys))), anyJson, { maxKeys: 3 }),
  )
  .map(([seed, changes]) => ({ ...seed, ...changes }));

const anyBody = fc.oneof(
  anyJson.map((value) => JSON.stringify(value)),
  nearlyValid.map((value) => JSON.stringify(value)),
  fc.array(nearlyValid, { maxLength: 3 }).map((value) => JSON.stringify(value)),
  fc.constantFrom('{"__proto__":{"a":1}}', '[{"__proto__":1,"constructor":2}]', '{"toString":null,"$gt":1}'),
  fc.string({ unit: 'binary' }),
);

test('any body on any endpoint gets a response, and never a server error', async () => {
  const sandbox = createSandbox();
  const { model, dataset, orders } = await createRetail(sandbox);
  const knownNames = [model.oid, dataset.oid, orders.oid, 'Retail', 'LocalHost', 'x'];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...endpointIds),
      anyBody,
      fc.array(fc.constantFrom(...knownNames), { minLength: 5, maxLength: 5 }),
      fc.webQueryParameters(),
      async (id, body, names, query) => {
        const knownParams: Record<string, string> = {
          datamodelId: model.oid,
          datasetId: dataset.oid,
          tableId: orders.oid,
        };
        const params = new Proxy(knownParams, {
          get: (target, name: string) => target[name] ?? names.pop() ?? 'x',
        });
        const { method } = endpoints[id];
        // The other requests need the model.
        if (id === 'datamodels.delete' || id === 'datasets.delete' || id === 'tables.delete') {
          return;
        }
        const hasBody = method !== 'GET';
        const reply = await sandbox.send(
          method,
          `${formatPath(id, params)}?${query}`,
          hasBody ? body : undefined,
        );
        expect(reply.status).toBeLessThan(500);
        expect(reply.body).toBeDefined();
      },
    ),
    { numRuns: 1500 },
  );
  expect(sandbox.errors).toEqual([]);
  expect((await sandbox.send('GET', '/api/v2/datamodels')).status).toBe(200);
});

test('any query gets a response, and never a server error', async () => {
  const { send, errors } = createSandbox();
  await send('POST', '/api/v1/custom_data', { a: 1, b: [{ c: 'x' }], app: 'y' });
  const operatorOrField = fc.constantFrom(
    '$gt',
    '$in',
    '$exists',
    '$regex',
    '$elemMatch',
    '$not',
    '$and',
    '$or',
    '$size',
    '$type',
    '$mod',
    '$all',
    'a',
    'b.c',
    'visibility',
    'details',
    'name',
    'lastUpdate',
  );
  const filter = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      anyJson,
      fc.dictionary(operatorOrField, tie('node'), { maxKeys: 3 }),
      fc.array(tie('node'), { maxLength: 3 }),
    ),
  })).node;
  await fc.assert(
    fc.asyncProperty(filter, async (value) => {
      const text = encodeURIComponent(JSON.stringify(value));
      expect((await send('GET', `/api/v1/custom_data/query?query=${text}`)).status).toBeLessThan(500);
      expect((await send('GET', `/api/v1/infusion/viewpoints?search=${text}`)).status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
  expect(errors).toEqual([]);
});

/** JSON text with numbers that a double cannot hold. */
const exactJson = fc
  .dictionary(fc.string({ minLength: 1 }), fc.oneof(anyJson, fc.constantFrom('#1', '#2', '#3', '#4')), {
    maxKeys: 6,
  })
  .map((value) =>
    JSON.stringify(value)
      .replaceAll('"#1"', '12345678901234567890')
      .replaceAll('"#2"', '1.0')
      .replaceAll('"#3"', '-0')
      .replaceAll('"#4"', '1E+2'),
  );

test('a stored document is returned with the same meaning and all digits', async () => {
  const { send } = createSandbox();
  const withoutId = (text: string): string => {
    const { _id, ...rest } = parseLossless(text) as Record<string, unknown>;
    return stringify(rest);
  };
  await fc.assert(
    fc.asyncProperty(exactJson, async (text) => {
      const stored = await send('POST', '/api/v1/custom_data', `{"_x":0,${text.slice(1)}`.replace(',}', '}'));
      fc.pre(stored.status === 201);
      const list = await send('GET', `/api/v1/custom_data/query?query={"_id":"${stored.body._id}"}`);
      expect(withoutId(list.text.slice(1, -1))).toBe(
        withoutId(`{"_x":0,${text.slice(1)}`.replace(',}', '}')),
      );
    }),
    { numRuns: 200 },
  );
});

type Edit =
  | { readonly kind: 'addTable' | 'deleteTable' | 'deleteRelation' | 'deleteDataset'; readonly index: number }
  | {
      readonly kind: 'relate' | 'replaceColumns' | 'renameTable';
      readonly index: number;
      readonly other: number;
    };

const arbitraryEdit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(
    'addTable',
    'addTable',
    'relate',
    'relate',
    'replaceColumns',
    'renameTable',
    'deleteTable',
    'deleteRelation',
    'deleteDataset',
  ),
  index: fc.nat(20),
  other: fc.nat(20),
});

type Body = Reply['body'];
const pick = (list: readonly Body[], index: number): Body => list[index % Math.max(1, list.length)];

test('after creations, changes, and deletions in any order, IDs never change, and a relation to a missing column never looks intact', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryEdit, { maxLength: 25 }), async (edits) => {
      const sandbox = createSandbox();
      const { path } = await createRetail(sandbox);
      const itemsByOid = new Map<string, string>();
      for (const [step, { kind, index, ...rest }] of edits.entries()) {
        const other = 'other' in rest ? rest.other : 0;
        const before = (await sandbox.send('GET', path)).body;
        await applyEdit(sandbox, path, before, { kind, index, other, step });
        checkModel((await sandbox.send('GET', path)).body, itemsByOid);
      }
    }),
    { numRuns: 40 },
  );
});

async function applyEdit(
  { send }: ReturnType<typeof createSandbox>,
  path: string,
  model: Body,
  { kind, index, other, step }: { kind: string; index: number; other: number; step: number },
): Promise<void> {
  const dataset = pick(
    model.datasets.filter((d: Body) => d.type === 'extract'),
    index,
  );
  const tables = model.datasets.flatMap((d: Body) =>
    d.schema.tables.map((table: Body) => ({ dataset: d, table })),
  );
  const firstTable = pick(tables, index);
  const secondTable = pick(tables, other);
  const tablePath = firstTable && `${path}/datasets/${firstTable.dataset.oid}/tables/${firstTable.table.oid}`;
  const relation = pick(model.relations, index);
  if (kind === 'addTable' && dataset) {
    const body = { id: 'orders.csv', name: `T${step}`, columns: [createColumn('a'), createColumn('b')] };
    expect((await send('POST', `${path}/datasets/${dataset.oid}/tables`, body)).status).toBe(201);
  } else if (kind === 'relate' && firstTable && secondTable) {
    const ends = [firstTable, secondTable].map(({ dataset: d, table }) => ({
      dataset: d.oid,
      table: table.oid,
      column: table.columns[0]?.oid ?? '',
    }));
    const reply = await send('POST', `${path}/relations`, { columns: ends });
    expect(reply.status).toBe(ends.every((end) => end.column !== '') ? 201 : 400);
  } else if (kind === 'replaceColumns' && firstTable) {
    const columns = [...firstTable.table.columns.slice(other % 3), createColumn(`n${step}`)];
    expect((await send('PATCH', tablePath, { columns })).status).toBe(200);
  } else if (kind === 'renameTable' && firstTable) {
    expect((await send('PATCH', tablePath, { name: `R${step}` })).status).toBe(200);
  } else if (kind === 'deleteTable' && firstTable) {
    expect((await send('DELETE', tablePath)).status).toBe(200);
  } else if (kind === 'deleteRelation' && relation) {
    expect((await send('DELETE', `${path}/relations/${relation.oid}`)).status).toBe(200);
  } else if (kind === 'deleteDataset' && dataset && step % 5 === 0) {
    expect((await send('DELETE', `${path}/datasets/${dataset.oid}`)).status).toBe(200);
  }
}

/** @param itemsByOid the item that each oid has identified so far */
function checkModel(model: Body, itemsByOid: Map<string, string>): void {
  const currentOids = new Map<string, string>();
  const recordOid = (oid: string, item: string): void => {
    expect(currentOids.has(oid)).toBe(false);
    currentOids.set(oid, item);
    expect(itemsByOid.get(oid) ?? item).toBe(item);
    itemsByOid.set(oid, item);
  };
  const columns = new Set<string>();
  for (const dataset of model.datasets) {
    recordOid(dataset.oid, `dataset ${dataset.name}`);
    for (const table of dataset.schema.tables) {
      recordOid(table.oid, `table in ${dataset.oid}`);
      for (const { oid, id } of table.columns) {
        recordOid(oid, `column ${id} of ${table.oid}`);
        columns.add(`${dataset.oid}/${table.oid}/${oid}`);
      }
    }
  }
  for (const relation of model.relations) {
    recordOid(relation.oid, 'relation');
    for (const end of relation.columns) {
      expect(end.isDropped === true).toBe(!columns.has(`${end.dataset}/${end.table}/${end.column}`));
    }
  }
}
