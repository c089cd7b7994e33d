import { type JsonObject, stringify } from '../../base/json.ts';
import { relationSchema } from '../../contract/datamodel.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { Effects, EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import { createRelationSubject } from '../model/planSubjects.ts';
import type { Write } from '../model/operation.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import { createCreationKind } from './creation.ts';
import {
  getChangedEffects,
  getDocumentBefore,
  toCreatedEffects,
  toDeletedEffects,
  getTargetSubject,
} from './effects.ts';
import { readDocuments } from './readDocuments.ts';
import { addLossIfBroken, addLossIfColumnIsMissing, isRestored, restoreRelation } from './restoreRelation.ts';
import { getDatamodelCatalogChanges } from './datamodelCatalogChanges.ts';
import { getObjectBody, getPathParams } from './requestParts.ts';
import { verifyChange, verifyDeletion } from './verifyWrites.ts';
import { parseOptional, withModel } from './snapshots.ts';
import { createRelationUpdateWrite, createRelationDeletionWrite } from '../model/relationWrites.ts';

/** The writes of relations (rest-api.md, "Relation"). */
export const relationKinds: WriteKinds<'relations'> = {
  'relations.create': createCreationKind({
    idField: 'oid',
    needsBuild: true,
    getRef: (relationId, { datamodelId = '' }) => ({ kind: 'relation', datamodelId, relationId }),
    createDeletionWrite: (relationId, { datamodelId = '' }) =>
      createRelationDeletionWrite({ datamodelId, relationId }),
    send: (client, write) =>
      client.relations.create(getPathParams<'relations.create'>(write), getObjectBody(write)),
    list: async (client, write) =>
      (await client.relations.list(getPathParams<'relations.create'>(write))).json,
    isNamesake: (item, body) => getJoinedColumnsKey(item) === getJoinedColumnsKey(body),
    matchesCreated: (body, created) => getJoinedColumnsKey(body) === getJoinedColumnsKey(created),
    getEffects: (write, sources) => toCreatedEffects(createNewRelationSubject(write, sources)),
    applyToSnapshot: (state, { params, body }, newId) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        relations: [
          ...(model.relations ?? []),
          ...parseOptional(relationSchema, { ...asObject(body), oid: newId }),
        ],
      })),
    getCatalogChanges: getDatamodelCatalogChanges,
  }),
  'relations.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write) =>
      client.relations.update(getPathParams<'relations.update'>(write), getObjectBody(write)),
    readBefore: ({ target }, reader) => readDocuments(reader, [target]),
    verifyOutcome: (write, context) => verifyChange(write, context, matchesRelation),
    matchesRequest: matchesRelation,
    addUndoWrites: (
      { params: { datamodelId = '', relationId = '' } },
      { oldDocument, model },
      undoWrites,
    ) => {
      const relation = asObject(oldDocument);
      if (
        !isRestored({ oid: relationId }, undoWrites) &&
        !addLossIfBroken(relation, { datamodelId, model }, undoWrites) &&
        !addLossIfColumnIsMissing(relation, { datamodelId, model }, undoWrites)
      ) {
        const columns = relation['columns'] ?? [];
        undoWrites.add(createRelationUpdateWrite({ datamodelId, relationId }, { columns }));
      }
    },
    getEffects: getRelationEffects,
    applyToSnapshot: (state, { params, body }) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        relations: (model.relations ?? []).map((relation) =>
          relation.oid === params['relationId']
            ? (relationSchema.safeParse({ ...relation, ...asObject(body) }).data ?? relation)
            : relation,
        ),
      })),
    getReach: () => 'itself',
    getCatalogChanges: getDatamodelCatalogChanges,
  },
  'relations.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write) => client.relations.delete(getPathParams<'relations.delete'>(write)),
    readBefore: ({ target }, reader) => readDocuments(reader, [target]),
    verifyOutcome: verifyDeletion,
    addUndoWrites: ({ params }, { oldDocument, model, name }, undoWrites) =>
      // If this was the only write, `name` is the name of the relation, which its document doesn't contain.
      restoreRelation(params['datamodelId'] ?? '', asObject(oldDocument), { model, name }, undoWrites),
    getEffects: (write, sources) => toDeletedEffects(getRelationSubject(write, sources)),
    applyToSnapshot: (state, { params }) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        relations: (model.relations ?? []).filter(({ oid }) => oid !== params['relationId']),
      })),
    getReach: () => 'itself',
    getCatalogChanges: getDatamodelCatalogChanges,
  },
};

function matchesRelation({ body }: Write, { current }: Versions): boolean {
  return getJoinedColumnsKey(asObject(body)) === getJoinedColumnsKey(current);
}

/** Returns a key of the columns that a relation joins, in any order. */
const getJoinedColumnsKey = (relation: JsonObject): string =>
  getObjects(relation['columns'])
    .map(({ table = null, column = null }) => stringify([table, column]))
    .sort()
    .join();

/** Creates the plan subject of a new relation, from the datamodel after the operation: its columns may be new too. */
function createNewRelationSubject(write: Write, sources: EffectSources): PlanSubject {
  const { newIndex } = sources;
  return newIndex === undefined
    ? { kind: 'relation', name: '', within: [] }
    : {
        kind: 'relation',
        name: formatColumnsAfter(write, sources).join(' = '),
        within: [newIndex.model.title],
      };
}

/** Returns the effects of changing the columns of a relation, by the names of the columns. */
function getRelationEffects(write: Write, sources: EffectSources): Effects {
  const subject = getRelationSubject(write, sources);
  const effects = getChangedEffects(subject, write, sources);
  if (sources.oldIndex === undefined) {
    return effects;
  }
  const before = getObjects(asObject(getDocumentBefore(write, sources))['columns']).map(
    (joinedColumn) => findColumnName(joinedColumn, sources) ?? unknownColumn,
  );
  const after = formatColumnsAfter(write, sources);
  // If the old relation has lost a column, it has no complete name, so the change is named after the new version.
  const name = before.includes(unknownColumn) ? after.join(' = ') : subject.name;
  const [oldText, newText] = [before.join(' = '), after.join(' = ')];
  // Two columns without names are different columns, although they look the same.
  const fields = [
    oldText === newText ? { field: 'columns' } : { field: 'columns', before: oldText, after: newText },
  ];
  return { ...effects, changed: effects.changed.map((change) => ({ ...change, name, fields })) };
}

/** Stands for a column that is not in the datamodel. */
const unknownColumn = '?';

/** Formats the columns that a write joins; some of them may be created by earlier writes of the operation. */
const formatColumnsAfter = ({ body, outputRefs }: Write, sources: EffectSources): readonly string[] =>
  getObjects(asObject(body)['columns']).map((end, index) => {
    const output = outputRefs?.find(
      ({ into }) => into[0] === 'body' && into[1] === 'columns' && into[2] === index && into[3] === 'column',
    );
    // The ID of a new column is that of the column with this name in the response to an earlier write.
    const [list, newName] = output?.from ?? [];
    const table =
      sources.oldIndex?.getTable(getText(end['table'])) ?? sources.newIndex?.getTable(getText(end['table']));
    return list === 'columns' && typeof newName === 'string' && table !== undefined
      ? `${table.name}.${newName}`
      : (findColumnName(end, sources) ?? unknownColumn);
  });

function findColumnName(end: JsonObject, { oldIndex, newIndex }: EffectSources): string | undefined {
  const [tableId, columnId] = [getText(end['table']), getText(end['column'])];
  const column = oldIndex?.getColumn(tableId, columnId) ?? newIndex?.getColumn(tableId, columnId);
  return column && `${column.table.name}.${column.name}`;
}

function getRelationSubject(write: Write, sources: EffectSources): PlanSubject {
  const { oldIndex } = sources;
  const relation = oldIndex?.model.relations?.find(({ oid }) => oid === write.params['relationId']);
  return oldIndex === undefined || relation === undefined
    ? getTargetSubject('relation', write, sources)
    : createRelationSubject(relation, oldIndex);
}
