import { type JsonObject, stringify } from '../../base/json.ts';
import { relationSchema } from '../../contract/datamodel.ts';
import { asObject, itemsOf } from '../model/read.ts';
import type { EffectSources } from '../model/effectSources.ts';
import type { PlanSubject } from '../model/plan.ts';
import { relationSubject } from '../model/subjects.ts';
import type { Write } from '../model/operation.ts';
import type { Versions, WriteKinds } from '../model/writeKind.ts';
import { creation } from './creation.ts';
import { changed, created, deleted, targetSubject } from './effects.ts';
import { readAll } from './reading.ts';
import { relationBack } from './relationBack.ts';
import { affectsDatamodel, objectBody, pathNames } from './sending.ts';
import { settleChange, settleDeletion } from './settling.ts';
import { parsed, withModel } from './snapshots.ts';
import { relationUpdate, relationDeletion } from '../model/relationWrites.ts';

/** The writes of relations (spec, "Relation"). */
export const relationKinds: WriteKinds<'relations'> = {
  'relations.create': creation({
    id: 'oid',
    needsBuild: true,
    refOf: (relationId, { datamodelId = '' }) => ({ kind: 'relation', datamodelId, relationId }),
    deletionOf: (relationId, { datamodelId = '' }) => relationDeletion({ datamodelId, relationId }),
    send: (client, write, signal) =>
      client.relations.create(pathNames<'relations.create'>(write), objectBody(write), signal),
    list: async (client, write) => (await client.relations.list(pathNames<'relations.create'>(write))).json,
    isNamesake: (item, sent) => endsKey(item) === endsKey(sent),
    saysMade: (sent, made) => endsKey(sent) === endsKey(made),
    effects: (write, sources) => created(newRelation(write, sources)),
    after: (state, { params, body }, newId) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        relations: [...(model.relations ?? []), ...parsed(relationSchema, { ...asObject(body), oid: newId })],
      })),
    affects: affectsDatamodel,
  }),
  'relations.update': {
    action: 'update',
    needsBuild: true,
    send: (client, write, signal) =>
      client.relations.update(pathNames<'relations.update'>(write), objectBody(write), signal),
    before: ({ target }, reader) => readAll(reader, [target]),
    settle: (write, look) => settleChange(write, look, saysRelation),
    says: saysRelation,
    back: ({ params: { datamodelId = '', relationId = '' } }, { old }, inverse) => {
      const columns = asObject(old)['columns'] ?? [];
      inverse.add(relationUpdate({ datamodelId, relationId }, { columns }));
    },
    effects: (write, sources) => changed(subjectOf(write, sources), write, sources),
    after: (state, { params, body }) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        relations: (model.relations ?? []).map((relation) =>
          relation.oid === params['relationId']
            ? (relationSchema.safeParse({ ...relation, ...asObject(body) }).data ?? relation)
            : relation,
        ),
      })),
    reach: () => 'itself',
    affects: affectsDatamodel,
  },
  'relations.delete': {
    action: 'delete',
    needsBuild: true,
    send: (client, write, signal) => client.relations.delete(pathNames<'relations.delete'>(write), signal),
    before: ({ target }, reader) => readAll(reader, [target]),
    settle: settleDeletion,
    back: ({ params }, { old, model, name }, inverse) =>
      // By itself it was what the operation was about, and its document names no table.
      relationBack(params['datamodelId'] ?? '', asObject(old), { model, name }, inverse),
    effects: (write, sources) => deleted(subjectOf(write, sources)),
    after: (state, { params }) =>
      withModel(state, params['datamodelId'] ?? '', (model) => ({
        ...model,
        relations: (model.relations ?? []).filter(({ oid }) => oid !== params['relationId']),
      })),
    reach: () => 'itself',
    affects: affectsDatamodel,
  },
};

function saysRelation({ body }: Write, { now }: Versions): boolean {
  return endsKey(asObject(body)) === endsKey(now);
}

/** What a relation joins; its ends have no order. */
const endsKey = (relation: JsonObject): string =>
  itemsOf(relation['columns'])
    .map(({ table = null, column = null }) => stringify([table, column]))
    .sort()
    .join();

/** A new relation joins columns that may be as new as itself. */
function newRelation({ body }: Write, { next }: EffectSources): PlanSubject {
  const relation = relationSchema.safeParse({ oid: 'new', columns: asObject(body)['columns'] }).data;
  if (next === undefined || relation === undefined) {
    return { kind: 'relation', name: '', within: [] };
  }
  const { resource: _none, ...subject } = relationSubject(relation, next);
  return subject;
}

function subjectOf(write: Write, sources: EffectSources): PlanSubject {
  const { now } = sources;
  const relation = now?.model.relations?.find(({ oid }) => oid === write.params['relationId']);
  return now === undefined || relation === undefined
    ? targetSubject('relation', write, sources)
    : relationSubject(relation, now);
}
