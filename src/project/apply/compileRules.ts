import { jsonEquals, toCanonicalText } from '../../base/canonicalJson.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { Write } from '../../changes/model/operation.ts';
import { getObjects, getText, omitMembers } from '../../changes/model/jsonMembers.ts';
import { createRuleWrites } from '../../changes/rules/ruleWrites.ts';
import { ruleIdentityFields } from '../../contract/rule.ts';
import { getSharePartyId } from '../../security/readRules.ts';
import { getBindingFields } from '../../security/ruleFields.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import { normalizeRules } from '../instance/convertRules.ts';
import type { ItemKey } from '../item.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import { normalizeContent } from '../compare/normalizeContent.ts';
import { type PartyIds, formatPartyReference } from './partyIds.ts';
import type { ApplyProblem } from './problems.ts';

/** The writes of the rules of a datamodel or cube set. */
export interface CompiledRules {
  /**
   * Rules on columns that are created or renamed, also if the instance has some already: they have no effect until the
   * columns have these names.
   */
  readonly beforeCreations: readonly Write[];
  /**
   * All other changes, sent after creations and renames and before deletions: otherwise, rows could be visible while a
   * rule that hides them is not yet, or no longer, in force.
   */
  readonly beforeDeletions: readonly Write[];
  /** Deletions of rules on columns that are deleted: the rules protect the columns until then. */
  readonly afterDeletions: readonly Write[];
  /** Changes that wait for the next apply: see {@link RuleCompileInput.defersRuleChanges}. */
  readonly deferred: readonly ItemKey[];
  readonly problems: readonly ApplyProblem[];
}

/** The input from which the writes of the rules of a datamodel or cube set are created. */
export interface RuleCompileInput {
  readonly subject: RuleSubject;
  /** The changes of rules of the subject; one without parts only moves rules to the new name of their column. */
  readonly changes: readonly ItemChange[];
  /** The current rules of the subject. */
  readonly existingRules: readonly JsonObject[];
  readonly partyIds: PartyIds;
  /** Returns whether the operation creates a column or its table. */
  readonly isCreatedColumn: (column: ColumnName) => boolean;
  /** Returns whether the operation deletes a column or its table. */
  readonly isDeletedColumn: (column: ColumnName) => boolean;
  /**
   * Whether all changes of rules wait for the next apply, except for rules on created columns. Until then, renamed
   * columns keep their current rules. The reason is that renames together with changes of other rules have no safe
   * order ({@link needsRenamesFirst}).
   */
  readonly defersRuleChanges: boolean;
}

/**
 * Returns whether changes of rules have to wait until renames have been applied. A renamed column gets its new rules
 * together with its name, but rules of other columns change before or after that, and in between, rows would be visible
 * that neither the old nor the new rules show. The same is true of renames in several tables, and of new relations,
 * which also restrict rows.
 */
export function needsRenamesFirst(changes: readonly ItemChange[], createsRelations: boolean): boolean {
  const renamedAndChanged = changes.filter(isRenamedAndChanged);
  // One request renames all columns of a table.
  const tables = new Set(renamedAndChanged.map(({ key }) => toColumnName(key).table));
  return (
    tables.size > 1 ||
    (tables.size > 0 &&
      (createsRelations || changes.some((change) => !isOnRenamedColumn(change) && change.parts.length > 0)))
  );
}

/** Returns whether a change of rules moves them to the new name of their column or table. */
export const isOnRenamedColumn = ({ key, from = key }: ItemChange): boolean =>
  formatColumn(toColumnName(from)) !== formatColumn(toColumnName(key));

/** Returns whether the column of rules is renamed and the rules themselves change too. */
const isRenamedAndChanged = (change: ItemChange): boolean =>
  isOnRenamedColumn(change) &&
  change.parts.some(({ before, after }) => !jsonEquals(omitNames(before ?? null), omitNames(after ?? null)));

const omitNames = (rules: JsonValue): JsonValue =>
  normalizeContent(
    ruleKey,
    getObjects(rules).map((rule) => omitMembers(rule, 'table', 'column')),
  );

/**
 * Creates the writes of changed rules. An unchanged rule is not written, a rule with the same parties is updated, and
 * all others are added or deleted. The code in `src/changes/rules` decides on the order of the requests when they are
 * sent.
 */
export function compileRules({
  subject,
  changes,
  existingRules,
  partyIds,
  isCreatedColumn,
  isDeletedColumn,
  defersRuleChanges,
}: RuleCompileInput): CompiledRules {
  const problems: ApplyProblem[] = [];
  const deferred: ItemKey[] = [];
  const [beforeCreations, beforeDeletions, afterDeletions] = [
    createEmptyRuleChange(),
    createEmptyRuleChange(),
    createEmptyRuleChange(),
  ];
  const rulesByColumn = Map.groupBy(existingRules, ({ table, column }) =>
    formatColumn({ table: getText(table), column: getText(column) }),
  );
  /** Adds the writes that turn current rules into the wanted ones, and returns the rules to delete. */
  const addRuleWrites = (
    { adds, updates }: typeof beforeCreations,
    wanted: readonly JsonObject[],
    currentRules: readonly JsonObject[],
  ): readonly JsonObject[] => {
    const { added, unmatched } = matchRules(wanted, currentRules);
    for (const rule of added) {
      const index = unmatched.findIndex((other) => hasSameParties(other, rule));
      const [previous] = index === -1 ? [] : unmatched.splice(index, 1);
      if (previous === undefined) {
        adds.push(createDocument(subject, rule));
      } else {
        updates.push({
          before: previous,
          after: { ...createDocument(subject, rule), _id: previous['_id'] ?? '' },
        });
      }
    }
    return unmatched;
  };
  for (const change of changes) {
    const { key, from = key, parts } = change;
    const [column, newColumn] = [toColumnName(from), toColumnName(key)];
    const currentRules = rulesByColumn.get(formatColumn(column)) ?? [];
    const wanted = getObjects(parts[0]?.after);
    const resolveWanted = () => wanted.map((rule) => resolveRule(rule, { key, partyIds, problems }));
    if (isOnRenamedColumn(change)) {
      const isDeferred = defersRuleChanges && isRenamedAndChanged(change);
      const rulesToWrite =
        isDeferred || parts.length === 0
          ? currentRules.map((rule) => ({
              ...omitMembers(withPartyIds(rule), ...ruleIdentityFields),
              ...newColumn,
            }))
          : resolveWanted();
      // An abandoned apply may have written rules on the new name, which have no effect before the rename.
      const rulesOnNewName = rulesByColumn.get(formatColumn(newColumn)) ?? [];
      if (wanted.length > 0) {
        beforeCreations.deletes.push(...addRuleWrites(beforeCreations, rulesToWrite, rulesOnNewName));
      } else {
        // The plan doesn't show rules on the new name that this change would replace, so it must not replace any.
        const { added, unmatched } = matchRules(rulesToWrite, rulesOnNewName);
        if (unmatched.length > 0) {
          problems.push({
            code: 'rules-on-new-name',
            key,
            name: `${newColumn.table}.${newColumn.column}`,
          });
        } else {
          beforeCreations.adds.push(...added.map((rule) => createDocument(subject, rule)));
        }
      }
      beforeDeletions.deletes.push(...currentRules);
      if (isDeferred) {
        deferred.push(key);
      }
      continue;
    }
    const isNew = isCreatedColumn(newColumn);
    if (defersRuleChanges && !isNew) {
      deferred.push(key);
      continue;
    }
    const phase = isNew ? beforeCreations : beforeDeletions;
    const unmatched = addRuleWrites(phase, resolveWanted(), currentRules);
    (isDeletedColumn(column) ? afterDeletions : phase).deletes.push(...unmatched);
  }
  const toWrites = ({ adds, updates, deletes }: typeof beforeCreations): readonly Write[] =>
    createRuleWrites(subject, {
      adds,
      updates,
      deletes: deletes.map((rule, index) => ({ rule, index })),
    });
  return {
    beforeCreations: toWrites(beforeCreations),
    beforeDeletions: toWrites(beforeDeletions),
    afterDeletions: toWrites(afterDeletions),
    deferred,
    problems,
  };
}

const createEmptyRuleChange = () => ({
  adds: new Array<JsonObject>(),
  updates: new Array<{ readonly before: JsonObject; readonly after: JsonObject }>(),
  deletes: new Array<JsonObject>(),
});

const formatColumn = ({ table, column }: ColumnName): string => JSON.stringify([table, column]);

const toColumnName = (key: ItemKey): ColumnName =>
  key.kind === 'rules' || key.kind === 'cubeSetRules'
    ? { table: key.table, column: key.column }
    : { table: '', column: '' };

/** Replaces the parties of a wanted rule with their IDs. */
function resolveRule(
  rule: JsonObject,
  {
    key,
    partyIds,
    problems,
  }: {
    readonly key: ItemKey;
    readonly partyIds: PartyIds;
    readonly problems: ApplyProblem[];
  },
): JsonObject {
  return {
    ...rule,
    shares: getObjects(rule['shares']).map((share): JsonObject => {
      const { type, party } = share;
      if ((type !== 'user' && type !== 'group') || party === undefined) {
        return share;
      }
      const found = partyIds.find({ type, reference: party });
      if ('problem' in found) {
        problems.push({ code: found.problem, key, name: formatPartyReference({ type, reference: party }) });
        return share;
      }
      return { ...share, party: found.id };
    }),
  };
}

/** Returns the wanted rules that the instance doesn't have, and the current rules that equal no wanted one. */
function matchRules(
  wanted: readonly JsonObject[],
  current: readonly JsonObject[],
): { readonly added: readonly JsonObject[]; readonly unmatched: JsonObject[] } {
  const remaining = Map.groupBy(current, (rule) => toComparableText(withPartyIds(rule)));
  const added = wanted.filter((rule) => {
    const candidates = remaining.get(toComparableText(rule)) ?? [];
    const index = candidates.findIndex((candidate) => hasSameUndocumentedMembers(candidate, rule));
    return index === -1 || candidates.splice(index, 1).length === 0;
  });
  return { added, unmatched: [...remaining.values()].flat() };
}

/** Returns a rule of the instance with its parties in the same form as in wanted rules. */
const withPartyIds = (rule: JsonObject): JsonObject => ({
  ...rule,
  shares: getObjects(rule['shares']).map((share) => {
    const id = getSharePartyId(share);
    const { party: _party, partyId: _partyId, partyName: _name, ...others } = share;
    return { ...others, ...(id === undefined ? {} : { party: id }) };
  }),
});

/** For normalizing rules, where only the kind of the key matters. */
const ruleKey: ItemKey = { kind: 'rules', datamodel: '', table: '', column: '' };

/** The members that define what a rule grants, and to whom (rest-api.md, "Data security rule"). */
const grantMembers: ReadonlySet<string> = new Set([
  'table',
  'column',
  'datatype',
  'members',
  'allMembers',
  'exclusionary',
  'shares',
]);

/** Returns a text that is equal for rules that grant the same to the same parties. */
const toComparableText = (rule: JsonObject): string => {
  const grant = Object.fromEntries(Object.entries(rule).filter(([name]) => grantMembers.has(name)));
  return toCanonicalText(
    normalizeContent(ruleKey, normalizeRules([{ ...grant, shares: pickPartyMembers(rule) }])),
  );
};

const pickPartyMembers = (rule: JsonObject): readonly JsonObject[] =>
  getObjects(rule['shares']).map(({ type = null, party }) => ({
    type,
    ...(party === undefined ? {} : { party }),
  }));

/** Returns whether a rule has all undocumented members of the wanted one, with the same values. */
const hasSameUndocumentedMembers = (rule: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(([name, value]) => grantMembers.has(name) || jsonEquals(rule[name], value));

const hasSameParties = (a: JsonObject, b: JsonObject): boolean => getPartiesText(a) === getPartiesText(b);

const getPartiesText = (rule: JsonObject): string =>
  JSON.stringify(
    getObjects(rule['shares'])
      .map((share) => `${getText(share['type'])} ${getSharePartyId(share) ?? ''}`)
      .toSorted(),
  );

/** Creates the document of a rule as the platform expects it (rest-api.md, "Resources and their fields"). */
function createDocument(subject: RuleSubject, rule: JsonObject): JsonObject {
  const isLive = subject.kind === 'live';
  const { exclusionary, shares, ...others } = omitMembers(rule, ...ruleIdentityFields);
  return {
    // The cast is safe: it has only texts and booleans.
    ...(getBindingFields(subject) as JsonObject),
    ...others,
    // Live rules have the member only in the vendor's contract (platform-facts.md, 6.2).
    ...(isLive && exclusionary !== true ? {} : { exclusionary: exclusionary ?? false }),
    shares: getObjects(shares).map((share) => createShare(share, isLive)),
  };
}

/** Live rules are written with `partyId`, extract rules with `party` (platform-facts.md, 3.1). */
function createShare(share: JsonObject, isLive: boolean): JsonValue {
  const { party, ...others } = share;
  return party === undefined ? others : { ...others, [isLive ? 'partyId' : 'party']: party };
}
