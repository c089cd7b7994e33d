import {
  createRelationCreationWrite,
  createRelationDeletionWrite,
  createRelationUpdateWrite,
} from '../../../src/changes/model/relationWrites.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import type { RelationColumn } from '../../../src/contract/datamodel.ts';
import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { listShape, objectShape, uuidShape } from '../../contract/shapes.ts';
import { type CallArguments, requireDefined, type AreaExamples } from './example.ts';
import { deletionResponse, deletionResponseInGuide, retail } from './shared.ts';

const columns = listShape(objectShape({ dataset: uuidShape, table: uuidShape, column: uuidShape }));
const input = objectShape({ columns });
export const relationOutput = objectShape({ columns }, { oid: uuidShape });
const path = '/datamodels/{datamodelId}/schema/relations';

function createRelationColumns({ datasetId, tableId, columnId }: CallArguments): readonly RelationColumn[] {
  const relationColumn = { dataset: datasetId, table: tableId, column: columnId };
  return [relationColumn, relationColumn];
}

/** A column of the demo data that has no relations. */
const storeIdColumn = {
  dataset: createSeedOid('Retail/dataset/Master Data'),
  table: createSeedOid('Retail/Stores'),
  column: createSeedOid('Retail/Stores/Store Id'),
};

async function getFirstRelation(client: PlatformClient) {
  const { oid: relationId, columns: relationColumns } = requireDefined(
    (await client.relations.list(retail)).value[0],
  );
  const { dataset, table, column } = requireDefined(relationColumns?.[0]);
  return { ref: { ...retail, relationId }, end: { dataset, table, column } };
}

export const relationExamples: AreaExamples<'relations'> = {
  'relations.list': {
    call: (client, { datamodelId }, signal) => client.relations.list({ datamodelId }, signal),
    vendorOperation: {
      signature: `v2.0 GET ${path}`,
      statuses: [200],
      response: listShape(relationOutput),
    },
  },
  'relations.get': {
    call: (client, { datamodelId, relationId }, signal) =>
      client.relations.get({ datamodelId, relationId }, signal),
    vendorOperation: {
      signature: `v2.0 GET ${path}/{relationId}`,
      statuses: [200],
      response: relationOutput,
    },
  },
  'relations.create': {
    call: (client, args, signal) =>
      client.relations.create(
        { datamodelId: args.datamodelId },
        { columns: [...createRelationColumns(args)] },
        signal,
      ),
    vendorOperation: {
      signature: `v2.0 POST ${path}`,
      statuses: [201],
      request: input,
      response: relationOutput,
    },
    createWrite: async (client) =>
      createRelationCreationWrite(retail.datamodelId, [(await getFirstRelation(client)).end, storeIdColumn]),
  },
  'relations.update': {
    call: (client, args, signal) => {
      const { datamodelId, relationId } = args;
      return client.relations.update(
        { datamodelId, relationId },
        { columns: [...createRelationColumns(args)] },
        signal,
      );
    },
    vendorOperation: {
      signature: `v2.0 PATCH ${path}/{relationId}`,
      statuses: [200],
      request: input,
      response: relationOutput,
    },
    createWrite: async (client) => {
      const { ref, end } = await getFirstRelation(client);
      return createRelationUpdateWrite(ref, { columns: [end, storeIdColumn] });
    },
  },
  'relations.delete': {
    call: (client, { datamodelId, relationId }, signal) =>
      client.relations.delete({ datamodelId, relationId }, signal),
    vendorOperation: {
      signature: `v2.0 DELETE ${path}/{relationId}`,
      statuses: [200],
      response: deletionResponse,
    },
    deviations: [deletionResponseInGuide],
    createWrite: async (client) => createRelationDeletionWrite((await getFirstRelation(client)).ref),
  },
};
