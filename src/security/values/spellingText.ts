import type { Localize } from '../../base/localize.ts';
import { getLintTemplate } from '../lint/lintMessage.ts';
import type { ColumnName } from '../tableAccess.ts';
import type { KnownValues, OtherSpelling } from './knownValues.ts';

/** Warns of a value that other rules of its column spell otherwise. */
export const formatOtherSpelling = ({ value, spelling }: OtherSpelling, t: Localize): string =>
  t(getLintTemplate('other-spelling', []), value, spelling);

/** Warns of the first of some typed values that other rules of the column spell otherwise. */
export function getSpellingHint(
  values: Iterable<string>,
  column: ColumnName,
  knownValues: KnownValues,
  t: Localize,
): string | undefined {
  for (const value of values) {
    const spelling = knownValues.findOtherSpelling(column, value);
    if (spelling !== undefined) {
      return formatOtherSpelling({ value, spelling }, t);
    }
  }
  return undefined;
}
