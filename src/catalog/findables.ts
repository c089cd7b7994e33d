import { type Datamodel, type Dataset, datasetName } from '../contract/datamodel.ts';
import { type Rule, partyOf } from '../contract/rule.ts';
import { type Column, type Table, columnName, tableName } from '../contract/table.ts';
import type { Known } from './catalog.ts';
import type { ResourceRef } from './resourceRef.ts';
import { type RuleSubject, subjectTitle } from './ruleSubject.ts';

/** Something that can be found by its name or identifier. */
export interface Findable {
  readonly name: string;
  /** What it is in, from the outside in. */
  readonly within: readonly string[];
  readonly ref: ResourceRef;
  readonly id: string;
}

/** Everything that is known of an instance and has a name, one after the other. */
export function* findables(known: Known): Generator<Findable> {
  for (const datamodel of known.datamodels) {
    yield* inDatamodel(datamodel);
  }
  for (const { subject, rules } of known.rules) {
    for (const rule of rules) {
      yield* ruleFindable(subject, rule);
    }
  }
  for (const { id, name } of known.viewpoints) {
    yield { name: name ?? id, within: [], id, ref: { kind: 'viewpoint', viewpointId: id } };
  }
}

function* inDatamodel(datamodel: Datamodel): Generator<Findable> {
  const { oid: datamodelId, title } = datamodel;
  yield { name: title, within: [], id: datamodelId, ref: { kind: 'datamodel', datamodelId } };
  for (const dataset of datamodel.datasets ?? []) {
    yield* inDataset(datamodel, dataset);
  }
  for (const { oid: relationId } of datamodel.relations ?? []) {
    const ref = { kind: 'relation', datamodelId, relationId } as const;
    // A relation has no name; it is found by its identifier.
    yield { name: relationId, within: [title], id: relationId, ref };
  }
}

function* inDataset({ oid: datamodelId, title }: Datamodel, dataset: Dataset): Generator<Findable> {
  const datasetId = dataset.oid;
  const ref = { kind: 'dataset', datamodelId, datasetId } as const;
  yield { name: datasetName(dataset) ?? dataset.name ?? datasetId, within: [title], id: datasetId, ref };
  for (const table of dataset.schema?.tables ?? []) {
    yield* inTable([title], { datamodelId, datasetId, tableId: table.oid }, table);
  }
}

interface TableIds {
  readonly datamodelId: string;
  readonly datasetId: string;
  readonly tableId: string;
}

function* inTable(within: readonly string[], ids: TableIds, table: Table): Generator<Findable> {
  const name = tableName(table);
  yield { name, within, id: table.oid, ref: { kind: 'table', ...ids } };
  const inside = [...within, name];
  for (const column of table.columns ?? []) {
    yield* columnFindable(inside, ids, column);
  }
}

function* columnFindable(within: readonly string[], ids: TableIds, column: Column): Generator<Findable> {
  if (column.oid) {
    const ref = { kind: 'column', ...ids, columnId: column.oid } as const;
    yield { name: columnName(column), within, id: column.oid, ref };
  }
}

function* ruleFindable(subject: RuleSubject, rule: Rule): Generator<Findable> {
  if (rule._id) {
    const parties = (rule.shares ?? []).map((share) => share.partyName ?? partyOf(share) ?? share.type);
    const name = `${rule.table}.${rule.column}: ${parties.join(', ')}`;
    const ref = { kind: 'rule', subject, ruleId: rule._id } as const;
    yield { name, within: [subjectTitle(subject)], id: rule._id, ref };
  }
}
