import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { ResourceKind, ResourceRef } from '../../catalog/resourceRef.ts';
import { asObject } from '../model/readJson.ts';
import { type Effects, type EffectSources, noEffects } from '../model/effectSources.ts';
import { getDocumentChanges } from '../model/fieldChanges.ts';
import type { ModelIndex } from '../model/modelIndex.ts';
import type { PlanSubject } from '../model/plan.ts';
import { createDatasetSubject, getNameForNew } from '../model/subjects.ts';
import type { Write } from '../model/operation.ts';

export const createdEffects = (...subjects: readonly PlanSubject[]): Effects => ({
  ...noEffects,
  created: subjects,
});
export const deletedEffects = (...subjects: readonly PlanSubject[]): Effects => ({
  ...noEffects,
  deleted: subjects,
});

/** Creates the subject of a new item, named as in its request. */
export function createNewSubject(
  kind: ResourceKind,
  { body, target }: Write,
  { now }: Pick<EffectSources, 'now'>,
): PlanSubject {
  const name = isJsonObject(body) ? getNameForNew(body) : '';
  return { kind, name, within: target !== undefined && now !== undefined ? getParents(target, now) : [] };
}

function getParents(target: ResourceRef, { model }: ModelIndex): readonly string[] {
  const dataset =
    target.kind === 'dataset' ? model.datasets?.find(({ oid }) => oid === target.datasetId) : undefined;
  const name = dataset && createDatasetSubject(dataset, model).name;
  return name ? [model.title, name] : [model.title];
}

/** The target as it was before the write. */
export const getDocumentBefore = ({ target }: Write, { documents }: EffectSources): JsonValue | undefined =>
  target && documents.get(target);

/**
 * Returns the subject of a write, named as in its document.
 * @param kind kind of the subject if the write doesn't name it
 */
export function getTargetSubject(kind: ResourceKind, write: Write, sources: EffectSources): PlanSubject {
  const { target } = write;
  const before = getDocumentBefore(write, sources);
  const name = isJsonObject(before) ? getNameForNew(before) : '';
  return target === undefined
    ? { kind, name, within: [] }
    : { kind: target.kind, name, within: [], resource: target };
}

/** Returns the changes of one document, field by field; empty if the write changes nothing. */
export function getChangedEffects(subject: PlanSubject, write: Write, sources: EffectSources): Effects {
  const { _id: _none, ...sent } = asObject(write.body);
  const fields = getDocumentChanges(asObject(getDocumentBefore(write, sources)), sent, nestedFields);
  return fields.length === 0 ? noEffects : { ...noEffects, changed: [{ ...subject, fields }] };
}

/** Fields whose members are listed separately. */
const nestedFields: readonly string[] = ['connection', 'parameters', 'details', 'visibility'];
