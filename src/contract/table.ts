import * as z from 'zod';
import { getPlainCheck, withPlainCheck } from './plainCheck.ts';
import { idSchema, orAbsent, jsonNumberSchema, openEnum } from './values.ts';

export const tableTypes = ['base', 'custom'] as const;
export type TableType = (typeof tableTypes)[number];

/**
 * An SQL expression: plain text in a creation, text or `{oid, expression, lastUpdated}` in a response
 * (platform-facts.md, 2.2 and "TableOutput"). A change sends it in the form in which it was received.
 */
export const expressionSchema = z.union([z.string(), z.looseObject({ expression: orAbsent(z.string()) })]);
export type Expression = z.infer<typeof expressionSchema>;

/** A column as returned by the platform (rest-api.md, "Column"; further fields: platform-facts.md, 2.2). */
export const columnSchema = z.looseObject({
  oid: orAbsent(idSchema),
  id: orAbsent(z.string()),
  name: orAbsent(z.string()),
  type: orAbsent(jsonNumberSchema),
  size: orAbsent(jsonNumberSchema),
  precision: orAbsent(jsonNumberSchema),
  scale: orAbsent(jsonNumberSchema),
  hidden: orAbsent(z.boolean()),
  isCustom: orAbsent(z.boolean()),
  expression: orAbsent(expressionSchema),
  description: orAbsent(z.string()),
});
export type Column = z.infer<typeof columnSchema>;

/** The known types of a build behavior (platform-facts.md, 2.4). */
export const buildBehaviorTypes = ['sync', 'ignoreIfExists', 'accumulativeSync'] as const;

/** The build behavior of a table in an extract model (platform-facts.md, 2.4). */
export const buildBehaviorSchema = z.looseObject({
  type: z.string(),
  accumulativeConfig: orAbsent(z.looseObject({ column: orAbsent(z.string()) })),
});
export type BuildBehavior = z.infer<typeof buildBehaviorSchema>;

/** A table as returned by the platform (rest-api.md, "Table"; further fields: platform-facts.md, 2.2). */
export const tableSchema = z.looseObject({
  oid: idSchema,
  id: orAbsent(z.string()),
  name: orAbsent(z.string()),
  description: orAbsent(z.string()),
  type: orAbsent(openEnum(tableTypes)),
  columns: orAbsent(z.array(columnSchema)),
  expression: orAbsent(expressionSchema),
  buildBehavior: orAbsent(buildBehaviorSchema),
  configOptions: orAbsent(z.record(z.string(), z.unknown())),
  hidden: orAbsent(z.boolean()),
  tags: orAbsent(z.array(z.unknown())),
});
export type Table = z.infer<typeof tableSchema>;

/**
 * The properties of a Table that a request may carry (rest-api.md, "Table"; `tags`: platform-facts.md, "TableInput"):
 * any other is an error on PATCH.
 */
export const tableProperties = [
  'id',
  'name',
  'description',
  'type',
  'columns',
  'expression',
  'buildBehavior',
  'configOptions',
  'hidden',
  'tags',
] as const;

/**
 * Body of POST /tables: `id` is required for base tables, `expression` for custom ones (rest-api.md, "Table"). The
 * vendor's contract (platform-facts.md, "TableInput") requires `id` of both.
 */
export const newTableSchema = z.looseObject({
  id: orAbsent(z.string()),
  name: orAbsent(z.string()),
  description: orAbsent(z.string()),
  type: z.enum(tableTypes).default('base'),
  columns: orAbsent(z.array(columnSchema)),
  expression: orAbsent(expressionSchema),
  buildBehavior: orAbsent(buildBehaviorSchema),
  configOptions: orAbsent(z.record(z.string(), z.unknown())),
  hidden: orAbsent(z.boolean()),
  tags: orAbsent(z.array(z.unknown())),
});
export type NewTable = z.input<typeof newTableSchema>;

/**
 * Body of PATCH /tables/{id}: at least one property; `columns`, when sent, is the whole array
 * (rest-api.md, "Datamodel API" 1 and 2).
 */
export const tableChangeSchema = newTableSchema.partial();
export type TableChange = z.input<typeof tableChangeSchema>;

/** The SQL text of a custom table or column, from either form; `undefined` if there is none. */
export function getExpressionText(expression: Expression | null | undefined): string | undefined {
  if (typeof expression === 'string') {
    return expression;
  }
  return expression?.expression ?? undefined;
}

/** The name by which SQL refers to the table: `name` defaults to `id` (rest-api.md, "Table"). */
export function getTableName(table: Pick<Table, 'oid' | 'id' | 'name'>): string {
  return table.name ?? table.id ?? table.oid;
}

/** The name used to query the column; its default is not documented, so `id` is used (rest-api.md, "Column"). */
export function getColumnName(column: Pick<Column, 'oid' | 'id' | 'name'>): string {
  return column.name ?? column.id ?? column.oid ?? '';
}

/** True for a column that the schema would return unchanged ({@link getPlainCheck}). */
export const isPlainColumn = getPlainCheck(columnSchema);

const plainColumns = z.custom<Column[]>(getPlainCheck(z.array(columnSchema)));

/**
 * The schema for tables of responses. It returns the same as {@link tableSchema}, but is faster for tables that have to
 * be parsed. A table may have thousands of columns. If all of them are plain ({@link getPlainCheck}), they are only
 * checked and not parsed.
 */
export const tableResponseSchema = tableSchema.extend({
  columns: withPlainCheck(
    orAbsent(z.union([plainColumns, z.array(columnSchema)])),
    getPlainCheck(orAbsent(z.array(columnSchema))),
  ),
});
