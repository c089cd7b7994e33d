import { tableCreation, tableDeletion, tableUpdate } from '../../../src/changes/model/tableWrites.ts';
import { oid } from '../../../src/sandbox/seeds/ids.ts';
import { anyObject, flag, list, shape, text, uuid, whole, word } from '../../contract/shapes.ts';
import type { Deviation, ExamplesOf } from './example.ts';
import { removed, removedInGuide, retail, retailOrders } from './shared.ts';

const columnFields = {
  name: text,
  type: whole,
  size: whole,
  precision: whole,
  scale: whole,
  hidden: flag,
  indexed: flag,
  description: text,
  import: flag,
  isCustom: flag,
};
const expressionOutput = shape({}, { oid: uuid, expression: text, lastUpdated: text });
const buildBehavior = shape(
  { type: word('sync', 'accumulativeSync', 'ignoreIfExists') },
  {
    accumulativeConfig: shape(
      { column: text, type: word('lastStored', 'lastDays') },
      { lastDays: whole, keepOnlyDays: whole },
    ),
  },
);
const fields = {
  name: text,
  hidden: flag,
  buildBehavior,
  configOptions: anyObject,
  description: text,
  tags: list(text),
  type: word('base', 'custom'),
};
const input = shape(
  { id: text, columns: list(shape({ id: text }, { ...columnFields, expression: text })) },
  { ...fields, expression: text },
);
const output = shape(
  {},
  {
    ...fields,
    id: text,
    oid: uuid,
    columns: list(shape({}, { ...columnFields, id: text, oid: uuid, expression: expressionOutput })),
    expression: expressionOutput,
    lastUpdated: text,
    createdAt: text,
  },
);
const path = '/datamodels/{datamodelId}/schema/datasets/{datasetId}/tables';

const columnSqlInGuide: Deviation = {
  name: 'SQL of a column',
  profile: 'guide',
  side: 'answer',
  at: /\/columns\/#\/expression$/,
  reason: 'The spec has text.',
};

export const tableExamples: ExamplesOf<'tables'> = {
  'tables.list': {
    call: (client, { datamodelId, datasetId }, signal) =>
      client.tables.list({ datamodelId, datasetId }, signal),
    operation: { source: `v2.0 GET ${path}`, statuses: [200], answer: list(output) },
    deviations: [columnSqlInGuide],
  },
  'tables.get': {
    call: (client, { datamodelId, datasetId, tableId }, signal) =>
      client.tables.get({ datamodelId, datasetId, tableId }, signal),
    operation: { source: `v2.0 GET ${path}/{tableId}`, statuses: [200], answer: output },
    deviations: [columnSqlInGuide],
  },
  'tables.create': {
    call: (client, { datamodelId, datasetId }, signal) =>
      client.tables.create(
        { datamodelId, datasetId },
        { name: 'Counts', type: 'custom', expression: 'SELECT 1 AS one' },
        signal,
      ),
    operation: { source: `v2.0 POST ${path}`, statuses: [201], request: input, answer: output },
    deviations: [
      {
        name: 'columns of custom tables',
        side: 'request',
        at: /^\/columns$/,
        reason:
          'A slip of the contract: it requires columns, which a custom table gets from its SQL. The recorded request of the vendor does not send them.',
      },
      columnSqlInGuide,
    ],
    write: () =>
      tableCreation(
        { ...retail, datasetId: oid('Retail/dataset/Custom Tables') },
        { name: 'Mine', type: 'custom', expression: 'SELECT 1 AS [One]' },
      ),
  },
  'tables.update': {
    call: (client, { datamodelId, datasetId, tableId }, signal) =>
      client.tables.update({ datamodelId, datasetId, tableId }, { description: 'All stores' }, signal),
    operation: {
      source: `v2.0 PATCH ${path}/{tableId}`,
      statuses: [200],
      request: output,
      answer: output,
    },
    deviations: [
      {
        name: 'SQL in a PATCH',
        side: 'request',
        at: /\/expression$/,
        reason:
          'A slip of the contract: the body of the PATCH is given the shape of its answer. The recorded request of the vendor sends text.',
      },
      columnSqlInGuide,
    ],
    write: () => tableUpdate(retailOrders, { description: 'All orders' }),
  },
  'tables.delete': {
    call: (client, { datamodelId, datasetId, tableId }, signal) =>
      client.tables.delete({ datamodelId, datasetId, tableId }, signal),
    operation: { source: `v2.0 DELETE ${path}/{tableId}`, statuses: [200], answer: removed },
    deviations: [removedInGuide],
    write: () => tableDeletion(retailOrders),
  },
};
