import { columnType } from '../../contract/terms.ts';
import { dimOf, isDateType } from '../model.ts';
import type { NewColumn } from './viewpointEdit.ts';

/** A column of the datamodel as a viewpoint names it (spec, "Column metadata"; platform-facts 5.1). */
export function newColumn(
  table: string,
  column: { readonly name: string; readonly type?: number },
): NewColumn {
  const isDate = isDateType(column.type) === true;
  return {
    table,
    column: column.name,
    dim: dimOf(table, column.name, isDate),
    datatype: isDate ? 'datetime' : columnType(column.type)?.group === 'number' ? 'numeric' : 'text',
    title: column.name,
  };
}
