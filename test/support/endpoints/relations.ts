import {
  relationCreation,
  relationDeletion,
  relationUpdate,
} from '../../../src/changes/model/relationWrites.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import type { RelationColumn } from '../../../src/contract/datamodel.ts';
import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { listShape, objectShape, uuidShape } from '../../contract/shapes.ts';
import { type CallArguments, defined, type ExamplesOf } from './example.ts';
import { removed, removedInGuide, retail } from './shared.ts';

const columns = listShape(objectShape({ dataset: uuidShape, table: uuidShape, column: uuidShape }));
const input = objectShape({ columns });
export const relationOutput = objectShape({ columns }, { oid: uuidShape });
const path = '/datamodels/{datamodelId}/schema/relations';

function bothEnds({ datasetId, tableId, columnId }: CallArguments): readonly RelationColumn[] {
  const end = { dataset: datasetId, table: tableId, column: columnId };
  return [end, end];
}

/** A column of the demo data that has no relations. */
const storeId = {
  dataset: createSeedOid('Retail/dataset/Master Data'),
  table: createSeedOid('Retail/Stores'),
  column: createSeedOid('Retail/Stores/Store Id'),
};

async function firstRelation(client: PlatformClient) {
  const { oid: relationId, columns: ends } = defined((await client.relations.list(retail)).value[0]);
  const { dataset, table, column } = defined(ends?.[0]);
  return { path: { ...retail, relationId }, end: { dataset, table, column } };
}

export const relationExamples: ExamplesOf<'relations'> = {
  'relations.list': {
    call: (client, { datamodelId }, signal) => client.relations.list({ datamodelId }, signal),
    operation: { source: `v2.0 GET ${path}`, statuses: [200], answer: listShape(relationOutput) },
  },
  'relations.get': {
    call: (client, { datamodelId, relationId }, signal) =>
      client.relations.get({ datamodelId, relationId }, signal),
    operation: { source: `v2.0 GET ${path}/{relationId}`, statuses: [200], answer: relationOutput },
  },
  'relations.create': {
    call: (client, names, signal) =>
      client.relations.create({ datamodelId: names.datamodelId }, { columns: [...bothEnds(names)] }, signal),
    operation: { source: `v2.0 POST ${path}`, statuses: [201], request: input, answer: relationOutput },
    write: async (client) =>
      relationCreation(retail.datamodelId, [(await firstRelation(client)).end, storeId]),
  },
  'relations.update': {
    call: (client, names, signal) => {
      const { datamodelId, relationId } = names;
      return client.relations.update({ datamodelId, relationId }, { columns: [...bothEnds(names)] }, signal);
    },
    operation: {
      source: `v2.0 PATCH ${path}/{relationId}`,
      statuses: [200],
      request: input,
      answer: relationOutput,
    },
    write: async (client) => {
      const { path: ids, end } = await firstRelation(client);
      return relationUpdate(ids, { columns: [end, storeId] });
    },
  },
  'relations.delete': {
    call: (client, { datamodelId, relationId }, signal) =>
      client.relations.delete({ datamodelId, relationId }, signal),
    operation: { source: `v2.0 DELETE ${path}/{relationId}`, statuses: [200], answer: removed },
    deviations: [removedInGuide],
    write: async (client) => relationDeletion((await firstRelation(client)).path),
  },
};
