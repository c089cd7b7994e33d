import type { JsonObject } from '../../base/json.ts';
import { type RuleSubject, getRuleSubject } from '../../catalog/ruleSubject.ts';
import type { IdOrOutput } from '../../changes/model/undoWrites.ts';
import { getObjects, getText } from '../../changes/model/jsonMembers.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import { nameDatasets } from '../instance/datasetNames.ts';
import { readColumnName, readTableName, readTables } from '../instance/identifiers.ts';
import { formatItemKey } from '../item.ts';
import type { Renamer } from '../pull/renames.ts';

/** A table of the target: on the instance, or created by an earlier write. */
export interface TargetTable {
  readonly id: IdOrOutput;
  readonly datasetId: IdOrOutput;
  /** The document on the instance; absent for a new table. */
  readonly document?: JsonObject;
  /** The IDs of the columns, by name. */
  readonly columnIds: Map<string, IdOrOutput>;
}

/** A datamodel of the target. */
export interface TargetDatamodel {
  readonly id: IdOrOutput;
  readonly subject: RuleSubject;
  readonly isNew: boolean;
  /** Its rules on the instance; empty for a new datamodel. */
  readonly rules: readonly JsonObject[];
  /** The IDs of the datasets, by name. */
  readonly datasetIds: Map<string, IdOrOutput>;
  /** The tables, by name. */
  readonly tables: Map<string, TargetTable>;
}

/** A datamodel of the instance, with its rules. */
interface DatamodelWithRules {
  readonly document: JsonObject;
  readonly rules: readonly JsonObject[];
}

/** The IDs of datamodels and their parts, by the names that the project has for them. */
export class TargetNames {
  readonly #datamodels: Map<string, TargetDatamodel>;

  constructor(datamodels: readonly DatamodelWithRules[], renamer: Renamer) {
    this.#datamodels = new Map(
      datamodels.map((datamodel) => [
        getText(datamodel.document['title']),
        indexDatamodel(datamodel, renamer),
      ]),
    );
  }

  getDatamodel(title: string): TargetDatamodel | undefined {
    return this.#datamodels.get(title);
  }

  addDatamodel(title: string, datamodel: TargetDatamodel): void {
    this.#datamodels.set(title, datamodel);
  }

  findTable(title: string, table: string): TargetTable | undefined {
    return this.#datamodels.get(title)?.tables.get(table);
  }

  findColumnId(title: string, { table, column }: ColumnName): IdOrOutput | undefined {
    return this.findTable(title, table)?.columnIds.get(column);
  }
}

function indexDatamodel({ document, rules }: DatamodelWithRules, renamer: Renamer): TargetDatamodel {
  const datamodel = getText(document['title']);
  const datasets = getObjects(document['datasets']);
  const names = nameDatasets(datasets);
  const getName = (dataset: JsonObject): string => {
    const key = renamer.toProjectKey({ kind: 'dataset', datamodel, dataset: names.get(dataset) ?? '' });
    return key.kind === 'dataset' ? key.dataset : '';
  };
  return {
    id: getText(document['oid']),
    subject: getRuleSubject(datamodelSchema.parse(document)),
    isNew: false,
    rules,
    datasetIds: new Map(datasets.map((dataset) => [getName(dataset), getText(dataset['oid'])])),
    tables: new Map(
      datasets.flatMap((dataset) =>
        readTables(dataset).map((table) => indexTable(table, { datamodel, dataset, renamer })),
      ),
    ),
  };
}

function indexTable(
  document: JsonObject,
  {
    datamodel,
    dataset,
    renamer,
  }: { readonly datamodel: string; readonly dataset: JsonObject; readonly renamer: Renamer },
): readonly [name: string, table: TargetTable] {
  const table = readTableName(document);
  const key = renamer.toProjectKey({ kind: 'table', datamodel, table });
  return [
    key.kind === 'table' ? key.table : formatItemKey(key),
    {
      id: getText(document['oid']),
      datasetId: getText(dataset['oid']),
      document,
      columnIds: new Map(
        getObjects(document['columns']).map((column) => [
          renamer.toProjectColumn(datamodel, table, readColumnName(column)),
          getText(column['oid']),
        ]),
      ),
    },
  ];
}
