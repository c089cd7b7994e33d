import { type FindingCode, isIgnorableCode } from '../project/validate/finding.ts';
import { CommandRefusedError } from './exitCodes.ts';
import { findingTexts } from './findings/findingTexts.ts';

/** The codes of the errors that `--ignore-errors` may name. */
export const ignorableCodes = (Object.keys(findingTexts) as readonly FindingCode[]).filter(isIgnorableCode);

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
