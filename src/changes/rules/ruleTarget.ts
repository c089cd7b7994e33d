import { sameJson } from '../../base/canonicalJson.ts';
import type { JsonObject } from '../../base/json.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';
import { placeRuleFields } from '../../contract/rule.ts';
import { type HeldRule, holdRule, holdRules, says, spotOf } from './heldRule.ts';

/** One thing that is to be done to the rules: without `before` a rule is added, without `after` one goes. */
export interface RuleEdit {
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
  /** `after` is all of the rule: where it takes the place of another, nothing of that one is kept. */
  readonly isWhole?: boolean | undefined;
  /** Index of the write that asks for it. */
  readonly write: number;
}

/** A rule that is to be there in the end. */
export interface WantedRule {
  readonly held: HeldRule;
  /** The rule as it was before the operation, where it stands for one of those. */
  readonly former?: HeldRule | undefined;
  /** Whether the operation is about it; others only have to stay. */
  readonly isEdited: boolean;
  /** The edit changes what no comparison sees, so that it has to be sent once. */
  readonly mustSend: boolean;
  readonly write?: number | undefined;
}

/** What the rules of some columns are to be. Rules of other columns are nobody's business. */
export interface RuleTarget {
  readonly kind: 'extract' | 'live';
  readonly columns: ReadonlySet<string>;
  readonly wanted: readonly WantedRule[];
  /** The rules of these columns as they were before the operation, by their identifiers. */
  readonly former: ReadonlyMap<string, HeldRule>;
  /** The write that asks for a rule to go, by the rule's identifier; another may take its place all the same. */
  readonly removedBy: ReadonlyMap<string, number>;
}

/** Why a change of rules is refused before anything is sent. */
export type RuleRefusal =
  /** Two rules for exactly the same parties on one column: a server may overwrite the one with the other. */
  | 'same-parties'
  /** The server allows each party in one rule of a column, and without one for everyone else no order is safe. */
  | 'needs-default'
  /** The server allows each party in one rule of a column, and the wanted rules name one in two. */
  | 'party-twice'
  /** A rule that is to be replaced or deleted has no identifier. */
  | 'no-identifier';

/** No safe order of requests leads to the wanted rules. */
export class RuleChangeRefusedError extends Error {
  override readonly name = 'RuleChangeRefusedError';
  readonly code: RuleRefusal;
  /** The rule that stands in the way. */
  readonly rule: JsonObject;
  /** It was found out on the way, as by what the server refused; else nothing was sent. */
  readonly hasWritten: boolean;

  constructor(code: RuleRefusal, rule: JsonObject, hasWritten = false) {
    super(`A change of data security rules was refused: ${code}`);
    this.code = code;
    this.rule = rule;
    this.hasWritten = hasWritten;
  }
}

/**
 * What the rules are to be after some edits. An added rule takes the place of a deleted one for the same parties on the
 * same column, so that where the platform has an update it is one.
 * @throws RuleChangeRefusedError for a rule without identifier, which nobody could replace or delete
 * @param former all rules of the columns that the edits are about, as they are before the operation
 */
export function ruleTarget(
  kind: RuleTarget['kind'],
  former: readonly JsonObject[],
  edits: readonly RuleEdit[],
): RuleTarget {
  const apart = kind === 'live' || edits.length > 1 ? edits.flatMap(apartFromDefault) : edits;
  const nameless = apart.find(({ before }) => before !== undefined && idOf(before) === undefined);
  if (nameless?.before !== undefined) {
    throw new RuleChangeRefusedError('no-identifier', nameless.before);
  }
  const paired = pairEdits(apart);
  const columns = new Set(
    paired
      .flatMap(({ before, after }) => [before, after])
      .flatMap((rule) => (rule === undefined ? [] : (holdRule(rule)?.column ?? []))),
  );
  const held = holdRules(former).filter(({ column }) => columns.has(column));
  const edited = new Set(paired.flatMap(({ before }) => idOf(before) ?? []));
  const byId = new Map(held.filter(({ id }) => id !== '').map((rule) => [rule.id, rule]));
  const kept = held.filter(({ id }) => id === '' || !edited.has(id));
  return {
    kind,
    columns,
    wanted: [
      ...kept.map((rule): WantedRule => ({ held: rule, former: rule, isEdited: false, mustSend: false })),
      ...paired.flatMap((edit) => wantedBy(edit, byId)),
    ],
    former: byId,
    removedBy: new Map(
      apart.flatMap(({ before, after, write }) => {
        const id = after === undefined ? idOf(before) : undefined;
        return id === undefined ? [] : [[id, write] as const];
      }),
    ),
  };
}

const idOf = (rule: JsonObject | undefined): string | undefined => {
  const held = rule === undefined ? undefined : holdRule(rule);
  return held === undefined || held.id === '' ? undefined : held.id;
};

function wantedBy(
  { before, after, write }: RuleEdit,
  byId: ReadonlyMap<string, HeldRule>,
): readonly WantedRule[] {
  const held = after === undefined ? undefined : holdRule(after);
  if (held === undefined) {
    return [];
  }
  const former = before === undefined ? undefined : byId.get(idOf(before) ?? '');
  const mustSend = former !== undefined && says(former, held) && !isSpelledAlike(former.rule, held.rule);
  return [{ held, former, isEdited: true, mustSend, write }];
}

/** What the path carries, what the server makes, and the parties, which are compared by what they name. */
const notSpelled: ReadonlySet<string> = new Set([...placeRuleFields, 'shares']);

/** Whether two rules that grant the same are written alike, so that sending the one in place of the other does nothing. */
function isSpelledAlike(a: JsonObject, b: JsonObject): boolean {
  const spelled = (rule: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(rule).filter(
        ([name, value]) =>
          !notSpelled.has(name) &&
          !isBookkeeping(name) &&
          value !== null &&
          !(name === 'exclusionary' && value === false),
      ),
    );
  return sameJson(spelled(a), spelled(b));
}

/** A rule for everyone else that becomes one for others, or the other way round, is one that goes and one that comes. */
function apartFromDefault(edit: RuleEdit): readonly RuleEdit[] {
  const { before, after, write } = edit;
  const isForDefault = (rule: JsonObject | undefined): boolean | undefined =>
    rule === undefined ? undefined : holdRule(rule)?.parties.some(({ type }) => type === 'default');
  const [was, is] = [isForDefault(before), isForDefault(after)];
  return was !== undefined && is !== undefined && was !== is
    ? [
        { before, write },
        { after, write },
      ]
    : [edit];
}

const content: readonly string[] = ['members', 'allMembers', 'exclusionary', 'shares'];

const withoutContent = (rule: JsonObject = {}): JsonObject =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => !content.includes(name)));

/**
 * Joins what goes and what comes for the same parties on one column, whoever asked for which: a rule is never added
 * where one for the same parties still is, since a server may overwrite that one with it.
 */
function pairEdits(edits: readonly RuleEdit[]): readonly RuleEdit[] {
  const taken = new Set<RuleEdit>();
  const going = new Map<string, RuleEdit[]>();
  for (const edit of edits) {
    const held = edit.before === undefined ? undefined : holdRule(edit.before);
    if (held !== undefined) {
      going.set(spotOf(held), [...(going.get(spotOf(held)) ?? []), edit]);
    }
  }
  const takeFor = (edit: RuleEdit): RuleEdit | undefined => {
    const held = edit.after === undefined ? undefined : holdRule(edit.after);
    const open = (held === undefined ? [] : (going.get(spotOf(held)) ?? [])).filter((one) => !taken.has(one));
    const found = open.includes(edit) ? edit : open[0];
    if (found !== undefined) {
      taken.add(found);
    }
    return found;
  };
  // What stays where it is comes first, so that nothing else takes its place.
  const order = edits.toSorted((a, b) => Number(isStaying(b)) - Number(isStaying(a)));
  const partners = new Map(order.map((edit) => [edit, takeFor(edit)]));
  return edits.flatMap((edit): readonly RuleEdit[] => {
    const partner = partners.get(edit);
    const { before, after, write } = edit;
    const isLeft = !taken.has(edit);
    if (after === undefined) {
      return isLeft ? [edit] : [];
    }
    if (partner === undefined) {
      return [isLeft ? edit : { after: withoutId(after), write }];
    }
    if (partner === edit) {
      return [edit];
    }
    const joined = {
      before: partner.before,
      after: {
        ...(edit.isWhole === true ? {} : withoutContent(partner.before)),
        ...withoutId(after),
      },
      write,
    };
    return isLeft && before !== undefined ? [joined, { before, write }] : [joined];
  });
}

const isStaying = ({ before, after }: RuleEdit): boolean => {
  const [was, is] = [before, after].map((rule) => (rule === undefined ? undefined : holdRule(rule)));
  return was !== undefined && is !== undefined && spotOf(was) === spotOf(is);
};

const withoutId = ({ _id, ...rule }: JsonObject): JsonObject => rule;
