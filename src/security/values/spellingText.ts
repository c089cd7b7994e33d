import type { Localize } from '../../base/localize.ts';
import { getLintTemplate } from '../lint/lintMessage.ts';
import type { ColumnName } from '../tableAccess.ts';
import type { KnownValues, OtherSpelling } from './knownValues.ts';

/** Formats the warning about a value that other rules on its column spell differently. */
export const formatOtherSpelling = ({ value, otherSpelling }: OtherSpelling, t: Localize): string =>
  t(getLintTemplate('other-spelling', []), value, otherSpelling);

/** Returns the warning about the first typed value that other rules on the column spell differently. */
export function getSpellingHint(
  values: Iterable<string>,
  column: ColumnName,
  knownValues: KnownValues,
  t: Localize,
): string | undefined {
  for (const value of values) {
    const otherSpelling = knownValues.findOtherSpelling(column, value);
    if (otherSpelling !== undefined) {
      return formatOtherSpelling({ value, otherSpelling }, t);
    }
  }
  return undefined;
}
