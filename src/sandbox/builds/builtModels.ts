import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import type { BuildType, SchemaOrigin } from '../../contract/build.ts';
import type { BuildOutcome, BuiltColumn } from '../engine/buildEngine.ts';
import { getTextMember } from '../documents.ts';
import { getTableColumns, mergeBuiltColumns, type OidFactory } from '../models/columnDocument.ts';
import { editColumns } from '../models/schemaEdits.ts';
import { createVersionStamp } from '../models/tableDocument.ts';
import { type EditContext, getTimestamp } from '../editContext.ts';

type SuccessfulBuild = Extract<BuildOutcome, { status: 'done' }>;
/** The schemas that a build uses. */
export interface BuildSchemas {
  /**
   * The schema to build: the stored model, or with `running` the schema of the last successful build
   * (rest-api.md, "POST /builds body").
   */
  readonly datamodel: JsonObject;
  /** The schema of the last successful build; absent before the first build. */
  readonly previous?: JsonObject;
}

/** Reads the schemas of a build; returns an error message if there is no schema to build. */
export function readBuildSchemas(
  { store }: EditContext,
  datamodelOid: string,
  schemaOrigin: SchemaOrigin,
): BuildSchemas | string {
  const latest = store.datamodels.getDocument(datamodelOid);
  if (latest === undefined) {
    return 'The datamodel was deleted';
  }
  const previous = store.datamodels.getBuiltSchema(datamodelOid);
  if (schemaOrigin === 'latest') {
    return previous === undefined ? { datamodel: latest } : { datamodel: latest, previous };
  }
  return previous === undefined
    ? "The datamodel hasn't been built, so it has no running schema"
    : { datamodel: previous, previous };
}

/**
 * Stores the results of a successful build: the build times, the generated columns of custom tables
 * (rest-api.md, "Table"), and the built schema. Does nothing if the datamodel was deleted.
 */
export function storeBuiltModel(
  context: EditContext,
  builtSchema: JsonObject,
  buildType: BuildType,
  { columns }: SuccessfulBuild,
): void {
  const { store, clock, ids } = context;
  const oid = getTextMember(builtSchema, 'oid');
  const timestamp = getTimestamp(clock);
  const createOid: OidFactory = () => ids.createOid();
  store.transaction(() => {
    if (store.datamodels.find(oid) === undefined) {
      return;
    }
    const generated = new Map<string, readonly JsonObject[]>();
    for (const [table, builtColumns] of Object.entries(columns)) {
      generated.set(table, updateGeneratedColumns(context, oid, table, builtColumns, createOid, timestamp));
    }
    // Not before `lastUpdated`, which generated columns have just set.
    const builtAt = getTimestamp(clock);
    store.datamodels.update(oid, {
      lastBuildTime: builtAt,
      lastSuccessfulBuildTime: builtAt,
      ...(buildType === 'publish' ? { lastPublishTime: builtAt } : {}),
    });
    store.datamodels.setBuiltSchema(oid, addGeneratedColumns(builtSchema, generated));
  });
}

/** Updates the stored columns of a custom table if they changed, and returns them. */
function updateGeneratedColumns(
  context: EditContext,
  datamodelOid: string,
  tableOid: string,
  builtColumns: readonly BuiltColumn[],
  createOid: OidFactory,
  timestamp: string,
): readonly JsonObject[] {
  const { store } = context;
  const table = store.tables.getDocumentInModel(datamodelOid, tableOid);
  const oldColumns = table === undefined ? [] : getTableColumns(table);
  const newColumns = mergeBuiltColumns(oldColumns, builtColumns, createOid, timestamp);
  if (table !== undefined && stringify(newColumns) !== stringify(oldColumns)) {
    editColumns(context, datamodelOid, tableOid, () =>
      store.tables.update({ ...table, columns: newColumns, ...createVersionStamp({ createOid, timestamp }) }),
    );
  }
  return newColumns;
}

/** Adds the generated columns to a model's custom tables, so that the next build does not see them as changes. */
function addGeneratedColumns(
  model: JsonObject,
  generated: ReadonlyMap<string, readonly JsonObject[]>,
): JsonObject {
  const mapObjects = (
    value: JsonValue | undefined,
    mapObject: (object: JsonObject) => JsonObject,
  ): JsonValue =>
    Array.isArray(value)
      ? value.map((item: JsonValue) => (isJsonObject(item) ? mapObject(item) : item))
      : (value ?? null);
  const mapTable = (table: JsonObject): JsonObject => {
    const columns = generated.get(getTextMember(table, 'oid'));
    return columns === undefined ? table : { ...table, columns };
  };
  const mapDataset = (dataset: JsonObject): JsonObject => {
    const schema = dataset['schema'];
    return isJsonObject(schema)
      ? { ...dataset, schema: { ...schema, tables: mapObjects(schema['tables'], mapTable) } }
      : dataset;
  };
  return { ...model, datasets: mapObjects(model['datasets'], mapDataset) };
}
