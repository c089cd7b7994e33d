import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { ResourceKind, ResourceRef } from '../../catalog/resourceRef.ts';
import { asObject } from '../model/read.ts';
import { type Effects, type EffectSources, none } from '../model/effectSources.ts';
import { documentChanges } from '../model/fieldChanges.ts';
import type { ModelIndex } from '../model/modelIndex.ts';
import type { PlanSubject } from '../model/plan.ts';
import { datasetSubject, nameIn } from '../model/subjects.ts';
import type { Write } from '../model/operation.ts';

export const created = (...subjects: readonly PlanSubject[]): Effects => ({ ...none, created: subjects });
export const deleted = (...subjects: readonly PlanSubject[]): Effects => ({ ...none, deleted: subjects });

/** Something new, by the name that it is sent with. */
export function newSubject(
  kind: ResourceKind,
  { body, target }: Write,
  { now }: Pick<EffectSources, 'now'>,
): PlanSubject {
  const name = isJsonObject(body) ? nameIn(body) : '';
  return { kind, name, within: target !== undefined && now !== undefined ? placeOf(target, now) : [] };
}

function placeOf(target: ResourceRef, { model }: ModelIndex): readonly string[] {
  const dataset =
    target.kind === 'dataset' ? model.datasets?.find(({ oid }) => oid === target.datasetId) : undefined;
  const name = dataset && datasetSubject(dataset, model).name;
  return name ? [model.title, name] : [model.title];
}

/** The target as it was before the write. */
export const documentBefore = ({ target }: Write, { documents }: EffectSources): JsonValue | undefined =>
  target && documents.get(target);

/**
 * What a write is about, by the name that its document has for it.
 * @param kind of what it is about where the write does not name it
 */
export function targetSubject(kind: ResourceKind, write: Write, sources: EffectSources): PlanSubject {
  const { target } = write;
  const before = documentBefore(write, sources);
  const name = isJsonObject(before) ? nameIn(before) : '';
  return target === undefined
    ? { kind, name, within: [] }
    : { kind: target.kind, name, within: [], resource: target };
}

/** A change of one document, field by field; nothing where it says what is there. */
export function changed(subject: PlanSubject, write: Write, sources: EffectSources): Effects {
  const { _id: _none, ...sent } = asObject(write.body);
  const fields = documentChanges(asObject(documentBefore(write, sources)), sent, fieldsToldInside);
  return fields.length === 0 ? none : { ...none, changed: [{ ...subject, fields }] };
}

/** Fields whose members are told one by one. */
const fieldsToldInside: readonly string[] = ['connection', 'parameters', 'details', 'visibility'];
