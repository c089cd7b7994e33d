import {
  deniesAll,
  type ParsedRuleDocument,
  getUpdatedRuleScopeKey,
  fulfills,
  getScopeKey,
} from './parsedRuleDocument.ts';
import type { RuleTarget, WantedRule } from './ruleTarget.ts';

/** A remaining change of one rule: without `before`, the rule is added; without `after`, it is deleted. */
export interface RuleItem {
  readonly before?: ParsedRuleDocument | undefined;
  readonly after?: WantedRule | undefined;
  /** The other rules on the server for exactly the same parties on the same column. */
  readonly sameScopeRules: readonly ParsedRuleDocument[];
}

/** The progress of an operation, as far as the rules on the server don't show it. */
export interface RuleProgress {
  /**
   * Scopes of temporary deny rules that the operation created, or may have created: {@link getScopeKey},
   * {@link getUpdatedRuleScopeKey}.
   */
  readonly denyScopes: ReadonlySet<string>;
  /**
   * The IDs that the server returned when it created temporary deny rules, by scope. May include those of other rules
   * that were created with them. In a scope without an entry, any deny rule may be a temporary one.
   */
  readonly denyRuleIds?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** The IDs of all rules that the server reported to the operation as created. */
  readonly createdIds?: ReadonlySet<string> | undefined;
  /** Scopes for which the operation has added permanent rules, which may have overwritten other rules. */
  readonly addedScopes?: ReadonlySet<string> | undefined;
  /** Wanted rules that were sent. Needed for {@link WantedRule.mustSend}. */
  readonly sentRules: ReadonlySet<WantedRule>;
}

/** Thrown if the rules on the server differ from the wanted ones although every request succeeded. */
export class RulesDifferError extends Error {
  override readonly name = 'RulesDifferError';

  constructor() {
    super('The data security rules on the server are not the intended ones');
  }
}

/** Thrown if another user has changed a rule that the operation affects: continuing would overwrite their change. */
export class RulesChangedError extends Error {
  override readonly name = 'RulesChangedError';
  /** The current version of the rule, or its last known version if it no longer exists. */
  readonly rule: ParsedRuleDocument['document'];

  constructor({ document }: ParsedRuleDocument) {
    super('The data security rules were changed by someone else');
    this.rule = document;
  }
}

/** The changes that are left to do. */
export interface RemainingItems {
  readonly items: readonly RuleItem[];
  /** Another user has changed rules other than those that the operation affects. */
  readonly hasConcurrentChanges: boolean;
}

/**
 * Returns what is left to do, based on the server's current rules: so an operation continues correctly after a lost
 * response or a killed process.
 * @param current all current rules of the target's columns
 * @throws RulesChangedError
 */
export function getRemainingItems(
  current: readonly ParsedRuleDocument[],
  target: RuleTarget,
  progress: RuleProgress,
): RemainingItems {
  const rulesOfColumns = current.filter(({ columnKey }) => target.columnKeys.has(columnKey));
  const collector =
    target.kind === 'live'
      ? new LiveItemsCollector(rulesOfColumns, target, progress)
      : new ExtractItemsCollector(rulesOfColumns, target, progress);
  return collector.getRemaining();
}

/** Logic shared by both kinds of datamodels. */
abstract class RemainingItemsCollector {
  protected readonly target: RuleTarget;
  protected readonly items: RuleItem[] = [];
  protected hasConcurrentChanges = false;
  readonly #progress: RuleProgress;

  constructor(target: RuleTarget, progress: RuleProgress) {
    this.target = target;
    this.#progress = progress;
  }

  getRemaining(): RemainingItems {
    this.collect();
    return { items: this.items, hasConcurrentChanges: this.hasConcurrentChanges };
  }

  protected abstract collect(): void;

  /** Returns whether a rule is in its wanted state. */
  protected isDone(rule: ParsedRuleDocument, wanted: WantedRule): boolean {
    return fulfills(rule, wanted.parsed) && (!wanted.mustSend || this.#progress.sentRules.has(wanted));
  }

  /** Returns whether the operation created the rule as a temporary deny rule, or turned a rule into one. */
  protected isTemporary(rule: ParsedRuleDocument): boolean {
    const { denyScopes, denyRuleIds } = this.#progress;
    const isDeniedInPlace = !this.isNew(rule) && denyScopes.has(getUpdatedRuleScopeKey(rule));
    const returnedIds = denyRuleIds?.get(getScopeKey(rule));
    const isCreatedDenyRule =
      denyScopes.has(getScopeKey(rule)) && (returnedIds === undefined || returnedIds.has(rule.id));
    return deniesAll(rule) && (isDeniedInPlace || isCreatedDenyRule);
  }

  /** Returns whether a rule is unchanged since before the operation, or is one of its temporary deny rules. */
  protected isUnchangedOrTemporary(rule: ParsedRuleDocument): boolean {
    const previous = this.target.previousById.get(rule.id);
    return this.isTemporary(rule) || (rule.id !== '' && previous !== undefined && fulfills(rule, previous));
  }

  /**
   * Records that a rule that the operation does not edit has changed.
   * @throws RulesDifferError if one of its own requests may have overwritten the rule
   */
  protected recordOtherChange({ parsed }: WantedRule): void {
    if (this.#progress.addedScopes?.has(getScopeKey(parsed)) === true) {
      throw new RulesDifferError();
    }
    this.hasConcurrentChanges = true;
  }

  /** @throws RulesDifferError if the operation created the rule, RulesChangedError if another user changed it */
  protected throwChanged(rule: ParsedRuleDocument): never {
    throw this.#progress.createdIds?.has(rule.id) === true
      ? new RulesDifferError()
      : new RulesChangedError(rule);
  }

  /** Returns whether a rule did not exist before the operation. */
  protected isNew({ id }: ParsedRuleDocument): boolean {
    return id === '' || !this.target.previousById.has(id);
  }
}

/** Collects the items of an extract datamodel, whose rules are updated in place and keep their IDs. */
class ExtractItemsCollector extends RemainingItemsCollector {
  readonly #remaining: Set<ParsedRuleDocument>;
  readonly #byId: ReadonlyMap<string, ParsedRuleDocument>;

  constructor(current: readonly ParsedRuleDocument[], target: RuleTarget, progress: RuleProgress) {
    super(target, progress);
    this.#remaining = new Set(current);
    this.#byId = new Map(current.filter(({ id }) => id !== '').map((rule) => [rule.id, rule]));
  }

  protected collect(): void {
    const { wantedRules } = this.target;
    const existing = new Set(
      wantedRules.filter(({ previous }) => previous !== undefined && previous.id !== ''),
    );
    for (const wanted of existing) {
      this.#collectExisting(wanted, wanted.previous?.id ?? '');
    }
    const rulesByScope = Map.groupBy(this.#remaining, getScopeKey);
    const missing = wantedRules.filter(
      (wanted) =>
        !existing.has(wanted) && !this.#takeMatch(wanted, rulesByScope.get(getScopeKey(wanted.parsed)) ?? []),
    );
    for (const wanted of missing) {
      this.#collectMissing(wanted, rulesByScope.get(getScopeKey(wanted.parsed)) ?? []);
    }
    for (const rule of this.#remaining) {
      this.#collectLeftOver(rule);
    }
  }

  /** Handles a wanted rule that existed before the operation. */
  #collectExisting(wanted: WantedRule, id: string): void {
    const current = this.#byId.get(id);
    if (current === undefined) {
      if (wanted.isEdited) {
        throw new RulesChangedError(wanted.previous ?? wanted.parsed);
      }
      this.recordOtherChange(wanted);
      return;
    }
    this.#remaining.delete(current);
    if (this.isDone(current, wanted)) {
      return;
    }
    if (!wanted.isEdited) {
      this.recordOtherChange(wanted);
      return;
    }
    if (!this.isUnchangedOrTemporary(current) && !fulfills(current, wanted.parsed)) {
      this.throwChanged(current);
    }
    this.items.push({ before: current, after: wanted, sameScopeRules: [] });
  }

  /** Returns whether a wanted new rule already exists, and removes the match from the remaining rules. */
  #takeMatch(wanted: WantedRule, rulesInScope: readonly ParsedRuleDocument[]): boolean {
    const match = rulesInScope.find((rule) => this.#remaining.has(rule) && this.isDone(rule, wanted));
    return match !== undefined && this.#remaining.delete(match);
  }

  /** Handles a wanted rule without a match on the server. */
  #collectMissing(wanted: WantedRule, rulesInScope: readonly ParsedRuleDocument[]): void {
    const candidates = rulesInScope.filter((rule) => this.#remaining.has(rule));
    if (!wanted.isEdited) {
      // It is a rule without an ID, whose content another user has changed.
      this.hasConcurrentChanges = true;
      return;
    }
    const newRules = candidates.filter((rule) => this.isNew(rule));
    const denyRule = newRules.find((rule) => this.isTemporary(rule));
    if (denyRule === undefined && newRules.length > 0) {
      this.throwChanged(newRules[0] ?? wanted.parsed);
    }
    if (denyRule !== undefined) {
      this.#remaining.delete(denyRule);
    }
    this.items.push({ before: denyRule, after: wanted, sameScopeRules: [] });
  }

  /** Handles a rule on the server that matches no wanted rule. */
  #collectLeftOver(rule: ParsedRuleDocument): void {
    if (this.isNew(rule) && !this.isTemporary(rule)) {
      this.hasConcurrentChanges = true;
      return;
    }
    if (!this.isUnchangedOrTemporary(rule)) {
      this.throwChanged(rule);
    }
    this.items.push({ before: rule, sameScopeRules: [] });
  }
}

/**
 * Collects the items of a live datamodel: its rules can't be updated, so a change adds a rule and deletes the old one.
 */
class LiveItemsCollector extends RemainingItemsCollector {
  readonly #rulesByScope: ReadonlyMap<string, readonly ParsedRuleDocument[]>;

  constructor(current: readonly ParsedRuleDocument[], target: RuleTarget, progress: RuleProgress) {
    super(target, progress);
    this.#rulesByScope = Map.groupBy(current, getScopeKey);
  }

  protected collect(): void {
    const wantedByScope = Map.groupBy(this.target.wantedRules, ({ parsed }) => getScopeKey(parsed));
    for (const scope of new Set([...this.#rulesByScope.keys(), ...wantedByScope.keys()])) {
      this.#collectScope(this.#rulesByScope.get(scope) ?? [], wantedByScope.get(scope) ?? []);
    }
  }

  /** Matches the rules in one scope with the wanted ones. */
  #collectScope(candidates: readonly ParsedRuleDocument[], wantedRules: readonly WantedRule[]): void {
    const unmatched = [...candidates];
    const removeUnmatched = (rule: ParsedRuleDocument | undefined): boolean => {
      const index = rule === undefined ? -1 : unmatched.indexOf(rule);
      if (index !== -1) {
        unmatched.splice(index, 1);
      }
      return index !== -1;
    };
    // An equal rule is kept if possible; if it must be sent again, the new one is preferred.
    const findBestMatch = (wanted: WantedRule): ParsedRuleDocument | undefined => {
      const matches = unmatched.filter((rule) => this.isDone(rule, wanted));
      const sameRule = matches.find(({ id }) => id !== '' && id === wanted.previous?.id);
      return wanted.mustSend
        ? (matches.find((rule) => rule !== sameRule) ?? sameRule)
        : (sameRule ?? matches[0]);
    };
    // Rules that still exist under their ID are matched first.
    const stillExists = (wanted: WantedRule): boolean =>
      unmatched.some(({ id }) => id !== '' && id === wanted.previous?.id);
    const sorted = wantedRules.toSorted((a, b) => Number(stillExists(b)) - Number(stillExists(a)));
    const missing = sorted.filter((wanted) => !removeUnmatched(findBestMatch(wanted)));
    const rulesToAdd = missing.filter(
      (wanted) => wanted.isEdited || candidates.some((rule) => this.isTemporary(rule)),
    );
    for (const wanted of missing.filter((candidate) => !rulesToAdd.includes(candidate))) {
      // Another user has changed or deleted the rule; their change is kept.
      this.recordOtherChange(wanted);
      removeUnmatched(
        unmatched.find(({ id }) => id !== '' && id === wanted.previous?.id) ??
          unmatched.find((rule) => !this.isUnchangedOrTemporary(rule)),
      );
    }
    const ownRules = unmatched.filter((rule) =>
      this.#checkOwnership(rule, wantedRules, rulesToAdd.length > 0),
    );
    this.#addItems(rulesToAdd, ownRules, candidates);
  }

  /**
   * Returns whether a rule belongs to the operation. If it is an additional rule of another user, this is recorded.
   * @throws RulesChangedError, RulesDifferError if such a rule conflicts with the operation
   */
  #checkOwnership(rule: ParsedRuleDocument, wantedRules: readonly WantedRule[], addsRules: boolean): boolean {
    const isOwnRule =
      this.isUnchangedOrTemporary(rule) ||
      (!this.isNew(rule) && wantedRules.some(({ parsed }) => fulfills(rule, parsed)));
    if (isOwnRule) {
      return true;
    }
    if (addsRules || !this.isNew(rule)) {
      this.throwChanged(rule);
    }
    this.hasConcurrentChanges = true;
    return false;
  }

  /** Adds items that replace or delete old rules and add new ones. */
  #addItems(
    rulesToAdd: readonly WantedRule[],
    ownRules: readonly ParsedRuleDocument[],
    candidates: readonly ParsedRuleDocument[],
  ): void {
    const getDuplicates = (rule: ParsedRuleDocument | undefined) =>
      candidates.filter((other) => other !== rule);
    // Deny rules are paired with new rules first: other old rules are then deleted while the deny rule is in force.
    const denyRulesFirst = ownRules.toSorted((a, b) => Number(deniesAll(b)) - Number(deniesAll(a)));
    const remainingRules = denyRulesFirst.values();
    for (const after of rulesToAdd) {
      const before = remainingRules.next().value;
      if (
        before === undefined &&
        after.previous !== undefined &&
        getScopeKey(after.previous) === getScopeKey(after.parsed)
      ) {
        if (candidates.length === 0) {
          throw new RulesChangedError(after.previous);
        }
      }
      this.items.push({ before, after, sameScopeRules: getDuplicates(before) });
    }
    for (const before of remainingRules) {
      this.items.push({ before, sameScopeRules: getDuplicates(before) });
    }
  }
}
