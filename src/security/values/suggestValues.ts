import { formatValue } from './formatValues.ts';
import { parseValues, tokenize, valueSeparators } from './valueText.ts';

/** A known value that can be added to a list of values that is being typed. */
export interface ValueSuggestion {
  readonly value: string;
  /** The typed text, completed with the value. */
  readonly text: string;
}

interface SuggestionOptions {
  /** The separator to insert between two values. */
  readonly joiner: '; ' | '\n';
  /** True for a cell of the grid, which has `|` between rules and can start with `All but`. */
  readonly isCell?: boolean;
  readonly maxCount: number;
}

/**
 * Suggests known values for a list that is being typed: those that contain the last, half-typed value, in any letter
 * case, or all others if the last one is complete. Values that start with the half-typed value come first. Values that
 * the list already contains are left out.
 */
export function suggestValues(
  text: string,
  knownValues: readonly string[],
  { joiner, isCell = false, maxCount }: SuggestionOptions,
): readonly ValueSuggestion[] {
  const separators = isCell ? `${valueSeparators}|` : valueSeparators;
  const tokens = tokenize(text);
  const findEndOfLast = (chars: string): number =>
    tokens.findLast(({ char, isLiteral }) => !isLiteral && chars.includes(char))?.end ?? 0;
  const start = findEndOfLast(separators);
  const prefixPattern = isCell ? /^\s*(?:all but\s+)?/i : /^\s*/;
  const [listPrefix = ''] = prefixPattern.exec(text.slice(start)) ?? [];
  const textBeforeValue = text.slice(0, start) + listPrefix;
  const typedValue = text.slice(textBeforeValue.length).trim();
  const [lastValue = ''] = parseValues(typedValue);
  if (isCell && /^(?:all|everything|nothing|\?)$/i.test(typedValue)) {
    // A keyword, to which no value can be added.
    return [];
  }
  const isComplete = typedValue !== '' && knownValues.includes(lastValue);
  // Each rule of a cell has a list of its own.
  const list = (isComplete ? text : textBeforeValue).slice(isCell ? findEndOfLast('|') : 0);
  const listedValues = new Set(parseValues(list.replace(prefixPattern, '')));
  const searchText = isComplete ? '' : lastValue.toLowerCase();
  const matches = knownValues.filter(
    (value) => !listedValues.has(value) && value.toLowerCase().includes(searchText),
  );
  const startsWithText = (value: string): boolean => value.toLowerCase().startsWith(searchText);
  return [...matches.filter(startsWithText), ...matches.filter((value) => !startsWithText(value))]
    .slice(0, maxCount)
    .map((value) => ({
      value,
      text: `${isComplete ? `${text.trimEnd()}${joiner}` : textBeforeValue}${formatValue(value)}`,
    }));
}
