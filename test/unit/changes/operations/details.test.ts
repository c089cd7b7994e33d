import { describe, expect, test } from 'vitest';
import { type JsonObject, parseLossless, stringify } from '../../../../src/base/json.ts';
import { mask } from '../../../../src/base/secrets/mask.ts';
import { createConnectionChangeOperation } from '../../../../src/changes/model/datasetWrites.ts';
import { createRelationExtensionOperation } from '../../../../src/changes/model/relationWrites.ts';
import { listDatasetConnections } from '../../../../src/changes/operations/datasetConnections.ts';
import {
  createColumnDescriptionOperation,
  createTableDescriptionOperation,
} from '../../../../src/changes/operations/tableActions.ts';

const location = { connectionId: 'c1', within: ['Retail'] };
const ids = { datamodelId: 'm1', datasetId: 'd1', tableId: 't1' };

describe('descriptions', () => {
  test('the description of a table is sent alone', () => {
    const { writes } = createTableDescriptionOperation(location, ids, 'Orders', 'All orders');
    expect(writes.map(({ endpoint, body }) => [endpoint, body])).toEqual([
      ['tables.update', { description: 'All orders' }],
    ]);
  });

  test('the description of a column is sent with all columns, whose numbers keep every digit', () => {
    const table = parseLossless(
      '{"name":"Orders","columns":[{"oid":"a","name":"Id","size":12345678901234567890},{"oid":"b","name":"Total"}]}',
    ) as JsonObject;
    const { writes, subject } = createColumnDescriptionOperation(location, ids, table, 'b', 'With tax');
    expect(stringify(writes[0]?.body)).toBe(
      '{"columns":[{"oid":"a","name":"Id","size":12345678901234567890},{"oid":"b","name":"Total","description":"With tax"}]}',
    );
    expect(subject).toEqual({ name: 'Total', within: ['Retail', 'Orders'] });
  });
});

test('a column is added to a relation after its existing columns, which are sent as well', () => {
  const columns = [
    { dataset: 'd1', table: 't1', column: 'a' },
    { dataset: 'd1', table: 't2', column: 'b' },
  ];
  const relation = { name: 'A – B – C', columns };
  const addedColumn = { dataset: 'd2', table: 't3', column: 'c', label: 'C' };
  const { writes } = createRelationExtensionOperation(
    location,
    { datamodelId: 'm1', relationId: 'r1' },
    relation,
    addedColumn,
  );
  expect(writes[0]?.endpoint).toBe('relations.update');
  expect(writes[0]?.body).toEqual({ columns: [...columns, { dataset: 'd2', table: 't3', column: 'c' }] });
});

describe('connections of datasets', () => {
  const csvConnection = { provider: 'CSV', parameters: { files: [{ path: 'a.csv' }, 'b.csv'] } };
  const databaseConnection = {
    oid: 'x',
    owner: 'somebody',
    lastModified: 'today',
    provider: 'PostgreSQL',
    schema: 'public',
    parameters: { Server: 'db.example', Database: 'shop', Password: 'hush' },
  };
  const datamodels = [
    {
      title: 'One',
      datasets: [
        { oid: 'd1', name: 'Files', connection: csvConnection },
        { oid: 'd2', name: 'Warehouse', connection: databaseConnection },
      ],
    },
    {
      title: 'Two',
      datasets: [
        {
          oid: 'd3',
          name: 'Same',
          connection: { ...databaseConnection, oid: 'y', lastModified: 'yesterday' },
        },
        { oid: 'd4', name: 'Other files', connection: { ...csvConnection, schema: 'c.csv', parameters: {} } },
        { oid: 'd5', name: 'Custom', connection: null },
      ],
    },
  ];

  test('are listed once each, first those of the same connector, without the connection of the dataset itself', () => {
    const connections = listDatasetConnections(datamodels, 'd1');
    expect(connections.map(({ provider, source, usedBy }) => [provider, source, usedBy])).toEqual([
      ['CSV', 'c.csv', [['Two', 'Other files']]],
      [
        'PostgreSQL',
        'db.example/shop',
        [
          ['One', 'Warehouse'],
          ['Two', 'Same'],
        ],
      ],
    ]);
    expect(listDatasetConnections(datamodels, 'd3').map(({ source }) => source)).toEqual([
      'a.csv, b.csv',
      'c.csv',
    ]);
  });

  test('secrets are masked, and fields that the server maintains are left out', () => {
    expect(listDatasetConnections(datamodels, 'd1').at(-1)?.connection).toEqual({
      provider: 'PostgreSQL',
      schema: 'public',
      parameters: { Server: 'db.example', Database: 'shop', Password: mask },
    });
  });

  test('parameters that are one encrypted text are sent as they are, and the write says that they are encrypted', () => {
    const encryptedConnection = { provider: 'sql', name: 'Warehouse', parameters: 'AbC1==' };
    const [knownConnection] = listDatasetConnections(
      [{ title: 'One', datasets: [{ oid: 'd', connection: encryptedConnection }] }],
      'q',
    );
    expect(knownConnection).toMatchObject({ connection: encryptedConnection, source: '' });
    const createWrites = (connection: JsonObject) =>
      createConnectionChangeOperation(location, ids, 'Source', connection).writes;
    expect(createWrites(encryptedConnection)[0]).toMatchObject({
      body: { connection: encryptedConnection },
      sendEncryptedParameters: true,
    });
    expect(createWrites(csvConnection)[0]).not.toHaveProperty('sendEncryptedParameters');
  });
});
