import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type ResourceRef, refKey } from '../catalog/resourceRef.ts';
import { ruleSubjectOf } from '../catalog/ruleSubject.ts';
import { datamodelSchema } from '../contract/datamodel.ts';
import { ruleSubjectsOf } from './affected.ts';
import type { DocumentReader } from './documentReader.ts';
import type { Write } from './operation.ts';
import { isRuleChangeWrite } from './ruleGroup.ts';

/** A document as the server had it; `undefined` where it had none. Secrets are masked. */
export interface ReadDocument {
  readonly ref: ResourceRef;
  readonly document: JsonValue | undefined;
}

/**
 * The documents that the writes will change or delete, as they are now, and what is needed besides to bring them
 * back: the whole datamodel where columns go, since relations name them by oids that a new column will not have.
 * @throws ApiError
 */
export async function readPreImages(
  writes: readonly Write[],
  reader: DocumentReader,
): Promise<readonly ReadDocument[]> {
  const found = new Map<string, ReadDocument>();
  for (const write of writes) {
    for (const read of await preImagesOf(write, reader)) {
      found.set(refKey(read.ref), read);
    }
  }
  return [...found.values()];
}

async function preImagesOf(write: Write, reader: DocumentReader): Promise<readonly ReadDocument[]> {
  const { endpoint, target, made, batch } = write;
  if (batch !== undefined) {
    // All rules of the datamodel: new ones are told from those that were there, and deleted ones can come back.
    return readAll(reader, [target]);
  }
  if (isRuleChangeWrite(write)) {
    return readAll(reader, [
      ...(target?.kind === 'rules' ? [] : [target]),
      ...(await columnsOfRules(write, reader)),
    ]);
  }
  // What an earlier write will make is not there yet.
  if (made?.some(({ into: [part] }) => part === 'params') === true) {
    return [];
  }
  // All others have one target and need nothing besides it.
  const id: string = endpoint;
  switch (id) {
    case 'datamodels.delete':
      return withRules(await readAll(reader, [target]), reader);
    case 'datasets.delete':
    case 'tables.delete':
      return readAll(reader, [target, modelOf(target)]);
    case 'tables.update': {
      const [table] = await readAll(reader, [target]);
      const rest = dropsColumns(write, table?.document) ? await readAll(reader, [modelOf(target)]) : [];
      return table === undefined ? [] : [table, ...rest];
    }
    case 'extractRules.createMany':
      return readAll(reader, await columnsOfRules(write, reader));
    case 'customData.deleteMatching':
      return matching(reader, write.body ?? {});
    case 'customData.updateMatching':
      if (target?.kind === 'customDataObject') {
        return readAll(reader, [target]);
      }
      return matching(reader, isJsonObject(write.body) ? (write.body['queryForSearch'] ?? {}) : {});
    case 'datamodels.create':
    case 'datasets.create':
    case 'tables.create':
    case 'relations.create':
    case 'viewpoints.create':
    case 'customData.create':
      return [];
    default:
      return readAll(reader, [target]);
  }
}

async function readAll(
  reader: DocumentReader,
  refs: readonly (ResourceRef | undefined)[],
): Promise<readonly ReadDocument[]> {
  const wanted = new Map(refs.flatMap((ref) => (ref === undefined ? [] : [[refKey(ref), ref] as const])));
  return Promise.all(
    [...wanted.values()].map(async (ref) => ({ ref, document: await reader.document(ref) })),
  );
}

const modelOf = (target: ResourceRef | undefined): ResourceRef | undefined =>
  target !== undefined && 'datamodelId' in target
    ? { kind: 'datamodel', datamodelId: target.datamodelId }
    : undefined;

/** The rules of a datamodel go with it (design.md, section 5). */
async function withRules(
  read: readonly ReadDocument[],
  reader: DocumentReader,
): Promise<readonly ReadDocument[]> {
  const model = datamodelSchema.safeParse(read[0]?.document).data;
  return model === undefined
    ? read
    : [...read, ...(await readAll(reader, [{ kind: 'rules', subject: ruleSubjectOf(model) }]))];
}

/** A stored column that is missing from the array is deleted (spec, Datamodel rule 2). */
export function dropsColumns({ body }: Write, table: JsonValue | undefined): boolean {
  if (!isJsonObject(body) || !Array.isArray(body['columns'])) {
    return false;
  }
  const sent = new Set(oidsOf(body));
  return oidsOf(isJsonObject(table) ? table : {}).some((oid) => !sent.has(oid));
}

const oidsOf = (table: JsonObject): readonly JsonValue[] =>
  Array.isArray(table['columns'])
    ? (table['columns'] as readonly JsonValue[]).flatMap((column) =>
        isJsonObject(column) && column['oid'] ? [column['oid']] : [],
      )
    : [];

/** The columns whose rules a write changes, before and after it: what a change of them shows depends on all of these. */
async function columnsOfRules(write: Write, reader: DocumentReader): Promise<readonly ResourceRef[]> {
  const { body = null, params, target } = write;
  const subjects = ruleSubjectsOf(write);
  const former = target?.kind === 'rule' ? await reader.document(target) : undefined;
  const rules = Array.isArray(body) ? (body as readonly JsonValue[]) : [body, former ?? null, params];
  return rules.flatMap((rule) => {
    const [table, column] = isJsonObject(rule) ? [rule['table'], rule['column']] : [];
    return typeof table === 'string' && typeof column === 'string' && table !== '' && column !== ''
      ? subjects.map((subject): ResourceRef => ({ kind: 'columnRules', subject, table, column }))
      : [];
  });
}

/** Each object under its own id; those without one together. */
async function matching(reader: DocumentReader, filter: JsonValue): Promise<readonly ReadDocument[]> {
  const { _id: own, ...others } = isJsonObject(filter) ? filter : {};
  if (typeof own === 'string' && own !== '' && Object.keys(others).length === 0) {
    // Many writes for one object each share the request for all of them.
    const [one] = await readAll(reader, [{ kind: 'customDataObject', objectId: own }]);
    return one?.document === undefined ? [] : [one];
  }
  const objects = await reader.matching(filter);
  const idOf = (object: JsonValue): string | undefined => {
    const id = isJsonObject(object) ? object['_id'] : undefined;
    return typeof id === 'string' && id !== '' ? id : undefined;
  };
  const nameless = objects.filter((object) => idOf(object) === undefined);
  const named = objects.flatMap((document): readonly ReadDocument[] => {
    const objectId = idOf(document);
    return objectId === undefined ? [] : [{ ref: { kind: 'customDataObject', objectId }, document }];
  });
  return nameless.length === 0 ? named : [...named, { ref: { kind: 'customData' }, document: nameless }];
}
