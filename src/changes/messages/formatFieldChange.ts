import type { Localize } from '../../base/localize.ts';
import type { ResourceKind } from '../../catalog/resourceRef.ts';
import { getColumnTypeLabel } from '../../contract/terms.ts';
import type { FieldChange } from '../model/plan.ts';

/**
 * Describes a changed field: its values before and after.
 * @param kind the kind of the item that has the field; when a table is compared as a whole, its columns are fields
 */
export function formatFieldChange(
  { field, before, after }: FieldChange,
  kind: ResourceKind,
  t: Localize,
): string {
  const isColumnType =
    kind === 'column' ? field === 'type' : kind === 'table' && /^columns\..*\.type$/s.test(field);
  const toText = (value: string | undefined): string =>
    value === undefined ? t('none') : isColumnType ? toTypeLabel(value) : value;
  return before === undefined && after === undefined
    ? field
    : `${field}: ${toText(before)} → ${toText(after)}`;
}

/** Returns the name of a type code in a document. */
const toTypeLabel = (code: string): string => (/^\d+$/.test(code) ? getColumnTypeLabel(Number(code)) : code);
