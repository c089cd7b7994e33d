import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import { asObject, getText } from '../model/jsonMembers.ts';
import {
  createDatamodelSubject,
  createDatasetSubject,
  createRelationSubject,
  createTableSubject,
} from '../model/planSubjects.ts';
import type { WriteKinds } from '../model/writeKind.ts';
import { createCreationKind } from './creation.ts';
import { toCreatedEffects, toDeletedEffects, createNewSubject } from './effects.ts';
import { readDocuments } from './readDocuments.ts';
import { restoreDatamodel } from './restoreDeleted.ts';
import { getObjectBody, getPathParams } from './requestParts.ts';
import { verifyContainerDeletion } from './verifyContainerDeletion.ts';
import { createDatamodelDeletionWrite } from '../model/datamodelWrites.ts';

/** The writes of datamodels (rest-api.md, "Datamodel API"). */
export const datamodelKinds: WriteKinds<'datamodels'> = {
  'datamodels.create': createCreationKind({
    idField: 'oid',
    getRef: (datamodelId) => ({ kind: 'datamodel', datamodelId }),
    createDeletionWrite: (datamodelId) => createDatamodelDeletionWrite({ datamodelId }),
    send: (client, write) => client.datamodels.create(getObjectBody(write)),
    list: async (client) => (await client.datamodels.list()).json,
    isNamesake: (item, { title = null }) => item['title'] === title,
    getEffects: (write, sources) => toCreatedEffects(createNewSubject('datamodel', write, sources)),
    getCatalogChanges: () => [{ kind: 'datamodels' }],
  }),
  'datamodels.delete': {
    action: 'delete',
    needsBuild: false,
    send: (client, write) => client.datamodels.delete(getPathParams<'datamodels.delete'>(write)),
    // The rules of a datamodel are deleted with it (decisions.md, "Sandbox").
    readBefore: async ({ target }, reader) => {
      const documents = await readDocuments(reader, [target]);
      const model = datamodelSchema.safeParse(documents[0]?.document).data;
      return model === undefined
        ? documents
        : [
            ...documents,
            ...(await readDocuments(reader, [{ kind: 'rules', subject: getRuleSubject(model) }])),
          ];
    },
    verifyOutcome: verifyContainerDeletion,
    addUndoWrites: ({ target }, { model, rules }, undoWrites) => {
      if (target === undefined || undoWrites.getDocument(target) === undefined) {
        restoreDatamodel(asObject(model), rules, undoWrites);
      }
    },
    getEffects: (_write, { oldIndex }) =>
      oldIndex === undefined
        ? toDeletedEffects()
        : toDeletedEffects(
            createDatamodelSubject(oldIndex.model),
            ...(oldIndex.model.datasets ?? []).map((dataset) =>
              createDatasetSubject(dataset, oldIndex.model),
            ),
            ...oldIndex.tables.map((table) => createTableSubject(table, oldIndex)),
            ...(oldIndex.model.relations ?? []).map((relation) => createRelationSubject(relation, oldIndex)),
          ),
    applyToSnapshot: (state, { params }) => ({
      ...state,
      datamodels: state.datamodels.filter(({ oid }) => oid !== getText(params['datamodelId'])),
    }),
    getReach: () => 'rules and viewpoints',
    getCatalogChanges: () => [{ kind: 'all' }],
  },
};
