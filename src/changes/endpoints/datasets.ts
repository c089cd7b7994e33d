import { createDatasetChangePayload } from '../../client/payloads/modelPayloads.ts';
import type { JsonObject } from '../../base/json.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import { isSameRef } from '../../catalog/resourceRef.ts';
import { datasetSchema, serverConnectionFields } from '../../contract/datamodel.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { asObject, omitMembers } from '../model/jsonMembers.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import type { EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import { createDatasetSubject, createTableSubject } from '../model/planSubjects.ts';
import { maskConnectorDocument } from '../../base/secrets/maskSecrets.ts';
import type { Write } from '../model/operation.ts';
import type { VerifyContext, Versions, WriteKinds } from '../model/writeKind.ts';
import { createCreationKind } from './creation.ts';
import {
  getChangedEffects,
  toCreatedEffects,
  toDeletedEffects,
  createNewSubject,
  getTargetSubject,
} from './effects.ts';
import { getDatamodelRef, readDocuments } from './readDocuments.ts';
import { restoreDataset } from './restoreDeleted.ts';
import { matchesStored, serverManagedConnectionFields } from './matchesStored.ts';
import { getDatamodelCatalogChanges } from './datamodelCatalogChanges.ts';
import { getObjectBody, getPathParams } from './requestParts.ts';
import { verifyContainerDeletion } from './verifyContainerDeletion.ts';
import { verifyChange } from './verifyWrites.ts';
import { parseOptional, withModel } from './snapshots.ts';
import { createDatasetUpdateWrite, createDatasetDeletionWrite } from '../model/datasetWrites.ts';

/** The writes of datasets (rest-api.md, "Dataset"). */
export const datasetKinds: WriteKinds<'datasets'> = {
  'datasets.create': createCreationKind({
    idField: 'oid',
    getRef: (datasetId, { datamodelId = '' }) => ({ kind: 'dataset', datamodelId, datasetId }),
    createDeletionWrite: (datasetId, { datamodelId = '' }) =>
      createDatasetDeletionWrite({ datamodelId, datasetId }),
    send: (client, write) =>
      client.datasets.create(
        getPathParams<'datasets.create'>(write),
        getObjectBody(write),
        getConnectionOptions(write),
      ),
    list: async (client, write) => (await client.datasets.list(getPathParams<'datasets.create'>(write))).json,
    getEffects: (write, sources) => toCreatedEffects(createNewSubject('dataset', write, sources)),
    applyToSnapshot: (state, { params, body }, newId) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        datasets: [
          ...(model.datasets ?? []),
          ...parseOptional(datasetSchema, { ...asObject(body), oid: newId }),
        ],
      })),
    getCatalogChanges: getDatamodelCatalogChanges,
  }),
  'datasets.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write) =>
      client.datasets.update(
        getPathParams<'datasets.update'>(write),
        getObjectBody(write),
        getConnectionOptions(write),
      ),
    readBefore: ({ target }, reader) => readDocuments(reader, [target]),
    // A change of secrets alone doesn't show in the document.
    verifyOutcome: (write, context) =>
      verifyChange(
        write,
        { ...context, matchesEarlierWrites: (current) => isSameConnection(current, context) },
        matchesConnection,
        (sentWrite, previous) => !matchesConnection(sentWrite, { current: previous, previous }),
      ),
    matchesRequest: matchesConnection,
    addUndoWrites: (write, { oldDocument }, undoWrites) => {
      const { datamodelId = '', datasetId = '' } = write.params;
      const connection = asObject(oldDocument)['connection'] ?? null;
      undoWrites.add(createDatasetUpdateWrite({ datamodelId, datasetId }, { connection }));
    },
    getEffects: (write, sources) =>
      getChangedEffects(
        findDataset(write, sources) ?? getTargetSubject('dataset', write, sources),
        write,
        sources,
      ),
    applyToSnapshot: (state) => state,
    getReach: () => 'itself',
    getCatalogChanges: getDatamodelCatalogChanges,
  },
  'datasets.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write) => client.datasets.delete(getPathParams<'datasets.delete'>(write)),
    readBefore: ({ target }, reader) => readDocuments(reader, [target, getDatamodelRef(target)]),
    verifyOutcome: verifyContainerDeletion,
    addUndoWrites: ({ params, target }, { model }, undoWrites) => {
      if (target === undefined || undoWrites.getDocument(target) === undefined) {
        const { datamodelId = '', datasetId = '' } = params;
        restoreDataset({ datasetId, datamodelId, model }, undoWrites);
      }
    },
    getEffects: (write, sources) => {
      const [datasetSubject, { oldIndex }] = [findDataset(write, sources), sources];
      return datasetSubject === undefined || oldIndex === undefined
        ? toDeletedEffects()
        : toDeletedEffects(
            datasetSubject,
            ...oldIndex.tables
              .filter((table) => table.dataset.oid === write.params['datasetId'])
              .map((table) => createTableSubject(table, oldIndex)),
          );
    },
    applyToSnapshot: (state, { params }) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        datasets: (model.datasets ?? []).filter(({ oid }) => oid !== params['datasetId']),
      })),
    getReach: () => 'rules and viewpoints',
    getCatalogChanges: getDatamodelCatalogChanges,
  },
};

function findDataset({ params }: Write, { oldIndex }: EffectSources): PlanSubject | undefined {
  const dataset = oldIndex?.model.datasets?.find(({ oid }) => oid === params['datasetId']);
  return oldIndex && dataset && createDatasetSubject(dataset, oldIndex.model);
}

const getConnectionOptions = ({ sendEncryptedParameters }: Write) => ({
  sendEncryptedParameters: sendEncryptedParameters === true,
});

/**
 * Returns whether a dataset still has the connection from before a write: an update changes nothing else, so everything
 * else may have changed.
 */
function isSameConnection(current: ReadDocument, { before, matchesEarlierWrites }: VerifyContext): boolean {
  const previous = before.find(({ ref }) => isSameRef(ref, current.ref));
  const getConnection = ({ document }: ReadDocument): JsonObject =>
    omitMembers(asObject(asObject(document)['connection']), ...serverConnectionFields);
  return (
    matchesEarlierWrites?.(current) === true ||
    (previous?.document !== undefined &&
      current.document !== undefined &&
      jsonEquals(getConnection(current), getConnection(previous), isServerManagedField))
  );
}

function matchesConnection({ body }: Write, { current, previous }: Versions): boolean {
  const { connection } = createDatasetChangePayload(asObject(body), { sendEncryptedParameters: true });
  const sentConnection = maskConnectorDocument({ connection: connection ?? null });
  const pickConnection = (document: JsonObject): JsonObject => ({
    connection: document['connection'] ?? null,
  });
  return matchesStored(
    sentConnection,
    pickConnection(current),
    pickConnection(previous),
    serverManagedConnectionFields,
  );
}
