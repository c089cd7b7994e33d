import type { ColumnSpec } from '../seedDocuments.ts';

/** Creates a column that is imported from the source. */
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
