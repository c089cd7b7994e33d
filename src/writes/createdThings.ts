import { sameJson } from '../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../base/json.ts';
import type { ResourceRef } from '../catalog/resourceRef.ts';
import { isBookkeeping } from '../contract/bookkeeping.ts';
import { ruleSubjectsOf } from './affected.ts';
import type { Write } from './operation.ts';
import { ruleKey } from './ruleSaying.ts';
import { saysMade } from './saysSent.ts';

/** Something that a write has made, by the id that it was answered. */
interface Created {
  readonly ref: ResourceRef;
  /**
   * Whether a version of it is what was made, and nobody has put anything into it since.
   * @param own the ids of everything that the operation has made
   */
  readonly isAsMade: (now: JsonValue | undefined, own: ReadonlySet<JsonValue>) => boolean;
}

/** What a write has made; nothing where the answer does not say which it is. */
export function createdBy(write: Write, answer: JsonValue | undefined): readonly Created[] {
  const { endpoint, params } = write;
  const [subject] = ruleSubjectsOf(write);
  if (endpoint.endsWith('Rules.create') && subject !== undefined) {
    return listOf(answer).flatMap((rule) =>
      created(rule['_id'], (ruleId) => ({ kind: 'rule', subject, ruleId }), isRule(rule)),
    );
  }
  const made = isJsonObject(answer) ? answer : {};
  const { datamodelId = '', datasetId = '' } = params;
  const asMade: Created['isAsMade'] = (now, own) =>
    isJsonObject(now) && saysMade(write, now) && partsOf(now).every(({ oid = null }) => own.has(oid));
  // All others make nothing.
  const id: string = endpoint;
  switch (id) {
    case 'datamodels.create':
      return created(made['oid'], (oid) => ({ kind: 'datamodel', datamodelId: oid }), asMade);
    case 'datasets.create':
      return created(made['oid'], (oid) => ({ kind: 'dataset', datamodelId, datasetId: oid }), asMade);
    case 'tables.create':
      return created(made['oid'], (tableId) => ({ kind: 'table', datamodelId, datasetId, tableId }), asMade);
    case 'relations.create':
      return created(made['oid'], (relationId) => ({ kind: 'relation', datamodelId, relationId }), asMade);
    case 'viewpoints.create':
      return created(made['id'], (viewpointId) => ({ kind: 'viewpoint', viewpointId }), asMade);
    case 'customData.create':
      return created(
        made['_id'],
        (objectId) => ({ kind: 'customDataObject', objectId }),
        (now) => sameJson(now, answer),
      );
    default:
      return [];
  }
}

function created(
  id: JsonValue | undefined,
  refOf: (id: string) => ResourceRef,
  isAsMade: Created['isAsMade'],
): readonly Created[] {
  return typeof id === 'string' && id !== '' ? [{ ref: refOf(id), isAsMade }] : [];
}

const isRule =
  (made: JsonObject): Created['isAsMade'] =>
  (now) =>
    isJsonObject(now) && (ruleKey(now) === ruleKey(made) || sameJson(now, made, isBookkeeping));

/** What is in a datamodel or a dataset. */
function partsOf(document: JsonObject): readonly JsonObject[] {
  const { datasets, relations, schema } = document;
  const tables = isJsonObject(schema) ? listOf(schema['tables']) : [];
  return [
    ...listOf(datasets).flatMap((dataset) => [dataset, ...partsOf(dataset)]),
    ...listOf(relations),
    ...tables,
  ];
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
