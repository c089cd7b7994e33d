import type { ColumnSpec } from '../seedDocuments.ts';

/** Creates a column without an expression. */
export const createPlainColumn = (
  name: string,
  type: ColumnSpec['type'],
  options: Partial<ColumnSpec> = {},
): ColumnSpec => ({ name, type, ...options });

export const createCustomColumn = (
  name: string,
  type: ColumnSpec['type'],
  expression: string,
  description?: string,
): ColumnSpec => ({ name, type, expression, ...(description === undefined ? {} : { description }) });
