import { type JsonObject, stringify } from '../../base/json.ts';
import type { BuildType } from '../../contract/build.ts';
import { type Datamodel, datamodelSchema, getDatamodelType, type Dataset } from '../../contract/datamodel.ts';
import {
  type Column,
  getColumnName,
  getExpressionText,
  type Table,
  getTableName,
} from '../../contract/table.ts';
import { BuildError } from './buildError.ts';
import { type CsvSource, readCsvSource } from './csvSource.ts';

export interface ModelColumn {
  readonly oid: string;
  /** Source column identifier (rest-api.md, "Column"). */
  readonly id: string;
  readonly name: string;
  readonly type: number | undefined;
  /** The SQL of a custom column. */
  readonly expression: string | undefined;
}

/** A table's `buildBehavior` (platform-facts.md, 2.4). Days count back from the time of the build. */
interface TableBehavior {
  readonly type: string;
  readonly accumulative:
    | {
        readonly column: string;
        readonly lastDays: number | undefined;
        readonly keepOnlyDays: number | undefined;
      }
    | undefined;
}

export interface ModelTable {
  readonly oid: string;
  readonly id: string;
  readonly name: string;
  readonly kind: 'base' | 'custom';
  readonly columns: readonly ModelColumn[];
  /** The SQL of a custom table. */
  readonly expression: string | undefined;
  readonly behavior: TableBehavior;
  readonly source: CsvSource;
  /** Serialized properties whose change requires a rebuild of the table. */
  readonly definition: string;
}

export interface ModelRelation {
  readonly oid: string;
  readonly ends: readonly { readonly table: string; readonly column: string }[];
}

export interface BuildModel {
  readonly oid: string;
  readonly type: 'extract' | 'live';
  readonly tables: readonly ModelTable[];
  readonly relations: readonly ModelRelation[];
}

function readColumn(column: Column): ModelColumn {
  const expression = getExpressionText(column.expression)?.trim();
  return {
    oid: column.oid ?? getColumnName(column),
    id: column.id ?? getColumnName(column),
    name: getColumnName(column),
    type: column.type ?? undefined,
    expression:
      column.isCustom === true || (expression !== undefined && expression !== '')
        ? (expression ?? '')
        : undefined,
  };
}

const toDays = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;

function readBehavior(table: Table): TableBehavior {
  const config = table.buildBehavior?.accumulativeConfig;
  const column = config?.column;
  return {
    type: table.buildBehavior?.type ?? 'sync',
    accumulative:
      typeof column === 'string'
        ? { column, lastDays: toDays(config?.['lastDays']), keepOnlyDays: toDays(config?.['keepOnlyDays']) }
        : undefined,
  };
}

function readTable(dataset: Dataset, table: Table): ModelTable {
  const isCustom = table.type ? table.type === 'custom' : dataset.type === 'custom';
  const kind = isCustom ? 'custom' : 'base';
  const columns = (table.columns ?? []).map(readColumn);
  const expression = getExpressionText(table.expression);
  const source = readCsvSource(dataset.connection ?? undefined, table.configOptions ?? undefined);
  // Generated columns of a custom table follow from its expression, so they are not part of its definition.
  const definingColumns =
    kind === 'custom' ? columns.filter((column) => column.expression !== undefined) : columns;
  return {
    oid: table.oid,
    id: table.id ?? getTableName(table),
    name: getTableName(table),
    kind,
    columns,
    expression,
    behavior: readBehavior(table),
    source,
    definition: stringify([
      kind,
      table.id ?? null,
      getTableName(table),
      expression ?? null,
      kind === 'base' ? source : null,
      definingColumns.map(({ id, name, type, expression: sql }) => [id, name, type ?? null, sql ?? null]),
    ]),
  };
}

function parseModel(document: JsonObject): Datamodel {
  const result = datamodelSchema.safeParse(document);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new BuildError(`invalid schema: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unreadable'}`);
  }
  return result.data;
}

/**
 * Reads the properties of a datamodel document that the engine needs (platform-facts.md, 2.2).
 * @throws BuildError when the document is not a valid datamodel.
 */
export function readModel(document: JsonObject, buildType: BuildType): BuildModel {
  const model = parseModel(document);
  return {
    oid: model.oid,
    type: model.type ? getDatamodelType(model) : buildType === 'publish' ? 'live' : 'extract',
    tables: (model.datasets ?? []).flatMap((dataset) =>
      (dataset.schema?.tables ?? []).map((table) => readTable(dataset, table)),
    ),
    relations: (model.relations ?? []).map((relation) => ({
      oid: relation.oid,
      ends: (relation.columns ?? []).map(({ table, column }) => ({ table, column })),
    })),
  };
}
