import { datasetChangePayload } from '../../client/payloads/modelPayloads.ts';
import type { JsonObject } from '../../base/json.ts';
import { datasetSchema } from '../../contract/datamodel.ts';
import { asObject } from '../model/readJson.ts';
import type { EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import { createDatasetSubject, createTableSubject } from '../model/subjects.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import type { Write } from '../model/operation.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import { createCreationKind } from './creation.ts';
import {
  getChangedEffects,
  createdEffects,
  deletedEffects,
  createNewSubject,
  getTargetSubject,
} from './effects.ts';
import { getDatamodelRef, readDocuments } from './readDocuments.ts';
import { restoreDataset } from './restoreDeleted.ts';
import { matchesStored, keptConnectionFields } from './matching.ts';
import { getDatamodelChanges, getObjectBody, getPathParams } from './requestParts.ts';
import { verifyChange, verifyDeletion } from './verifyOutcome.ts';
import { parseValues, withModel } from './snapshots.ts';
import { datasetUpdate, datasetDeletion } from '../model/datasetWrites.ts';

/** The writes of datasets (rest-api.md, "Dataset"). */
export const datasetKinds: WriteKinds<'datasets'> = {
  'datasets.create': createCreationKind({
    id: 'oid',
    getRef: (datasetId, { datamodelId = '' }) => ({ kind: 'dataset', datamodelId, datasetId }),
    createDeletion: (datasetId, { datamodelId = '' }) => datasetDeletion({ datamodelId, datasetId }),
    send: (client, write, signal) =>
      client.datasets.create(
        getPathParams<'datasets.create'>(write),
        getObjectBody(write),
        getConnectionOptions(write),
        signal,
      ),
    list: async (client, write) => (await client.datasets.list(getPathParams<'datasets.create'>(write))).json,
    getEffects: (write, sources) => createdEffects(createNewSubject('dataset', write, sources)),
    after: (state, { params, body }, newId) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        datasets: [
          ...(model.datasets ?? []),
          ...parseValues(datasetSchema, { ...asObject(body), oid: newId }),
        ],
      })),
    getCatalogChanges: getDatamodelChanges,
  }),
  'datasets.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write, signal) =>
      client.datasets.update(
        getPathParams<'datasets.update'>(write),
        getObjectBody(write),
        getConnectionOptions(write),
        signal,
      ),
    readBefore: ({ target }, reader) => readDocuments(reader, [target]),
    // A change of secrets alone doesn't show in the document.
    verifyOutcome: (write, look) =>
      verifyChange(
        write,
        look,
        matchesConnection,
        (sent, former) => !matchesConnection(sent, { now: former, old: former }),
      ),
    matchesRequest: matchesConnection,
    addInverse: (write, { old }, inverse) => {
      const { datamodelId = '', datasetId = '' } = write.params;
      const connection = asObject(old)['connection'] ?? null;
      inverse.add(datasetUpdate({ datamodelId, datasetId }, { connection }));
    },
    getEffects: (write, sources) =>
      getChangedEffects(
        findDataset(write, sources) ?? getTargetSubject('dataset', write, sources),
        write,
        sources,
      ),
    applyToSnapshot: (state) => state,
    getReach: () => 'itself',
    getCatalogChanges: getDatamodelChanges,
  },
  'datasets.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write, signal) => client.datasets.delete(getPathParams<'datasets.delete'>(write), signal),
    readBefore: ({ target }, reader) => readDocuments(reader, [target, getDatamodelRef(target)]),
    verifyOutcome: verifyDeletion,
    addInverse: ({ params, target }, { model }, inverse) => {
      if (target === undefined || inverse.getDocument(target) === undefined) {
        const { datamodelId = '', datasetId = '' } = params;
        restoreDataset({ datasetId, datamodelId, model }, inverse);
      }
    },
    getEffects: (write, sources) => {
      const [own, { now }] = [findDataset(write, sources), sources];
      return own === undefined || now === undefined
        ? deletedEffects()
        : deletedEffects(
            own,
            ...now.tables
              .filter((table) => table.dataset.oid === write.params['datasetId'])
              .map((table) => createTableSubject(table, now)),
          );
    },
    applyToSnapshot: (state, { params }) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        datasets: (model.datasets ?? []).filter(({ oid }) => oid !== params['datasetId']),
      })),
    getReach: () => 'rules and viewpoints',
    getCatalogChanges: getDatamodelChanges,
  },
};

function findDataset({ params }: Write, { now }: EffectSources): PlanSubject | undefined {
  const dataset = now?.model.datasets?.find(({ oid }) => oid === params['datasetId']);
  return now && dataset && createDatasetSubject(dataset, now.model);
}

const getConnectionOptions = ({ sendEncryptedParameters }: Write) => ({
  sendEncryptedParameters: sendEncryptedParameters === true,
});

function matchesConnection({ body }: Write, { now, old }: Versions): boolean {
  const { connection } = datasetChangePayload(asObject(body), { sendEncryptedParameters: true });
  const sent = maskSecrets({ connection: connection ?? null });
  const pick = (document: JsonObject): JsonObject => ({ connection: document['connection'] ?? null });
  return matchesStored(sent, pick(now), pick(old), keptConnectionFields);
}
