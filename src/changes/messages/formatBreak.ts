import type { Localize } from '../../base/localize.ts';
import type { BrokenReference } from '../model/plan.ts';

/** Describes what will break: the kind of the item, and why. */
export function formatBreak(
  { referrerKind, names, reason, capturedBy = '' }: BrokenReference,
  t: Localize,
): string {
  const name =
    'datamodel' in names
      ? names.datamodel
      : names.column === undefined
        ? names.table
        : `${names.table}.${names.column}`;
  return [referrerLabels[referrerKind](t), breakReasons[reason](t, name, capturedBy)].join(' · ');
}

const breakReasons: Readonly<
  Record<BrokenReference['reason'], (t: Localize, name: string, capturingName: string) => string>
> = {
  missing: (t, name) => t('refers to {0}', name),
  ambiguous: (t, name) => t('{0} would be ambiguous', name),
  type: (t, name) => t('{0} would have a different data type', name),
  captured: (t, name, capturingName) => t('{0} would refer to {1}', name, capturingName),
  duplicate: (t, name) => t('{0} would occur twice', name),
  joined: (t, name) => t('{0} would be joined differently', name),
  unreadable: (t) => t("can't be parsed with the new name"),
};

const referrerLabels: Readonly<Record<BrokenReference['referrerKind'], (t: Localize) => string>> = {
  relation: (t) => t('relation'),
  tableExpression: (t) => t('SQL of a custom table'),
  columnExpression: (t) => t('SQL of a custom column'),
  rule: (t) => t('data security rule: would have no effect'),
  viewpoint: (t) => t('viewpoint'),
  accumulation: (t) => t('incremental build'),
};
