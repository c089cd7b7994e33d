import {
  createDatasetCreationWrite,
  createDatasetDeletionWrite,
  createDatasetUpdateWrite,
} from '../../../src/changes/model/datasetWrites.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  anyObjectShape,
  listShape,
  objectShape,
  textShape,
  uuidShape,
  integerShape,
  enumShape,
} from '../../contract/shapes.ts';
import type { AreaExamples } from './example.ts';
import { deletionResponse, deletionResponseInGuide, retail, retailSales } from './shared.ts';

const connection = objectShape(
  { provider: textShape, parameters: anyObjectShape },
  {
    schema: textShape,
    fileName: textShape,
    timeout: integerShape,
    refreshRate: integerShape,
    resultLimit: integerShape,
    uiParams: anyObjectShape,
    globalTableConfigOptions: anyObjectShape,
  },
);
const type = enumShape('live', 'extract', 'custom');
export const datasetOutput = objectShape({}, { oid: uuidShape, name: textShape, type, connection });
const path = '/datamodels/{datamodelId}/schema/datasets';

export const datasetExamples: AreaExamples<'datasets'> = {
  'datasets.list': {
    call: (client, { datamodelId }, signal) => client.datasets.list({ datamodelId }, signal),
    vendorOperation: { signature: `v2.0 GET ${path}`, statuses: [200], response: listShape(datasetOutput) },
  },
  'datasets.get': {
    call: (client, { datamodelId, datasetId }, signal) =>
      client.datasets.get({ datamodelId, datasetId }, signal),
    vendorOperation: {
      signature: `v2.0 GET ${path}/{datasetId}`,
      statuses: [200],
      response: datasetOutput,
    },
  },
  'datasets.create': {
    call: (client, { datamodelId }, signal) =>
      client.datasets.create({ datamodelId }, { name: 'more', type: 'custom' }, {}, signal),
    vendorOperation: {
      signature: `v2.0 POST ${path}`,
      statuses: [201],
      request: objectShape({ name: textShape, type }, { connection }),
      response: datasetOutput,
    },
    createWrite: () => createDatasetCreationWrite(retail, { name: 'more', type: 'custom' }),
  },
  'datasets.update': {
    call: (client, { datamodelId, datasetId }, signal) =>
      client.datasets.update(
        { datamodelId, datasetId },
        { connection: { provider: 'CSV', fileName: 'stores.csv', parameters: { files: ['stores.csv'] } } },
        {},
        signal,
      ),
    vendorOperation: {
      signature: `v2.0 PATCH ${path}/{datasetId}`,
      statuses: [200],
      request: objectShape({}, { name: textShape, type, connection }),
      response: datasetOutput,
    },
    createWrite: async (client) => {
      const { value } = await client.datasets.get(retailSales);
      return createDatasetUpdateWrite(retailSales, {
        connection: { ...(value.connection as JsonObject), timeout: 5 },
      });
    },
  },
  'datasets.delete': {
    call: (client, { datamodelId, datasetId }, signal) =>
      client.datasets.delete({ datamodelId, datasetId }, signal),
    vendorOperation: {
      signature: `v2.0 DELETE ${path}/{datasetId}`,
      statuses: [200],
      response: deletionResponse,
    },
    deviations: [deletionResponseInGuide],
    createWrite: () => createDatasetDeletionWrite(retailSales),
  },
};
