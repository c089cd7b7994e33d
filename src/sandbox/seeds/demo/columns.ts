import type { ColumnSpec } from '../documents.ts';

/** A column that comes from the source. */
export const source = (
  name: string,
  type: ColumnSpec['type'],
  more: Partial<ColumnSpec> = {},
): ColumnSpec => ({ name, type, ...more });

/** A custom column. */
export const custom = (
  name: string,
  type: ColumnSpec['type'],
  expression: string,
  description?: string,
): ColumnSpec => ({ name, type, expression, ...(description === undefined ? {} : { description }) });
