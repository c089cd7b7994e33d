import { type JsonObject, stringify } from '../../base/json.ts';
import { relationSchema } from '../../contract/datamodel.ts';
import { asObject, getObjects } from '../model/readJson.ts';
import type { EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import { createRelationSubject } from '../model/subjects.ts';
import type { Write } from '../model/operation.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import { createCreationKind } from './creation.ts';
import { getChangedEffects, createdEffects, deletedEffects, getTargetSubject } from './effects.ts';
import { readDocuments } from './readDocuments.ts';
import { restoreRelation } from './undoRelationWrites.ts';
import { getDatamodelChanges, getObjectBody, getPathParams } from './requestParts.ts';
import { verifyChange, verifyDeletion } from './verifyOutcome.ts';
import { parseValues, withModel } from './snapshots.ts';
import { relationUpdate, relationDeletion } from '../model/relationWrites.ts';

/** The writes of relations (rest-api.md, "Relation"). */
export const relationKinds: WriteKinds<'relations'> = {
  'relations.create': createCreationKind({
    id: 'oid',
    needsBuild: true,
    getRef: (relationId, { datamodelId = '' }) => ({ kind: 'relation', datamodelId, relationId }),
    createDeletion: (relationId, { datamodelId = '' }) => relationDeletion({ datamodelId, relationId }),
    send: (client, write, signal) =>
      client.relations.create(getPathParams<'relations.create'>(write), getObjectBody(write), signal),
    list: async (client, write) =>
      (await client.relations.list(getPathParams<'relations.create'>(write))).json,
    isNamesake: (item, sent) => getEndsKey(item) === getEndsKey(sent),
    matchesCreated: (sent, made) => getEndsKey(sent) === getEndsKey(made),
    getEffects: (write, sources) => createdEffects(createNewRelationSubject(write, sources)),
    after: (state, { params, body }, newId) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        relations: [
          ...(model.relations ?? []),
          ...parseValues(relationSchema, { ...asObject(body), oid: newId }),
        ],
      })),
    getCatalogChanges: getDatamodelChanges,
  }),
  'relations.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write, signal) =>
      client.relations.update(getPathParams<'relations.update'>(write), getObjectBody(write), signal),
    readBefore: ({ target }, reader) => readDocuments(reader, [target]),
    verifyOutcome: (write, look) => verifyChange(write, look, matchesRelation),
    matchesRequest: matchesRelation,
    addInverse: ({ params: { datamodelId = '', relationId = '' } }, { old }, inverse) => {
      const columns = asObject(old)['columns'] ?? [];
      inverse.add(relationUpdate({ datamodelId, relationId }, { columns }));
    },
    getEffects: (write, sources) => getChangedEffects(getSubject(write, sources), write, sources),
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
    getCatalogChanges: getDatamodelChanges,
  },
  'relations.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write, signal) =>
      client.relations.delete(getPathParams<'relations.delete'>(write), signal),
    readBefore: ({ target }, reader) => readDocuments(reader, [target]),
    verifyOutcome: verifyDeletion,
    addInverse: ({ params }, { old, model, name }, inverse) =>
      // If this was the only write, `name` is the name of the relation, which its document doesn't contain.
      restoreRelation(params['datamodelId'] ?? '', asObject(old), { model, name }, inverse),
    getEffects: (write, sources) => deletedEffects(getSubject(write, sources)),
    applyToSnapshot: (state, { params }) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        relations: (model.relations ?? []).filter(({ oid }) => oid !== params['relationId']),
      })),
    getReach: () => 'itself',
    getCatalogChanges: getDatamodelChanges,
  },
};

function matchesRelation({ body }: Write, { now }: Versions): boolean {
  return getEndsKey(asObject(body)) === getEndsKey(now);
}

/** Returns a key of the columns that a relation joins, in any order. */
const getEndsKey = (relation: JsonObject): string =>
  getObjects(relation['columns'])
    .map(({ table = null, column = null }) => stringify([table, column]))
    .sort()
    .join();

/** Creates the plan subject of a new relation, from the datamodel after the operation: its columns may be new too. */
function createNewRelationSubject({ body }: Write, { next }: EffectSources): PlanSubject {
  const relation = relationSchema.safeParse({ oid: 'new', columns: asObject(body)['columns'] }).data;
  if (next === undefined || relation === undefined) {
    return { kind: 'relation', name: '', within: [] };
  }
  const { resource: _none, ...subject } = createRelationSubject(relation, next);
  return subject;
}

function getSubject(write: Write, sources: EffectSources): PlanSubject {
  const { now } = sources;
  const relation = now?.model.relations?.find(({ oid }) => oid === write.params['relationId']);
  return now === undefined || relation === undefined
    ? getTargetSubject('relation', write, sources)
    : createRelationSubject(relation, now);
}
