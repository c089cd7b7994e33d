import type { JsonValue } from '../../base/json.ts';
import type { ResourceKind, ResourceRef } from '../../catalog/resourceRef.ts';
import { asObject } from '../model/jsonMembers.ts';
import { type Effects, type EffectSources, noEffects } from '../model/effectSources.ts';
import { getDocumentChanges } from '../model/fieldChanges.ts';
import type { ModelIndex } from '../model/modelIndex.ts';
import type { PlanSubject } from '../model/plan.ts';
import { createDatasetSubject, getPlanSubjectName } from '../model/planSubjects.ts';
import type { Write } from '../model/operation.ts';

/** Returns the effects of creating items. */
export const toCreatedEffects = (...subjects: readonly PlanSubject[]): Effects => ({
  ...noEffects,
  created: subjects,
});
/** Returns the effects of deleting items. */
export const toDeletedEffects = (...subjects: readonly PlanSubject[]): Effects => ({
  ...noEffects,
  deleted: subjects,
});

/** Creates the plan subject of a new item, with the name in its request. */
export function createNewSubject(
  kind: ResourceKind,
  { body, target }: Write,
  { oldIndex }: Pick<EffectSources, 'oldIndex'>,
): PlanSubject {
  const name = getPlanSubjectName(asObject(body));
  return {
    kind,
    name,
    within: target !== undefined && oldIndex !== undefined ? getContainerNames(target, oldIndex) : [],
  };
}

function getContainerNames(target: ResourceRef, { model }: ModelIndex): readonly string[] {
  const dataset =
    target.kind === 'dataset' ? model.datasets?.find(({ oid }) => oid === target.datasetId) : undefined;
  const name = dataset && createDatasetSubject(dataset, model).name;
  return name ? [model.title, name] : [model.title];
}

/** Returns the document of the target from before the write. */
export const getDocumentBefore = ({ target }: Write, { documents }: EffectSources): JsonValue | undefined =>
  target && documents.get(target);

/**
 * Creates the plan subject of the target of a write, with the name in its document.
 * @param kind the kind of the subject if the write has no target
 */
export function getTargetSubject(kind: ResourceKind, write: Write, sources: EffectSources): PlanSubject {
  const { target } = write;
  const before = getDocumentBefore(write, sources);
  const name = getPlanSubjectName(asObject(before));
  return { kind: target?.kind ?? kind, name, within: [], ...(target && { resource: target }) };
}

/** Returns the effects of changing one document, field by field; empty if nothing changes. */
export function getChangedEffects(subject: PlanSubject, write: Write, sources: EffectSources): Effects {
  const { _id: _omittedId, ...payload } = asObject(write.body);
  const fields = getDocumentChanges(asObject(getDocumentBefore(write, sources)), payload, nestedFields);
  return fields.length === 0 ? noEffects : { ...noEffects, changed: [{ ...subject, fields }] };
}

/** Fields whose members are listed separately. */
export const nestedFields: readonly string[] = ['connection', 'parameters', 'details', 'visibility'];
