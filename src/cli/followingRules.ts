import { toCanonicalText } from '../base/canonicalJson.ts';
import { type JsonValue, pickMembers } from '../base/json.ts';
import { getObjects } from '../changes/model/jsonMembers.ts';
import type { ItemChange } from '../project/compare/itemChange.ts';
import { type ProjectItem, formatItemKey } from '../project/item.ts';
import { renameRules } from '../project/pull/movedRules.ts';
import type { ChangedPart } from './differences/differenceTexts.ts';

/**
 * Counts the rules that follow a rename of their table or column without any other change; `undefined` if the change
 * isn't about renamed rules.
 * @param items the items of the instance
 */
export function countFollowingRules(
  { key, from, parts: [part] }: Pick<ItemChange, 'key' | 'from' | 'parts'>,
  items: readonly ProjectItem[],
): number | undefined {
  if (key.kind !== 'rules' || from === undefined) {
    return undefined;
  }
  const item = formatItemKey(from);
  const before = part?.before ?? items.find((other) => formatItemKey(other.key) === item)?.content ?? [];
  const wanted = part === undefined ? undefined : countEqualRules(part.after ?? []);
  return [...countEqualRules(renameRules(before, key))].reduce(
    (sum, [text, count]) => sum + Math.min(count, wanted === undefined ? count : (wanted.get(text) ?? 0)),
    0,
  );
}

/** Counts how often each rule occurs. */
const countEqualRules = (rules: JsonValue): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(getObjects(rules), (rule) => toCanonicalText(rule))].map(([text, same]) => [
      text,
      same.length,
    ]),
  );

/**
 * Returns the parts of a change of rules that follow a rename, with the new names of their table and column on both
 * sides, so that only other changes differ. If no rules are left, the parts stay as they are.
 */
export const renameFollowingRules = <Part extends ChangedPart>({
  followingRules,
  parts,
}: {
  readonly followingRules?: number | undefined;
  readonly parts: readonly Part[];
}): readonly Part[] =>
  parts.map((part) => {
    // The values of a changed part are JSON.
    const [before, after] = [part.before, part.after].map((rules) =>
      getObjects(rules as JsonValue | undefined),
    );
    const [rule] = after ?? [];
    return followingRules === undefined || before === undefined || rule === undefined
      ? part
      : {
          ...part,
          before: before.map((former) => ({ ...former, ...pickMembers(rule, ['table', 'column']) })),
        };
  });
