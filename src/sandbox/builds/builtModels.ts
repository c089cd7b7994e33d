import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import type { BuildType, SchemaOrigin } from '../../contract/build.ts';
import type { BuildOutcome, BuiltColumn } from '../engine/port.ts';
import { textIn } from '../documents.ts';
import { columnsOf, generatedColumns, type NewOid } from '../models/columnDocument.ts';
import { editColumns } from '../models/schemaEdits.ts';
import { written } from '../models/tableDocument.ts';
import { type Context, timestamp } from '../context.ts';

type Done = Extract<BuildOutcome, { status: 'done' }>;
/** The schemas that one build works with. */
export interface BuildSchemas {
  /** What is built: the stored model, or with `running` the schema of the last successful build (spec). */
  readonly datamodel: JsonObject;
  /** The schema of the last successful build; absent before the first. */
  readonly previous?: JsonObject;
}

/** Reads the schemas of a build; a text says why there is none to build. */
export function schemasOf(
  { store }: Context,
  datamodel: string,
  origin: SchemaOrigin,
): BuildSchemas | string {
  const latest = store.datamodels.document(datamodel);
  if (latest === undefined) {
    return 'The datamodel was deleted';
  }
  const previous = store.datamodels.builtSchema(datamodel);
  if (origin === 'latest') {
    return previous === undefined ? { datamodel: latest } : { datamodel: latest, previous };
  }
  return previous === undefined
    ? 'No schema has been built yet, so there is no running one'
    : { datamodel: previous, previous };
}

/**
 * Stores what a successful build leaves: the build times, the columns that the expressions of custom tables yield
 * (spec, "Table"), and the schema that is running now.
 */
export function storeBuilt(held: Context, built: JsonObject, buildType: BuildType, { columns }: Done): void {
  const { store, clock, ids } = held;
  const oid = textIn(built, 'oid');
  const now = timestamp(clock);
  const newOid: NewOid = () => ids.oid();
  store.transaction(() => {
    if (store.datamodels.find(oid) === undefined) {
      return;
    }
    const generated = new Map<string, readonly JsonObject[]>();
    for (const [table, found] of Object.entries(columns)) {
      generated.set(table, regenerate(held, oid, table, found, newOid, now));
    }
    const publish = buildType === 'publish' ? { lastPublishTime: now } : {};
    store.datamodels.update(oid, { lastBuildTime: now, lastSuccessfulBuildTime: now, ...publish });
    store.datamodels.rememberBuilt(oid, withColumns(built, generated));
  });
}

/** Gives a custom table its columns; answers them. The table is written only when they changed. */
function regenerate(
  held: Context,
  datamodel: string,
  tableOid: string,
  found: readonly BuiltColumn[],
  newOid: NewOid,
  now: string,
): readonly JsonObject[] {
  const { store } = held;
  const table = store.tables.documentInModel(datamodel, tableOid);
  const before = table === undefined ? [] : columnsOf(table);
  const after = generatedColumns(before, found, newOid, now);
  if (table !== undefined && stringify(after) !== stringify(before)) {
    editColumns(held, datamodel, tableOid, () =>
      store.tables.update({ ...table, columns: after, ...written({ newOid, now }) }),
    );
  }
  return after;
}

/** The model with the generated columns in its custom tables, so that the next build compares like with like. */
function withColumns(model: JsonObject, generated: ReadonlyMap<string, readonly JsonObject[]>): JsonObject {
  const mapObjects = (value: JsonValue | undefined, map: (object: JsonObject) => JsonObject): JsonValue =>
    Array.isArray(value)
      ? value.map((item: JsonValue) => (isJsonObject(item) ? map(item) : item))
      : (value ?? null);
  const tableOf = (table: JsonObject): JsonObject => {
    const columns = generated.get(textIn(table, 'oid'));
    return columns === undefined ? table : { ...table, columns };
  };
  const datasetOf = (dataset: JsonObject): JsonObject => {
    const schema = dataset['schema'];
    return isJsonObject(schema)
      ? { ...dataset, schema: { ...schema, tables: mapObjects(schema['tables'], tableOf) } }
      : dataset;
  };
  return { ...model, datasets: mapObjects(model['datasets'], datasetOf) };
}
