import type { JsonObject } from '../../base/json.ts';
import { ruleSubjectOf, type RuleSubject, subjectTitle } from '../../catalog/ruleSubject.ts';
import { datasetName, type Datamodel, type Dataset, type Relation } from '../../contract/datamodel.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import { readShares } from '../../security/copy/namedShares.ts';
import { readRules } from '../../security/readRule.ts';
import type { IndexedColumn, IndexedTable, ModelIndex } from './modelIndex.ts';
import type { PlannedRule, PlanSubject } from './plan.ts';

/** How the plan calls things: each with its name, what it is in, and where it is found. */

export const datamodelSubject = ({ oid, title }: Datamodel): PlanSubject => ({
  kind: 'datamodel',
  name: title,
  within: [],
  resource: { kind: 'datamodel', datamodelId: oid },
});

export const datasetSubject = (dataset: Dataset, model: Datamodel): PlanSubject => ({
  kind: 'dataset',
  name: datasetName(dataset) ?? '',
  within: [model.title],
  resource: { kind: 'dataset', datamodelId: model.oid, datasetId: dataset.oid },
});

export const tableSubject = (table: IndexedTable, index: ModelIndex): PlanSubject => ({
  kind: 'table',
  name: table.name,
  within: index.within({ table }),
  resource: {
    kind: 'table',
    datamodelId: index.model.oid,
    datasetId: table.dataset.oid,
    tableId: table.id,
  },
});

/** A column that has no oid yet is found through its table. */
export const columnSubject = (column: IndexedColumn, index: ModelIndex): PlanSubject => {
  const { table } = column;
  const ids = { datamodelId: index.model.oid, datasetId: table.dataset.oid, tableId: table.id };
  const { oid } = column.column;
  return {
    kind: 'column',
    name: column.name,
    within: index.within({ table, column }),
    resource: oid ? { kind: 'column', ...ids, columnId: oid } : { kind: 'table', ...ids },
  };
};

/** A relation has no name: it is called by its ends, `Orders.Store Id = Stores.Store Id`. */
export const relationSubject = ({ oid, columns }: Relation, index: ModelIndex): PlanSubject => ({
  kind: 'relation',
  name: (columns ?? [])
    .map((end) => {
      const column = index.column(end.table, end.column);
      return column === undefined ? '?' : `${column.table.name}.${column.name}`;
    })
    .join(' = '),
  within: [index.model.title],
  resource: { kind: 'relation', datamodelId: index.model.oid, relationId: oid },
});

export const ruleSubject = (rule: Rule, model: Pick<Datamodel, 'title' | 'type' | 'server'>): PlanSubject =>
  ruleSubjectIn(rule, ruleSubjectOf(model));

/** @param names of the parties, which a new rule itself does not say: {@link partyNames} */
export const ruleSubjectIn = (
  rule: Rule,
  subject: RuleSubject,
  names?: ReadonlyMap<string, string>,
): PlanSubject => {
  const planned = plannedRule(rule, names);
  return {
    kind: 'rule',
    name: `${rule.table}.${rule.column}`,
    within: [subjectTitle(subject)],
    ...(rule._id ? { resource: { kind: 'rule', subject, ruleId: rule._id } } : {}),
    ...(planned === undefined ? {} : { rule: planned }),
  };
};

/** What rules call their users and groups, by kind and identifier. */
export const partyNames = (rules: readonly unknown[]): ReadonlyMap<string, string> =>
  new Map(readShares(rules).map(({ type, id, name }) => [`${type}:${id}`, name]));

/** What a rule lets whom see, where it says anything that can be read. */
export function plannedRule(
  rule: Rule,
  known: ReadonlyMap<string, string> = new Map(),
): PlannedRule | undefined {
  const [read] = readRules([rule]);
  if (read === undefined) {
    return undefined;
  }
  const own = partyNames([rule]);
  const parties = read.parties.map(({ type, id = '' }) => {
    const key = `${type}:${id}`;
    return { type, name: own.get(key) ?? known.get(key) ?? id };
  });
  return { grant: read.grant, parties };
}

export const viewpointSubject = ({ id, name }: Pick<Viewpoint, 'id' | 'name'>): PlanSubject => ({
  kind: 'viewpoint',
  name: name ?? id,
  within: [],
  resource: { kind: 'viewpoint', viewpointId: id },
});

/** What a person would call a document that has not been created yet. */
export const nameIn = (document: JsonObject): string => {
  const name = document['name'] ?? document['title'] ?? document['id'];
  return typeof name === 'string' ? name : '';
};
