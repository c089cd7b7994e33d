import type { JsonObject } from '../../base/json.ts';
import { type RuleSubject, getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { getDatasetName, type Datamodel, type Dataset, type Relation } from '../../contract/datamodel.ts';
import type { Rule } from '../../contract/rule.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';
import { readNamedParties } from '../../security/copy/namedParties.ts';
import { readRules } from '../../security/readRules.ts';
import type { IndexedColumn, IndexedTable, ModelIndex } from './modelIndex.ts';
import type { PlannedRule, PlanSubject } from './plan.ts';

/** Creates the items of a plan, each with its name, its containers, and its resource. */

/** Creates the plan subject of a datamodel. */
export const createDatamodelSubject = ({ oid, title }: Datamodel): PlanSubject => ({
  kind: 'datamodel',
  name: title,
  within: [],
  resource: { kind: 'datamodel', datamodelId: oid },
});

/** Creates the plan subject of a dataset. */
export const createDatasetSubject = (dataset: Dataset, model: Datamodel): PlanSubject => ({
  kind: 'dataset',
  name: getDatasetName(dataset) ?? '',
  within: [model.title],
  resource: { kind: 'dataset', datamodelId: model.oid, datasetId: dataset.oid },
});

/** Creates the plan subject of a table. */
export const createTableSubject = (table: IndexedTable, index: ModelIndex): PlanSubject => ({
  kind: 'table',
  name: table.name,
  within: index.getContainerNames({ table }),
  resource: {
    kind: 'table',
    datamodelId: index.model.oid,
    datasetId: table.dataset.oid,
    tableId: table.id,
  },
});

/** Returns the plan subject of a table by its ID; `undefined` if the datamodel doesn't have it. */
export const findTableSubject = (index: ModelIndex, tableId: string): PlanSubject | undefined => {
  const table = index.getTable(tableId);
  return table && createTableSubject(table, index);
};

/** Creates the plan subject of a column. Without an oid, its resource is the table. */
export const createColumnSubject = (column: IndexedColumn, index: ModelIndex): PlanSubject => {
  const { table } = column;
  const ids = { datamodelId: index.model.oid, datasetId: table.dataset.oid, tableId: table.id };
  const { oid } = column.column;
  return {
    kind: 'column',
    name: column.name,
    within: index.getContainerNames({ table, column }),
    resource: oid ? { kind: 'column', ...ids, columnId: oid } : { kind: 'table', ...ids },
  };
};

/**
 * Creates the plan subject of a relation. Relations have no name, so it is labeled by its columns, for example
 * `Orders.Store Id = Stores.Store Id`.
 */
export const createRelationSubject = ({ oid, columns }: Relation, index: ModelIndex): PlanSubject => ({
  kind: 'relation',
  name: (columns ?? [])
    .map((relationColumn) => {
      const column = index.getColumn(relationColumn.table, relationColumn.column);
      return column === undefined ? '?' : `${column.table.name}.${column.name}`;
    })
    .join(' = '),
  within: [index.model.title],
  resource: { kind: 'relation', datamodelId: index.model.oid, relationId: oid },
});

/**
 * Creates the plan subject of a rule of a datamodel or cube set.
 * @param names names of the parties, which a new rule does not contain itself; see {@link collectPartyNames}
 */
export const createRulePlanSubject = (
  rule: Rule,
  subject: RuleSubject,
  names?: ReadonlyMap<string, string>,
): PlanSubject => {
  const planned = toPlannedRule(rule, names);
  return {
    kind: 'rule',
    name: `${rule.table}.${rule.column}`,
    within: [getSubjectTitle(subject)],
    column: { table: rule.table, column: rule.column },
    ...(rule._id ? { resource: { kind: 'rule', subject, ruleId: rule._id } } : {}),
    ...(planned === undefined ? {} : { rule: planned }),
  };
};

/** Collects the names of the users and groups in rules, by `type:id`. */
export const collectPartyNames = (rules: readonly unknown[]): ReadonlyMap<string, string> =>
  new Map(readNamedParties(rules).map(({ type, id, name }) => [`${type}:${id}`, name]));

/**
 * Returns the content of a rule as a plan shows it; `undefined` if the rule can't be parsed.
 * @param partyNames names of parties, for those that the rule doesn't name itself
 */
export function toPlannedRule(
  rule: Rule,
  partyNames: ReadonlyMap<string, string> = new Map(),
): PlannedRule | undefined {
  const [parsed] = readRules([rule]);
  if (parsed === undefined) {
    return undefined;
  }
  const ownNames = collectPartyNames([rule]);
  const parties = parsed.parties.map(({ type, id = '' }) => {
    const key = `${type}:${id}`;
    return { type, name: ownNames.get(key) ?? partyNames.get(key) ?? id };
  });
  return { grant: parsed.grant, parties };
}

/** Creates the plan subject of a viewpoint. */
export const createViewpointSubject = ({ id, name }: Pick<Viewpoint, 'id' | 'name'>): PlanSubject => ({
  kind: 'viewpoint',
  name: name ?? id,
  within: [],
  resource: { kind: 'viewpoint', viewpointId: id },
});

/** Returns the name, title or ID of a document as a plan shows it; empty if it has none. */
export const getPlanSubjectName = (document: JsonObject): string => {
  const name = document['name'] ?? document['title'] ?? document['id'];
  return typeof name === 'string' ? name : '';
};
