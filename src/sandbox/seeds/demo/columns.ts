import type { ColumnSpec } from '../seedDocuments.ts';

/** A column that comes from the source. */
export const sourceColumn = (
  name: string,
  type: ColumnSpec['type'],
  more: Partial<ColumnSpec> = {},
): ColumnSpec => ({ name, type, ...more });

export const customColumn = (
  name: string,
  type: ColumnSpec['type'],
  expression: string,
  description?: string,
): ColumnSpec => ({ name, type, expression, ...(description === undefined ? {} : { description }) });
