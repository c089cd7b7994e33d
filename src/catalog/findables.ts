import { type Datamodel, type Dataset, getDatasetName } from '../contract/datamodel.ts';
import { type Rule, getPartyId } from '../contract/rule.ts';
import { type Column, type Table, getColumnName, getTableName } from '../contract/table.ts';
import type { KnownResources } from './instanceCatalog.ts';
import type { ResourceRef } from './resourceRef.ts';
import { type RuleSubject, getSubjectTitle } from './ruleSubject.ts';

/** Something that can be found by its name or ID. */
export interface Findable {
  readonly name: string;
  /** The names of its containers, outermost first. */
  readonly within: readonly string[];
  readonly ref: ResourceRef;
  readonly id: string;
}

/** Everything in the loaded part of an instance that can be found by its name or ID. */
export function* listFindables(resources: KnownResources): Generator<Findable> {
  for (const datamodel of resources.datamodels) {
    yield* listDatamodelFindables(datamodel);
  }
  for (const { subject, rules } of resources.rules) {
    for (const rule of rules) {
      yield* listRuleFindables(subject, rule);
    }
  }
  for (const { id, name } of resources.viewpoints) {
    yield { name: name ?? id, within: [], id, ref: { kind: 'viewpoint', viewpointId: id } };
  }
}

/** Everything in the loaded part of a datamodel that can be found by its name or ID. */
export function* listDatamodelFindables(datamodel: Datamodel): Generator<Findable> {
  const { oid: datamodelId, title } = datamodel;
  yield { name: title, within: [], id: datamodelId, ref: { kind: 'datamodel', datamodelId } };
  for (const dataset of datamodel.datasets ?? []) {
    yield* listDatasetFindables(datamodel, dataset);
  }
  for (const { oid: relationId } of datamodel.relations ?? []) {
    const ref = { kind: 'relation', datamodelId, relationId } as const;
    // A relation has no name; it is found by its ID.
    yield { name: relationId, within: [title], id: relationId, ref };
  }
}

function* listDatasetFindables(
  { oid: datamodelId, title }: Datamodel,
  dataset: Dataset,
): Generator<Findable> {
  const datasetId = dataset.oid;
  const ref = { kind: 'dataset', datamodelId, datasetId } as const;
  yield { name: getDatasetName(dataset) ?? dataset.name ?? datasetId, within: [title], id: datasetId, ref };
  for (const table of dataset.schema?.tables ?? []) {
    yield* listTableFindables([title], { datamodelId, datasetId, tableId: table.oid }, table);
  }
}

interface TableIds {
  readonly datamodelId: string;
  readonly datasetId: string;
  readonly tableId: string;
}

function* listTableFindables(within: readonly string[], ids: TableIds, table: Table): Generator<Findable> {
  const name = getTableName(table);
  yield { name, within, id: table.oid, ref: { kind: 'table', ...ids } };
  const tablePath = [...within, name];
  for (const column of table.columns ?? []) {
    yield* listColumnFindables(tablePath, ids, column);
  }
}

function* listColumnFindables(within: readonly string[], ids: TableIds, column: Column): Generator<Findable> {
  if (column.oid) {
    const ref = { kind: 'column', ...ids, columnId: column.oid } as const;
    yield { name: getColumnName(column), within, id: column.oid, ref };
  }
}

function* listRuleFindables(subject: RuleSubject, rule: Rule): Generator<Findable> {
  if (rule._id) {
    const parties = (rule.shares ?? []).map((share) => share.partyName ?? getPartyId(share) ?? share.type);
    const name = `${rule.table}.${rule.column}: ${parties.join(', ')}`;
    const ref = { kind: 'rule', subject, ruleId: rule._id } as const;
    yield { name, within: [getSubjectTitle(subject)], id: rule._id, ref };
  }
}
