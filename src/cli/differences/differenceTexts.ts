import type { JsonValue } from '../../base/json.ts';
import { unescapePointer } from '../../base/jsonPointer.ts';
import { describeRuleDifferences } from './ruleDifferences.ts';
import { english } from '../../base/localize.ts';
import { describeRules } from '../../project/access/namedRules.ts';
import { formatUnifiedDiff } from './unifiedDiff.ts';
import { type ValueDifference, findValueDifferences, formatBothValues } from './valueDifferences.ts';

/** A difference as text: one line and, if the values have several lines, the lines of a unified diff. */
export interface DifferenceText {
  readonly text: string;
  readonly diff: readonly string[];
}

/** A part of an item with the values of both sides. */
export interface ChangedPart {
  /** A JSON pointer; empty for the whole item. */
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The texts that name the two sides of a difference. */
export interface SideTexts {
  readonly formatSides: (before: string, after: string) => string;
  /** What precedes a unified diff. */
  readonly diffNote: string;
  /**
   * Whether properties of a column that only `before` has are shown. By default, they aren't, because an apply keeps
   * them.
   */
  readonly showsAdditions?: boolean;
}

/** The texts for a difference between an instance (before) and a project (after). */
export const instanceAndProjectTexts: SideTexts = {
  formatSides: (instance, project) => `${instance} on the instance, ${project} in the project`,
  diffNote: ' - on the instance, + in the project',
};

/**
 * Describes a part that differs: rules by party, texts of several lines as a unified diff, and everything else by its
 * innermost values.
 */
export function describeChangedPart(part: ChangedPart, texts: SideTexts): readonly DifferenceText[] {
  const { pointer } = part;
  // Outputs contain only JSON values.
  const [before, after] = [part.before, part.after] as (JsonValue | undefined)[];
  const isRules = (value: JsonValue | undefined): boolean => value === undefined || Array.isArray(value);
  if (pointer === '' && [before, after].every(isRules)) {
    // The content of an item is a list only if the item is rules.
    return describeRuleDifferences(before ?? [], after ?? []).map(({ path, sides }) => ({
      text: `${path}: ${texts.formatSides(...sides)}`,
      diff: [],
    }));
  }
  return findValueDifferences(
    { path: pointer.slice(1), before, after },
    { showsAdditions: texts.showsAdditions === true },
  ).map((difference) => describeValue({ ...difference, path: difference.path || 'content' }, texts));
}

function describeValue({ before, after, ...location }: ValueDifference, texts: SideTexts): DifferenceText {
  const path = unescapePointer(location.path);
  if ([before, after].some(isMultiline) && [before, after].every(isTextOrNone)) {
    return {
      text: `${path}:${texts.diffNote}`,
      diff: formatUnifiedDiff(getText(before), getText(after)),
    };
  }
  return { text: `${path}: ${texts.formatSides(...formatBothValues({ before, after }))}`, diff: [] };
}

const isMultiline = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' && /[\r\n]/.test(value.trimEnd());

const isTextOrNone = (value: JsonValue | undefined): boolean =>
  value === undefined || typeof value === 'string';

const getText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Describes the rules of an item that is created or deleted; returns nothing for items that aren't rules. */
export const describeItemRules = ({ pointer, before, after }: ChangedPart): readonly DifferenceText[] => {
  const content = (after ?? before) as JsonValue | undefined;
  return pointer === '' && Array.isArray(content)
    ? describeRules(content, english).map((text) => ({ text, diff: [] }))
    : [];
};

/** The maximum number of lines that describe an item. */
const maxLines = 150;

/** Omits and counts the differences that exceed the maximum number of lines. */
export function limitDifferences(
  differences: readonly DifferenceText[],
  maxCount = maxLines,
): readonly DifferenceText[] {
  const shown: DifferenceText[] = [];
  let remaining = maxCount;
  for (const { text, diff } of differences) {
    if (remaining <= 0) {
      const count = differences.length - shown.length;
      return [
        ...shown,
        { text: count === 1 ? '… and 1 more difference' : `… and ${count} more differences`, diff: [] },
      ];
    }
    remaining -= 1;
    shown.push({ text, diff: limitLines(diff, remaining) });
    remaining -= diff.length;
  }
  return shown;
}

function limitLines(lines: readonly string[], maxCount: number): readonly string[] {
  const count = lines.length - maxCount;
  return count <= 0
    ? lines
    : [...lines.slice(0, maxCount), count === 1 ? '… and 1 more line' : `… and ${count} more lines`];
}

/** Returns the lines of all differences, those of a unified diff indented. */
export const listDifferenceLines = (differences: readonly DifferenceText[]): readonly string[] =>
  differences.flatMap(({ text, diff }) => [text, ...diff.map((line) => `  ${line}`)]);
