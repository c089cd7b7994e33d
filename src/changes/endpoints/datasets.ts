import { datasetChangePayload } from '../../client/payloads/modelPayloads.ts';
import type { JsonObject } from '../../base/json.ts';
import { datasetSchema } from '../../contract/datamodel.ts';
import { asObject } from '../model/read.ts';
import type { EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import { datasetSubject, tableSubject } from '../model/subjects.ts';
import { maskSecrets } from '../../base/secrets/maskSecrets.ts';
import type { Write } from '../model/operation.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import { creation } from './creation.ts';
import { changed, created, deleted, newSubject, targetSubject } from './effects.ts';
import { modelOf, readAll } from './reading.ts';
import { rebuildDataset } from './rebuild.ts';
import { agrees, keptConnection } from './sayings.ts';
import { affectsDatamodel, objectBody, pathNames } from './sending.ts';
import { settleChange, settleDeletion } from './settling.ts';
import { parsed, withModel } from './snapshots.ts';
import { datasetUpdate, datasetDeletion } from '../model/datasetWrites.ts';

/** The writes of datasets (spec, "Dataset"). */
export const datasetKinds: WriteKinds<'datasets'> = {
  'datasets.create': creation({
    id: 'oid',
    refOf: (datasetId, { datamodelId = '' }) => ({ kind: 'dataset', datamodelId, datasetId }),
    deletionOf: (datasetId, { datamodelId = '' }) => datasetDeletion({ datamodelId, datasetId }),
    send: (client, write, signal) =>
      client.datasets.create(
        pathNames<'datasets.create'>(write),
        objectBody(write),
        connectionOptions(write),
        signal,
      ),
    list: async (client, write) => (await client.datasets.list(pathNames<'datasets.create'>(write))).json,
    effects: (write, sources) => created(newSubject('dataset', write, sources)),
    after: (state, { params, body }, newId) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        datasets: [...(model.datasets ?? []), ...parsed(datasetSchema, { ...asObject(body), oid: newId })],
      })),
    affects: affectsDatamodel,
  }),
  'datasets.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write, signal) =>
      client.datasets.update(
        pathNames<'datasets.update'>(write),
        objectBody(write),
        connectionOptions(write),
        signal,
      ),
    before: ({ target }, reader) => readAll(reader, [target]),
    // Of a change of nothing but secrets, the document does not tell.
    settle: (write, look) =>
      settleChange(
        write,
        look,
        saysConnection,
        (sent, former) => !saysConnection(sent, { now: former, old: former }),
      ),
    says: saysConnection,
    back: (write, { old }, inverse) => {
      const { datamodelId = '', datasetId = '' } = write.params;
      const connection = asObject(old)['connection'] ?? null;
      inverse.add(datasetUpdate({ datamodelId, datasetId }, { connection }));
    },
    effects: (write, sources) =>
      changed(knownDataset(write, sources) ?? targetSubject('dataset', write, sources), write, sources),
    after: (state) => state,
    reach: () => 'itself',
    affects: affectsDatamodel,
  },
  'datasets.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write, signal) => client.datasets.delete(pathNames<'datasets.delete'>(write), signal),
    before: ({ target }, reader) => readAll(reader, [target, modelOf(target)]),
    settle: settleDeletion,
    back: ({ params, target }, { model }, inverse) => {
      if (target === undefined || inverse.present(target) === undefined) {
        const { datamodelId = '', datasetId = '' } = params;
        rebuildDataset({ datasetId, datamodelId, model }, inverse);
      }
    },
    effects: (write, sources) => {
      const [own, { now }] = [knownDataset(write, sources), sources];
      return own === undefined || now === undefined
        ? deleted()
        : deleted(
            own,
            ...now.tables
              .filter((table) => table.dataset.oid === write.params['datasetId'])
              .map((table) => tableSubject(table, now)),
          );
    },
    after: (state, { params }) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        datasets: (model.datasets ?? []).filter(({ oid }) => oid !== params['datasetId']),
      })),
    reach: () => 'rules and viewpoints',
    affects: affectsDatamodel,
  },
};

function knownDataset({ params }: Write, { now }: EffectSources): PlanSubject | undefined {
  const dataset = now?.model.datasets?.find(({ oid }) => oid === params['datasetId']);
  return now && dataset && datasetSubject(dataset, now.model);
}

const connectionOptions = ({ sendEncryptedParameters }: Write) => ({
  sendEncryptedParameters: sendEncryptedParameters === true,
});

function saysConnection({ body }: Write, { now, old }: Versions): boolean {
  const { connection } = datasetChangePayload(asObject(body), { sendEncryptedParameters: true });
  const sent = maskSecrets({ connection: connection ?? null });
  const pick = (document: JsonObject): JsonObject => ({ connection: document['connection'] ?? null });
  return agrees(sent, pick(now), pick(old), keptConnection);
}
