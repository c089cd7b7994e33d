import { getColumnType } from '../../contract/terms.ts';
import { formatDim, isDateType } from '../datamodelLookup.ts';
import type { NewViewpointColumn } from './viewpointEdit.ts';

/**
 * Creates a viewpoint column from a column of the datamodel
 * (rest-api.md, "Column metadata"; platform-facts.md, 5.1).
 */
export function createViewpointColumn(
  table: string,
  column: { readonly name: string; readonly type?: number },
): NewViewpointColumn {
  const isDate = isDateType(column.type) === true;
  return {
    table,
    column: column.name,
    dim: formatDim(table, column.name, isDate),
    datatype: isDate ? 'datetime' : getColumnType(column.type)?.group === 'number' ? 'numeric' : 'text',
    title: column.name,
  };
}
