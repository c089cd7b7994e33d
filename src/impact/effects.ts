import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ResourceRef } from '../catalog/resourceRef.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { relationSchema } from '../contract/relation.ts';
import { extractRuleSchema } from '../contract/rule.ts';
import type { Write } from '../writes/operation.ts';
import { documentChanges, fieldChanges } from './fieldChanges.ts';
import { documentOf, type Effects, type EffectSources, none } from './effectSources.ts';
import type { ModelIndex } from './modelIndex.ts';
import type { ChangedSubject, Plan, PlanSubject } from './plan.ts';
import type { Documents } from './snapshot.ts';
import {
  columnSubject,
  datamodelSubject,
  datasetSubject,
  nameIn,
  partyNames,
  plannedRule,
  relationSubject,
  ruleSubjectIn,
  tableSubject,
} from './subjects.ts';
import { tableEffects } from './tableEffects.ts';

const created = (...subjects: readonly PlanSubject[]): Effects => ({ ...none, created: subjects });
const deleted = (...subjects: readonly PlanSubject[]): Effects => ({ ...none, deleted: subjects });

/** What a write creates, changes and deletes. */
export function effectsOf(write: Write, sources: EffectSources): Effects {
  const { endpoint, params, body, target, step, batch } = write;
  // What is replaced is still there under another id; the temporary deny rules of earlier versions come and go.
  if (step !== undefined) {
    return none;
  }
  const sent = isJsonObject(body) ? body : {};
  const before = target && documentOf(sources.documents, target);
  switch (endpoint) {
    case 'tables.update':
      return tableEffects(write, sources);
    case 'datamodels.create':
    case 'datasets.create':
    case 'tables.create':
    case 'viewpoints.create':
    case 'customData.create':
      return created(newSubject(write, sources));
    case 'relations.create':
      return created(newRelation(sent['columns'], sources));
    case 'datamodels.delete':
      return deleted(...wholeModel(sources));
    case 'datasets.delete':
      return deleted(...wholeDataset(sources, params['datasetId'] ?? ''));
    case 'tables.delete':
      return deleted(...wholeTable(sources, params['tableId'] ?? ''));
    case 'relations.delete':
    case 'viewpoints.delete':
    case 'extractRules.delete':
    case 'liveRules.delete':
      if (batch !== undefined) {
        const ids = new Set<JsonValue | undefined>(batch.ids);
        return deleted(
          ...rulesIn(
            itemsOf(before).filter(({ _id: id }) => ids.has(id)),
            write,
          ),
        );
      }
      return deleted(subjectOf(write, before, sources));
    case 'extractRules.create':
    case 'extractRules.createMany':
    case 'liveRules.create':
      return created(...rulesIn(body, write, itemsOf(before)));
    case 'extractRules.deleteByColumn':
    case 'liveRules.deleteByColumn':
      return deleted(...rulesIn(before, write));
    case 'customData.deleteMatching':
      return deleted(...customObjects(sources.documents));
    case 'customData.updateMatching':
      return { ...none, changed: customChanges(sources.documents, sent) };
    case 'datasets.update':
    case 'relations.update':
    case 'extractRules.update':
    case 'viewpoints.update': {
      const fields = documentChanges(isJsonObject(before) ? before : {}, withoutId(sent), [
        'connection',
        'parameters',
        'details',
        'visibility',
      ]);
      const subject = subjectOf(write, before, sources);
      return fields.length === 0
        ? none
        : { ...none, changed: [{ ...subject, fields, ...ruleAfterwards(subject, before, sent) }] };
    }
  }
}

/** What a rule that is changed lets whom see from then on; nothing for what is no rule. */
function ruleAfterwards(
  { kind }: PlanSubject,
  before: JsonValue | undefined,
  sent: JsonObject,
): Pick<ChangedSubject, 'becomes'> {
  if (kind !== 'rule' || !isJsonObject(before)) {
    return {};
  }
  const after = extractRuleSchema.safeParse({ ...before, ...sent }).data;
  const becomes = after && plannedRule(after, partyNames([before]));
  return becomes === undefined ? {} : { becomes };
}

const itemsOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

const withoutId = ({ _id, ...rest }: JsonObject): JsonObject => rest;

function newSubject({ endpoint, body, target }: Write, { now }: EffectSources): PlanSubject {
  const name = isJsonObject(body) ? nameIn(body) : '';
  const within = target !== undefined && now !== undefined ? placeOf(target, now) : [];
  const kinds = {
    datamodels: 'datamodel',
    datasets: 'dataset',
    tables: 'table',
    viewpoints: 'viewpoint',
    customData: 'customDataObject',
  } as const;
  const kind = kinds[endpoint.split('.')[0] as keyof typeof kinds];
  return { kind, name, within };
}

function placeOf(target: ResourceRef, { model }: ModelIndex): readonly string[] {
  const dataset =
    target.kind === 'dataset' ? model.datasets?.find(({ oid }) => oid === target.datasetId) : undefined;
  const name = dataset && datasetSubject(dataset, model).name;
  return name ? [model.title, name] : [model.title];
}

/** A new relation joins columns that may be as new as itself. */
function newRelation(columns: JsonValue | undefined, { next }: EffectSources): PlanSubject {
  const relation = relationSchema.safeParse({ oid: 'new', columns }).data;
  if (next === undefined || relation === undefined) {
    return { kind: 'relation', name: '', within: [] };
  }
  const { resource: _none, ...subject } = relationSubject(relation, next);
  return subject;
}

/** What is deleted, by the name that the document or the datamodel has for it. */
function subjectOf(write: Write, before: JsonValue | undefined, { now }: EffectSources): PlanSubject {
  const { target } = write;
  if (target === undefined) {
    return { kind: 'rule', name: '', within: [] };
  }
  if (target.kind === 'rule') {
    const rule = extractRuleSchema.safeParse(before).data;
    return rule === undefined ? named(target, before) : ruleSubjectIn(rule, target.subject);
  }
  if (now !== undefined && target.kind === 'relation') {
    const relation = now.model.relations?.find(({ oid }) => oid === target.relationId);
    return relation === undefined ? named(target, before) : relationSubject(relation, now);
  }
  if (now !== undefined && target.kind === 'dataset') {
    const dataset = now.model.datasets?.find(({ oid }) => oid === target.datasetId);
    return dataset === undefined ? named(target, before) : datasetSubject(dataset, now.model);
  }
  return named(target, before);
}

const named = (resource: ResourceRef, document: JsonValue | undefined): PlanSubject => ({
  kind: resource.kind,
  name: isJsonObject(document) ? nameIn(document) : '',
  within: [],
  resource,
});

function wholeModel({ now }: EffectSources): readonly PlanSubject[] {
  return now === undefined
    ? []
    : [
        datamodelSubject(now.model),
        ...(now.model.datasets ?? []).map((dataset) => datasetSubject(dataset, now.model)),
        ...now.tables.map((table) => tableSubject(table, now)),
        ...(now.model.relations ?? []).map((relation) => relationSubject(relation, now)),
      ];
}

function wholeDataset({ now }: EffectSources, datasetId: string): readonly PlanSubject[] {
  const dataset = now?.model.datasets?.find(({ oid }) => oid === datasetId);
  return now === undefined || dataset === undefined
    ? []
    : [
        datasetSubject(dataset, now.model),
        ...now.tables
          .filter((table) => table.dataset.oid === datasetId)
          .map((table) => tableSubject(table, now)),
      ];
}

function wholeTable({ now }: EffectSources, tableId: string): readonly PlanSubject[] {
  const table = now?.table(tableId);
  return now === undefined || table === undefined
    ? []
    : [tableSubject(table, now), ...table.columns.map((column) => columnSubject(column, now))];
}

function rulesIn(
  rules: JsonValue | undefined,
  write: Write,
  others: readonly JsonObject[] = [],
): readonly PlanSubject[] {
  const list = Array.isArray(rules) ? (rules as readonly JsonValue[]) : [];
  const names = partyNames(others);
  return list.flatMap((value) => {
    const rule = extractRuleSchema.safeParse(value).data;
    return rule === undefined ? [] : [ruleSubjectIn(rule, cubeOf(write, value), names)];
  });
}

function cubeOf({ params, target }: Write, rule: JsonValue): RuleSubject {
  if (target !== undefined && 'subject' in target) {
    return target.subject;
  }
  if (params['title'] !== undefined) {
    return { kind: 'live', title: params['title'] };
  }
  const own = isJsonObject(rule) ? rule : {};
  const text = (name: string): string => {
    const value = params[name] ?? own[name];
    return typeof value === 'string' ? value : '';
  };
  return { kind: 'extract', server: text('server'), elasticube: text('elasticube') };
}

const customObjects = (documents: Documents): readonly PlanSubject[] =>
  documents
    .filter(({ ref }) => ref.kind === 'customDataObject' || ref.kind === 'customData')
    .map(({ ref }) => ({
      kind: 'customDataObject',
      name: ref.kind === 'customDataObject' ? ref.objectId : '',
      within: [],
      resource: ref,
    }));

/** A filter for one identifier reaches that object only; what any other reaches was read before. */
function customChanges(documents: Documents, body: JsonObject): Plan['changed'] {
  const change = isJsonObject(body['objectForUpdate']) ? body['objectForUpdate'] : {};
  const filter = isJsonObject(body['queryForSearch']) ? body['queryForSearch'] : {};
  const only = Object.keys(filter).length === 1 ? filter['_id'] : undefined;
  return documents.flatMap(({ ref, document }) => {
    if (ref.kind !== 'customDataObject' || (typeof only === 'string' && ref.objectId !== only)) {
      return [];
    }
    const fields = fieldChanges(isJsonObject(document) ? document : {}, change);
    const subject = { kind: ref.kind, name: ref.objectId, within: [], resource: ref };
    return fields.length === 0 ? [] : [{ ...subject, fields }];
  });
}
