import {
  createTableCreationWrite,
  createTableDeletionWrite,
  createTableUpdateWrite,
} from '../../../src/changes/model/tableWrites.ts';
import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import {
  anyObjectShape,
  booleanShape,
  listShape,
  objectShape,
  textShape,
  uuidShape,
  integerShape,
  enumShape,
} from '../../contract/shapes.ts';
import type { Deviation, AreaExamples } from './example.ts';
import { deletionResponse, deletionResponseInGuide, retail, retailOrders } from './shared.ts';

const columnFields = {
  name: textShape,
  type: integerShape,
  size: integerShape,
  precision: integerShape,
  scale: integerShape,
  hidden: booleanShape,
  indexed: booleanShape,
  description: textShape,
  import: booleanShape,
  isCustom: booleanShape,
};
const expressionOutput = objectShape({}, { oid: uuidShape, expression: textShape, lastUpdated: textShape });
const buildBehavior = objectShape(
  { type: enumShape('sync', 'accumulativeSync', 'ignoreIfExists') },
  {
    accumulativeConfig: objectShape(
      { column: textShape, type: enumShape('lastStored', 'lastDays') },
      { lastDays: integerShape, keepOnlyDays: integerShape },
    ),
  },
);
const fields = {
  name: textShape,
  hidden: booleanShape,
  buildBehavior,
  configOptions: anyObjectShape,
  description: textShape,
  tags: listShape(textShape),
  type: enumShape('base', 'custom'),
};
const input = objectShape(
  {
    id: textShape,
    columns: listShape(objectShape({ id: textShape }, { ...columnFields, expression: textShape })),
  },
  { ...fields, expression: textShape },
);
const output = objectShape(
  {},
  {
    ...fields,
    id: textShape,
    oid: uuidShape,
    columns: listShape(
      objectShape({}, { ...columnFields, id: textShape, oid: uuidShape, expression: expressionOutput }),
    ),
    expression: expressionOutput,
    lastUpdated: textShape,
    createdAt: textShape,
  },
);
const path = '/datamodels/{datamodelId}/schema/datasets/{datasetId}/tables';

const columnSqlInGuide: Deviation = {
  name: 'SQL of a column',
  profile: 'guide',
  side: 'response',
  pattern: /\/columns\/#\/expression$/,
  reason: 'In the guide, it is text.',
};

export const tableExamples: AreaExamples<'tables'> = {
  'tables.list': {
    call: (client, { datamodelId, datasetId }, signal) =>
      client.tables.list({ datamodelId, datasetId }, signal),
    vendorOperation: { signature: `v2.0 GET ${path}`, statuses: [200], response: listShape(output) },
    deviations: [columnSqlInGuide],
  },
  'tables.get': {
    call: (client, { datamodelId, datasetId, tableId }, signal) =>
      client.tables.get({ datamodelId, datasetId, tableId }, signal),
    vendorOperation: { signature: `v2.0 GET ${path}/{tableId}`, statuses: [200], response: output },
    deviations: [columnSqlInGuide],
  },
  'tables.create': {
    call: (client, { datamodelId, datasetId }, signal) =>
      client.tables.create(
        { datamodelId, datasetId },
        { name: 'Counts', type: 'custom', expression: 'SELECT 1 AS one' },
        signal,
      ),
    vendorOperation: { signature: `v2.0 POST ${path}`, statuses: [201], request: input, response: output },
    deviations: [
      {
        name: 'columns of custom tables',
        side: 'request',
        pattern: /^\/columns$/,
        reason:
          "A mistake in the vendor's contract: it requires columns, which a custom table gets from its SQL. The recorded request of the vendor does not send them.",
      },
      columnSqlInGuide,
    ],
    createWrite: () =>
      createTableCreationWrite(
        { ...retail, datasetId: createSeedOid('Retail/dataset/Custom Tables') },
        { name: 'Mine', type: 'custom', expression: 'SELECT 1 AS [One]' },
      ),
  },
  'tables.update': {
    call: (client, { datamodelId, datasetId, tableId }, signal) =>
      client.tables.update({ datamodelId, datasetId, tableId }, { description: 'All stores' }, signal),
    vendorOperation: {
      signature: `v2.0 PATCH ${path}/{tableId}`,
      statuses: [200],
      request: output,
      response: output,
    },
    deviations: [
      {
        name: 'SQL in a PATCH',
        side: 'request',
        pattern: /\/expression$/,
        reason:
          "A mistake in the vendor's contract: the body of the PATCH has the schema of its response. The recorded request of the vendor sends text.",
      },
      columnSqlInGuide,
    ],
    createWrite: () => createTableUpdateWrite(retailOrders, { description: 'All orders' }),
  },
  'tables.delete': {
    call: (client, { datamodelId, datasetId, tableId }, signal) =>
      client.tables.delete({ datamodelId, datasetId, tableId }, signal),
    vendorOperation: {
      signature: `v2.0 DELETE ${path}/{tableId}`,
      statuses: [200],
      response: deletionResponse,
    },
    deviations: [deletionResponseInGuide],
    createWrite: () => createTableDeletionWrite(retailOrders),
  },
};
