import * as z from 'zod';
import { type Column, columnSchema, tableSchema } from './table.ts';
import { optional } from './values.ts';

/** What a field of a column may be, besides absent and null, for the column to be taken as it came. */
const plainFields: readonly (readonly [name: keyof Column, type: 'string' | 'number' | 'boolean'])[] = [
  ['oid', 'string'],
  ['id', 'string'],
  ['name', 'string'],
  ['type', 'number'],
  ['size', 'number'],
  ['precision', 'number'],
  ['scale', 'number'],
  ['hidden', 'boolean'],
  ['isCustom', 'boolean'],
  ['expression', 'string'],
  ['description', 'string'],
];

/**
 * True for a column that the schema would answer as it came. It may be false for one that the schema accepts too,
 * which costs time and nothing else.
 */
export function isPlainColumn(value: unknown): value is Column {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return false;
  }
  const column = value as Readonly<Record<string, unknown>>;
  for (const [name, type] of plainFields) {
    const field = column[name];
    if (field !== undefined && field !== null && !isPlain(field, type)) {
      return false;
    }
  }
  return column['oid'] !== '';
}

/** A number of JSON is finite, unless it was too large for a double. */
const isPlain = (field: unknown, type: string): boolean =>
  typeof field === type && (type !== 'number' || Number.isFinite(field));

const plainColumns = z.custom<Column[]>((value) => Array.isArray(value) && value.every(isPlainColumn));

/**
 * A table as it is read. A table may have thousands of columns and a datamodel tens of thousands, nearly all of them
 * plain; looking at those by hand first makes reading several times faster.
 */
export const readTableSchema = tableSchema.extend({
  columns: optional(z.union([plainColumns, z.array(columnSchema)])),
});
