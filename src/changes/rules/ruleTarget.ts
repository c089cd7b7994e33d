import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import { ruleIdentityFields } from '../../contract/rule.ts';
import { type HeldRule, toHeldRule, toHeldRules, fulfills, getSpotKey } from './heldRule.ts';

/** One change of the rules: without `before` a rule is added, without `after` one is deleted. */
export interface RuleEdit {
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
  /** `after` is the complete rule: if it replaces another rule, no fields of that rule are kept. */
  readonly isWhole?: boolean | undefined;
  /** Index of the write that requests it. */
  readonly write: number;
}

/** A rule of the target state. */
export interface WantedRule {
  readonly held: HeldRule;
  /** The version before the operation, if the rule existed. */
  readonly previous?: HeldRule | undefined;
  /** True if the operation adds or changes the rule; otherwise it must only stay unchanged. */
  readonly isEdited: boolean;
  /** The edit changes only what {@link fulfills} ignores, so the rule must be sent although it seems done. */
  readonly mustSend: boolean;
  /** Index of the write that requests it. */
  readonly write?: number | undefined;
}

/** The target state of a rule change: the wanted rules of some columns. Rules of other columns are ignored. */
export interface RuleTarget {
  readonly kind: 'extract' | 'live';
  /** Keys of the affected columns. */
  readonly columns: ReadonlySet<string>;
  readonly wanted: readonly WantedRule[];
  /** The rules of these columns before the operation, by their IDs. */
  readonly previousById: ReadonlyMap<string, HeldRule>;
  /** The index of the write that deletes a rule, by the rule's ID. An added rule may still replace it in place. */
  readonly removedBy: ReadonlyMap<string, number>;
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
  former: readonly JsonObject[],
  edits: readonly RuleEdit[],
): RuleTarget {
  const apart = kind === 'live' || edits.length > 1 ? edits.flatMap(splitDefaultEdits) : edits;
  const nameless = apart.find(({ before }) => before !== undefined && getHeldId(before) === undefined);
  if (nameless?.before !== undefined) {
    throw new RuleChangeRefusedError('no-identifier', nameless.before);
  }
  const paired = pairEdits(apart);
  const columns = new Set(
    paired
      .flatMap(({ before, after }) => [before, after])
      .flatMap((rule) => (rule === undefined ? [] : (toHeldRule(rule)?.column ?? []))),
  );
  const held = toHeldRules(former).filter(({ column }) => columns.has(column));
  const edited = new Set(paired.flatMap(({ before }) => getHeldId(before) ?? []));
  const byId = new Map(held.filter(({ id }) => id !== '').map((rule) => [rule.id, rule]));
  const kept = held.filter(({ id }) => id === '' || !edited.has(id));
  return {
    kind,
    columns,
    wanted: [
      ...kept.map((rule): WantedRule => ({ held: rule, previous: rule, isEdited: false, mustSend: false })),
      ...paired.flatMap((edit) => getWantedRules(edit, byId)),
    ],
    previousById: byId,
    removedBy: new Map(
      apart.flatMap(({ before, after, write }) => {
        const id = after === undefined ? getHeldId(before) : undefined;
        return id === undefined ? [] : [[id, write] as const];
      }),
    ),
  };
}

/** Returns the ID of a rule; `undefined` if it has none or is not a rule on a column. */
const getHeldId = (rule: JsonObject | undefined): string | undefined => {
  const held = rule === undefined ? undefined : toHeldRule(rule);
  return held === undefined || held.id === '' ? undefined : held.id;
};

function getWantedRules(
  { before, after, write }: RuleEdit,
  byId: ReadonlyMap<string, HeldRule>,
): readonly WantedRule[] {
  const held = after === undefined ? undefined : toHeldRule(after);
  if (held === undefined) {
    return [];
  }
  const former = before === undefined ? undefined : byId.get(getHeldId(before) ?? '');
  const mustSend = former !== undefined && fulfills(former, held) && !isSpelledAlike(former.rule, held.rule);
  return [{ held, previous: former, isEdited: true, mustSend, write }];
}

/** Fields that are part of the path or assigned by the server, and the parties, which are compared by ID. */
const nonSpelledFields: ReadonlySet<string> = new Set([...ruleIdentityFields, 'shares']);

/**
 * Returns whether two rules with the same meaning also have the same fields, so that replacing one with the other
 * changes nothing.
 */
function isSpelledAlike(a: JsonObject, b: JsonObject): boolean {
  const spelled = (rule: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(rule).filter(
        ([name, value]) =>
          !nonSpelledFields.has(name) &&
          !isServerManagedField(name) &&
          value !== null &&
          !(name === 'exclusionary' && value === false),
      ),
    );
  return jsonEquals(spelled(a), spelled(b));
}

/**
 * Splits an edit that turns a default rule into one for users or groups, or the reverse, into a deletion and an
 * addition.
 */
function splitDefaultEdits(edit: RuleEdit): readonly RuleEdit[] {
  const { before, after, write } = edit;
  const isForDefault = (rule: JsonObject | undefined): boolean | undefined =>
    rule === undefined ? undefined : toHeldRule(rule)?.parties.some(({ type }) => type === 'default');
  const [was, is] = [isForDefault(before), isForDefault(after)];
  return was !== undefined && is !== undefined && was !== is
    ? [
        { before, write },
        { after, write },
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
    const held = edit.before === undefined ? undefined : toHeldRule(edit.before);
    if (held !== undefined) {
      removals.set(getSpotKey(held), [...(removals.get(getSpotKey(held)) ?? []), edit]);
    }
  }
  const takeFor = (edit: RuleEdit): RuleEdit | undefined => {
    const held = edit.after === undefined ? undefined : toHeldRule(edit.after);
    const open = (held === undefined ? [] : (removals.get(getSpotKey(held)) ?? [])).filter(
      (one) => !pairedEdits.has(one),
    );
    const found = open.includes(edit) ? edit : open[0];
    if (found !== undefined) {
      pairedEdits.add(found);
    }
    return found;
  };
  // Edits that keep their spot are paired first, so that no other edit is paired with their old rule.
  const order = edits.toSorted((a, b) => Number(isStaying(b)) - Number(isStaying(a)));
  const partners = new Map(order.map((edit) => [edit, takeFor(edit)]));
  return edits.flatMap((edit): readonly RuleEdit[] => {
    const partner = partners.get(edit);
    const { before, after, write } = edit;
    const isLeft = !pairedEdits.has(edit);
    if (after === undefined) {
      return isLeft ? [edit] : [];
    }
    if (partner === undefined) {
      return [isLeft ? edit : { after: omitId(after), write }];
    }
    if (partner === edit) {
      return [edit];
    }
    const joined = {
      before: partner.before,
      after: {
        ...(edit.isWhole === true ? {} : omitContent(partner.before)),
        ...omitId(after),
      },
      write,
    };
    return isLeft && before !== undefined ? [joined, { before, write }] : [joined];
  });
}

/** Returns whether an edit keeps the column and the parties of its rule. */
const isStaying = ({ before, after }: RuleEdit): boolean => {
  const [was, is] = [before, after].map((rule) => (rule === undefined ? undefined : toHeldRule(rule)));
  return was !== undefined && is !== undefined && getSpotKey(was) === getSpotKey(is);
};

const omitId = ({ _id, ...rule }: JsonObject): JsonObject => rule;
