import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { ruleIdentityFields } from '../../contract/rule.ts';
import {
  type ParsedRuleDocument,
  parseRuleDocument,
  parseRuleDocuments,
  fulfills,
  getScopeKey,
} from './parsedRuleDocument.ts';

/** One change of the rules: without `before` a rule is added, without `after` one is deleted. */
export interface RuleEdit {
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
  /** If `after` replaces another rule, no fields of that rule are kept: `after` is the complete rule. */
  readonly discardsFormerFields?: boolean | undefined;
  /** Index of the write that requests it. */
  readonly writeIndex: number;
}

/** A rule of the target state. */
export interface WantedRule {
  readonly parsed: ParsedRuleDocument;
  /** The version before the operation, if the rule existed; in a reverse target, the current one. */
  readonly previous?: ParsedRuleDocument | undefined;
  /** True if the operation adds or changes the rule; otherwise it must only stay unchanged. */
  readonly isEdited: boolean;
  /** The edit changes only what {@link fulfills} ignores, so the rule must be sent although it seems done. */
  readonly mustSend: boolean;
  /** Index of the write that requests it. */
  readonly writeIndex?: number | undefined;
}

/** The target state of a rule change: the wanted rules of some columns. Rules of other columns are ignored. */
export interface RuleTarget {
  readonly kind: 'extract' | 'live';
  /** Keys of the affected columns. */
  readonly columnKeys: ReadonlySet<string>;
  readonly wantedRules: readonly WantedRule[];
  /** The rules of these columns before the operation, by their IDs; in a reverse target, those that it may change. */
  readonly previousById: ReadonlyMap<string, ParsedRuleDocument>;
  /** The index of the write that deletes a rule, by the rule's ID. An added rule may still replace it in place. */
  readonly deletingWriteIndices: ReadonlyMap<string, number>;
}

/** The reason why a change of rules is refused before anything is sent. */
export type RuleChangeRefusal =
  /** Two rules for exactly the same parties on one column: a server may overwrite one with the other. */
  | 'same-parties'
  /** The server allows each party in only one rule of a column, and without one for everyone else no order is safe. */
  | 'needs-default'
  /** The server allows each party in only one rule of a column, and the wanted rules name one in two. */
  | 'party-twice'
  /** A rule to replace or delete has no ID. */
  | 'no-identifier';

/** Thrown if no safe order of requests leads to the wanted rules. */
export class RuleChangeRefusedError extends Error {
  override readonly name = 'RuleChangeRefusedError';
  readonly code: RuleChangeRefusal;
  /** The rule that prevents it. */
  readonly rule: JsonObject;
  /** True if some requests were already carried out, for example before one was rejected. */
  readonly hasWritten: boolean;

  constructor(code: RuleChangeRefusal, rule: JsonObject, hasWritten = false) {
    super(`A change of data security rules was refused: ${code}`);
    this.code = code;
    this.rule = rule;
    this.hasWritten = hasWritten;
  }
}

/**
 * Computes the target of some edits. A deletion and an addition for the same parties on the same column become an
 * update, if the platform supports it.
 * @param previousRules the rules before the operation; at least all rules of the affected columns
 * @throws RuleChangeRefusedError for a rule without an ID, which can't be replaced or deleted
 */
export function createRuleTarget(
  kind: RuleTarget['kind'],
  previousRules: readonly JsonObject[],
  edits: readonly RuleEdit[],
): RuleTarget {
  const splitEdits = kind === 'live' || edits.length > 1 ? edits.flatMap(splitDefaultEdits) : edits;
  const editWithoutId = splitEdits.find(
    ({ before }) => before !== undefined && getParsedId(before) === undefined,
  );
  if (editWithoutId?.before !== undefined) {
    throw new RuleChangeRefusedError('no-identifier', editWithoutId.before);
  }
  const pairedEdits = pairEdits(splitEdits);
  const columnKeys = new Set(
    pairedEdits
      .flatMap(({ before, after }) => [before, after])
      .flatMap((rule) => parseRuleDocument(rule)?.columnKey ?? []),
  );
  const affectedRules = parseRuleDocuments(previousRules).filter(({ columnKey }) =>
    columnKeys.has(columnKey),
  );
  const editedIds = new Set(pairedEdits.flatMap(({ before }) => getParsedId(before) ?? []));
  const byId = new Map(affectedRules.filter(({ id }) => id !== '').map((rule) => [rule.id, rule]));
  const unchangedRules = affectedRules.filter(({ id }) => id === '' || !editedIds.has(id));
  return {
    kind,
    columnKeys,
    wantedRules: [
      ...unchangedRules.map(
        (rule): WantedRule => ({ parsed: rule, previous: rule, isEdited: false, mustSend: false }),
      ),
      ...pairedEdits.flatMap((edit) => getWantedRules(edit, byId)),
    ],
    previousById: byId,
    deletingWriteIndices: new Map(
      splitEdits.flatMap(({ before, after, writeIndex }) => {
        const id = after === undefined ? getParsedId(before) : undefined;
        return id === undefined ? [] : [[id, writeIndex] as const];
      }),
    ),
  };
}

/** Returns the ID of a rule; `undefined` if it has none or is not a rule on a column. */
const getParsedId = (rule: JsonObject | undefined): string | undefined => {
  const id = parseRuleDocument(rule)?.id;
  return id === '' ? undefined : id;
};

function getWantedRules(
  { before, after, writeIndex }: RuleEdit,
  byId: ReadonlyMap<string, ParsedRuleDocument>,
): readonly WantedRule[] {
  const parsed = parseRuleDocument(after);
  if (parsed === undefined) {
    return [];
  }
  const previous = byId.get(getParsedId(before) ?? '');
  const mustSend =
    previous !== undefined &&
    fulfills(previous, parsed) &&
    !hasSameFields(previous.document, parsed.document);
  return [{ parsed, previous, isEdited: true, mustSend, writeIndex }];
}

/**
 * Fields that identify the rule or its datamodel or are assigned by the server, and the parties, which are compared by
 * ID.
 */
const ignoredFields: ReadonlySet<string> = new Set([...ruleIdentityFields, 'shares']);

/**
 * Returns whether two rules with the same meaning also have the same fields, so that replacing one with the other
 * changes nothing.
 */
function hasSameFields(a: JsonObject, b: JsonObject): boolean {
  const omitIgnoredFields = (rule: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(rule).filter(
        ([name, value]) =>
          !ignoredFields.has(name) &&
          !isServerManagedField(name) &&
          value !== null &&
          !(name === 'exclusionary' && value === false),
      ),
    );
  return jsonEquals(omitIgnoredFields(a), omitIgnoredFields(b));
}

/**
 * Splits an edit that turns a default rule into one for users or groups, or the reverse, into a deletion and an
 * addition.
 */
function splitDefaultEdits(edit: RuleEdit): readonly RuleEdit[] {
  const { before, after, writeIndex } = edit;
  const isForDefault = (rule: JsonObject | undefined): boolean | undefined =>
    parseRuleDocument(rule)?.parties.some(({ type }) => type === 'default');
  const [wasForDefault, isForDefaultNow] = [isForDefault(before), isForDefault(after)];
  return wasForDefault !== undefined && isForDefaultNow !== undefined && wasForDefault !== isForDefaultNow
    ? [
        { before, writeIndex },
        { after, writeIndex },
      ]
    : [edit];
}

const contentFields: readonly string[] = ['members', 'allMembers', 'exclusionary', 'shares'];

const omitContent = (rule: JsonObject = {}): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => !contentFields.includes(name)));

/**
 * Combines deletions and additions for the same parties on one column, even of different writes: a rule must not be
 * added while one for the same parties still exists, since a server may overwrite that one.
 */
function pairEdits(edits: readonly RuleEdit[]): readonly RuleEdit[] {
  const pairedEdits = new Set<RuleEdit>();
  const removals = new Map<string, RuleEdit[]>();
  for (const edit of edits) {
    const parsed = parseRuleDocument(edit.before);
    if (parsed !== undefined) {
      removals.set(getScopeKey(parsed), [...(removals.get(getScopeKey(parsed)) ?? []), edit]);
    }
  }
  const takeRemoval = (edit: RuleEdit): RuleEdit | undefined => {
    const parsed = parseRuleDocument(edit.after);
    const unpaired = (parsed === undefined ? [] : (removals.get(getScopeKey(parsed)) ?? [])).filter(
      (removal) => !pairedEdits.has(removal),
    );
    const removal = unpaired.includes(edit) ? edit : unpaired[0];
    if (removal !== undefined) {
      pairedEdits.add(removal);
    }
    return removal;
  };
  // Edits that keep their scope are paired first, so that no other edit is paired with their old rule.
  const sortedEdits = edits.toSorted((a, b) => Number(keepsScope(b)) - Number(keepsScope(a)));
  const partners = new Map(sortedEdits.map((edit) => [edit, takeRemoval(edit)]));
  return edits.flatMap((edit): readonly RuleEdit[] => {
    const partner = partners.get(edit);
    const { before, after, writeIndex } = edit;
    const isUnpaired = !pairedEdits.has(edit);
    if (after === undefined) {
      return isUnpaired ? [edit] : [];
    }
    if (partner === undefined) {
      return [isUnpaired ? edit : { after: omitId(after), writeIndex }];
    }
    if (partner === edit) {
      return [edit];
    }
    const combinedEdit = {
      before: partner.before,
      after: {
        ...(edit.discardsFormerFields === true ? {} : omitContent(partner.before)),
        ...omitId(after),
      },
      writeIndex,
    };
    return isUnpaired && before !== undefined ? [combinedEdit, { before, writeIndex }] : [combinedEdit];
  });
}

/** Returns whether an edit keeps the column and the parties of its rule. */
const keepsScope = ({ before, after }: RuleEdit): boolean => {
  const [oldRule, newRule] = [parseRuleDocument(before), parseRuleDocument(after)];
  return oldRule !== undefined && newRule !== undefined && getScopeKey(oldRule) === getScopeKey(newRule);
};

const omitId = ({ _id, ...rule }: JsonObject): JsonObject => rule;
