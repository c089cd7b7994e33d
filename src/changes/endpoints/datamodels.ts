import { ruleSubjectOf } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import { asObject, textOf } from '../model/read.ts';
import { datamodelSubject, datasetSubject, relationSubject, tableSubject } from '../model/subjects.ts';
import type { WriteKinds } from '../model/writeKind.ts';
import { creation } from './creation.ts';
import { created, deleted, newSubject } from './effects.ts';
import { readAll } from './reading.ts';
import { rebuildModel } from './rebuild.ts';
import { objectBody, pathNames } from './sending.ts';
import { settleDeletion } from './settling.ts';
import { datamodelDeletion } from '../model/datamodelWrites.ts';

/** The writes of datamodels (spec, "Datamodel API"). */
export const datamodelKinds: WriteKinds<'datamodels'> = {
  'datamodels.create': creation({
    id: 'oid',
    refOf: (datamodelId) => ({ kind: 'datamodel', datamodelId }),
    deletionOf: (datamodelId) => datamodelDeletion({ datamodelId }),
    send: (client, write, signal) => client.datamodels.create(objectBody(write), signal),
    list: async (client) => (await client.datamodels.list()).json,
    isNamesake: (item, { title = null }) => item['title'] === title,
    effects: (write, sources) => created(newSubject('datamodel', write, sources)),
    affects: () => [{ kind: 'datamodels' }],
  }),
  'datamodels.delete': {
    action: 'delete',
    needsBuild: false,
    send: (client, write, signal) => client.datamodels.delete(pathNames<'datamodels.delete'>(write), signal),
    // Its rules go with it (design.md, section 5).
    before: async ({ target }, reader) => {
      const read = await readAll(reader, [target]);
      const model = datamodelSchema.safeParse(read[0]?.document).data;
      return model === undefined
        ? read
        : [...read, ...(await readAll(reader, [{ kind: 'rules', subject: ruleSubjectOf(model) }]))];
    },
    settle: settleDeletion,
    back: ({ target }, { model, before }, inverse) => {
      if (target === undefined || inverse.present(target) === undefined) {
        rebuildModel(asObject(model), before, inverse);
      }
    },
    effects: (_write, { now }) =>
      now === undefined
        ? deleted()
        : deleted(
            datamodelSubject(now.model),
            ...(now.model.datasets ?? []).map((dataset) => datasetSubject(dataset, now.model)),
            ...now.tables.map((table) => tableSubject(table, now)),
            ...(now.model.relations ?? []).map((relation) => relationSubject(relation, now)),
          ),
    after: (state, { params }) => ({
      ...state,
      datamodels: state.datamodels.filter(({ oid }) => oid !== textOf(params['datamodelId'])),
    }),
    reach: () => 'rules and viewpoints',
    affects: () => [{ kind: 'all' }],
  },
};
