import type { FindingCode } from '../project/validate/finding.ts';
import { CommandRefusedError } from './exitCodes.ts';

/**
 * The codes of the errors that `--ignore-errors` may name: those for which `isIgnorableCode` is true, as a test checks.
 * They are listed here, so that the help doesn't load the code of the checks.
 */
export const ignorableCodes: readonly FindingCode[] = [
  'sql/syntax',
  'sql/unknown-table',
  'sql/unknown-column',
  'sql/ambiguous-column',
  'sql/duplicate-alias',
  'rules/date-column',
  'rules/unknown-table',
  'rules/unknown-column',
  'rules/datatype-mismatch',
  'rules/live-flag',
  'rules/live-prefix',
  'viewpoint/syntax',
  'viewpoint/schema',
  'viewpoint/one-uid',
  'viewpoint/uid-needs-filter',
  'viewpoint/one-default-measure',
  'viewpoint/one-default-date',
  'viewpoint/default-date-type',
  'viewpoint/level-needs-datetime',
  'viewpoint/agg-needs-number',
  'viewpoint/filter-conflict',
  'viewpoint/dim-mismatch',
  'viewpoint/unknown-table',
  'viewpoint/unknown-column',
  'viewpoint/unknown-datamodel',
  'viewpoint/deprecated',
  'viewpoint/visibility-needs-app',
  'viewpoint/visibility-needs-party',
];

/**
 * Reads the value of `--ignore-errors`, such as `sql/unknown-column,sql/syntax`.
 * @throws CommandRefusedError for a code that isn't known, or can't be ignored
 */
export function readIgnoredCodes(value: string | undefined): ReadonlySet<FindingCode> {
  const named = (value?.split(',') ?? []).map((name) => ignorableCodes.find((code) => code === name.trim()));
  if (named.includes(undefined)) {
    throw new CommandRefusedError(`Unknown code in --ignore-errors. Expected: ${ignorableCodes.join(', ')}.`);
  }
  return new Set(named.filter((code) => code !== undefined));
}
