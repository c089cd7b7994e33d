import {
  createDatamodelCreationWrite,
  createDatamodelDeletionWrite,
} from '../../../src/changes/model/datamodelWrites.ts';
import { listShape, objectShape, textShape, uuidShape, enumShape } from '../../contract/shapes.ts';
import { datasetOutput } from './datasets.ts';
import { requireDefined, type Deviation, type AreaExamples } from './example.ts';
import { relationOutput } from './relations.ts';
import { deletionResponse, deletionResponseInGuide } from './shared.ts';

const party = objectShape({}, { oid: uuidShape, type: enumShape('user', 'group') });
const output = objectShape(
  {},
  {
    oid: uuidShape,
    title: textShape,
    server: textShape,
    serverId: uuidShape,
    shares: listShape(party),
    lastUpdated: textShape,
    lastBuildTime: textShape,
    lastSuccessfulBuildTime: textShape,
    lastPublishTime: textShape,
    type: enumShape('extract', 'custom'),
    creator: party,
    datasets: listShape(datasetOutput),
    relations: listShape(relationOutput),
    relationType: enumShape('direct', 'regular'),
  },
);
const path = '/datamodels/{datamodelId}';

const typeLive: Deviation = {
  name: 'type live',
  side: 'response',
  pattern: /^\/type$/,
  reason:
    "A mistake in the vendor's contract: responses have the types extract and custom, while requests and build tasks have live.",
};

export const datamodelExamples: AreaExamples<'datamodels'> = {
  'datamodels.list': {
    call: (client, _args, signal) => client.datamodels.list({}, signal),
    vendorOperation: { signature: 'v2.0 GET /datamodels/schema', statuses: [200] },
  },
  'datamodels.get': {
    call: (client, { datamodelId }, signal) => client.datamodels.get({ datamodelId }, signal),
    vendorOperation: { signature: `v2.0 GET ${path}/schema`, statuses: [200], response: output },
    deviations: [typeLive],
  },
  'datamodels.create': {
    call: (client, _args, signal) => client.datamodels.create({ title: 'Fresh' }, signal),
    vendorOperation: {
      signature: 'v2.0 POST /datamodels',
      statuses: [201],
      request: objectShape({ title: textShape }, { server: textShape, type: enumShape('live', 'extract') }),
      response: output,
    },
    deviations: [typeLive],
    createWrite: () => createDatamodelCreationWrite({ title: 'Fresh', type: 'extract' }),
  },
  'datamodels.delete': {
    call: (client, { datamodelId }, signal) => client.datamodels.delete({ datamodelId }, signal),
    vendorOperation: { signature: `v2.0 DELETE ${path}`, statuses: [200], response: deletionResponse },
    deviations: [deletionResponseInGuide],
    // Delete a new datamodel: it has no settings that an undo could not restore.
    createWrite: async (client) => {
      const { value } = await client.datamodels.create({ title: 'Fresh' });
      const ref = { datamodelId: requireDefined(value).oid };
      await client.datasets.create(ref, { name: 'own', type: 'custom' });
      return createDatamodelDeletionWrite(ref);
    },
  },
};
