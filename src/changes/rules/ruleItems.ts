import { deniesAll, type HeldRule, getInPlaceSpotKey, fulfills, getSpotKey } from './heldRule.ts';
import type { RuleTarget, WantedRule } from './ruleTarget.ts';

/** A remaining change of one rule: without `before`, the rule is added; without `after`, it is deleted. */
export interface RuleItem {
  readonly before?: HeldRule | undefined;
  readonly after?: WantedRule | undefined;
  /** The other rules on the server for exactly the same parties on the same column. */
  readonly beside: readonly HeldRule[];
}

/** The progress of an operation, as far as the rules on the server don't show it. */
export interface RuleProgress {
  /**
   * Spots of temporary deny rules that the operation created, or may have created: {@link getSpotKey},
   * {@link getInPlaceSpotKey}.
   */
  readonly denied: ReadonlySet<string>;
  /** The IDs that the server returned for them, by spot. If absent for a spot, any deny rule there may be one. */
  readonly answered?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** The IDs of all rules that the server reported to the operation as created. */
  readonly made?: ReadonlySet<string> | undefined;
  /** Spots where the operation has added permanent rules, which may have overwritten other rules. */
  readonly posted?: ReadonlySet<string> | undefined;
  /** Wanted rules that were sent. Needed for {@link WantedRule.mustSend}. */
  readonly sent: ReadonlySet<WantedRule>;
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
  readonly rule: HeldRule['rule'];

  constructor({ rule }: HeldRule) {
    super('Somebody else has changed the data security rules');
    this.rule = rule;
  }
}

/** The changes that are left to do. */
export interface Remaining {
  readonly items: readonly RuleItem[];
  /** Another user has changed rules other than those that the operation affects. */
  readonly hasOthers: boolean;
}

/**
 * Returns what is left to do, based on the server's current rules: so an operation continues correctly after a lost
 * response or a killed process.
 * @param current all current rules of the target's columns
 * @throws RulesChangedError
 */
export function getRemainingItems(
  current: readonly HeldRule[],
  target: RuleTarget,
  progress: RuleProgress,
): Remaining {
  const own = current.filter(({ column }) => target.columns.has(column));
  const left =
    target.kind === 'live'
      ? new LiveItemsCollector(own, target, progress)
      : new ExtractItemsCollector(own, target, progress);
  return left.remaining();
}

/** Logic shared by both kinds of datamodels. */
abstract class RemainingItemsCollector {
  protected readonly target: RuleTarget;
  protected readonly items: RuleItem[] = [];
  protected hasOthers = false;
  readonly #progress: RuleProgress;

  constructor(target: RuleTarget, progress: RuleProgress) {
    this.target = target;
    this.#progress = progress;
  }

  remaining(): Remaining {
    this.collect();
    return { items: this.items, hasOthers: this.hasOthers };
  }

  protected abstract collect(): void;

  /** Returns whether a rule is in its wanted state. */
  protected isDone(rule: HeldRule, wanted: WantedRule): boolean {
    return fulfills(rule, wanted.held) && (!wanted.mustSend || this.#progress.sent.has(wanted));
  }

  /** Returns whether the operation created the rule as a temporary deny rule, or turned a rule into one. */
  protected isTemporary(rule: HeldRule): boolean {
    const { denied, answered } = this.#progress;
    const isInPlace = !this.isNew(rule) && denied.has(getInPlaceSpotKey(rule));
    const known = answered?.get(getSpotKey(rule));
    const isMade = denied.has(getSpotKey(rule)) && (known === undefined || known.has(rule.id));
    return deniesAll(rule) && (isInPlace || isMade);
  }

  /** Returns whether a rule is unchanged since before the operation, or is one of its temporary deny rules. */
  protected isOwn(rule: HeldRule): boolean {
    const former = this.target.previousById.get(rule.id);
    return this.isTemporary(rule) || (rule.id !== '' && former !== undefined && fulfills(rule, former));
  }

  /**
   * Records that a rule that the operation does not edit has changed.
   * @throws RulesDifferError if one of its own requests may have overwritten the rule
   */
  protected noteOther({ held }: WantedRule): void {
    if (this.#progress.posted?.has(getSpotKey(held)) === true) {
      throw new RulesDifferError();
    }
    this.hasOthers = true;
  }

  /** @throws RulesDifferError if the operation created the rule, RulesChangedError if another user changed it */
  protected refuse(rule: HeldRule): never {
    throw this.#progress.made?.has(rule.id) === true ? new RulesDifferError() : new RulesChangedError(rule);
  }

  /** Returns whether a rule did not exist before the operation. */
  protected isNew({ id }: HeldRule): boolean {
    return id === '' || !this.target.previousById.has(id);
  }
}

/** Collects the items of an extract datamodel, whose rules are updated in place and keep their IDs. */
class ExtractItemsCollector extends RemainingItemsCollector {
  readonly #remaining: Set<HeldRule>;
  readonly #byId: ReadonlyMap<string, HeldRule>;

  constructor(current: readonly HeldRule[], target: RuleTarget, progress: RuleProgress) {
    super(target, progress);
    this.#remaining = new Set(current);
    this.#byId = new Map(current.filter(({ id }) => id !== '').map((rule) => [rule.id, rule]));
  }

  protected collect(): void {
    const { wanted } = this.target;
    const known = new Set(wanted.filter(({ previous }) => previous !== undefined && previous.id !== ''));
    for (const one of known) {
      this.#known(one, one.previous?.id ?? '');
    }
    const spots = Map.groupBy(this.#remaining, getSpotKey);
    const missing = wanted.filter(
      (one) => !known.has(one) && !this.#isThere(one, spots.get(getSpotKey(one.held)) ?? []),
    );
    for (const one of missing) {
      this.#missing(one, spots.get(getSpotKey(one.held)) ?? []);
    }
    for (const rule of this.#remaining) {
      this.#leftOver(rule);
    }
  }

  /** Handles a wanted rule that existed before the operation. */
  #known(wanted: WantedRule, id: string): void {
    const now = this.#byId.get(id);
    if (now === undefined) {
      if (wanted.isEdited) {
        throw new RulesChangedError(wanted.previous ?? wanted.held);
      }
      this.noteOther(wanted);
      return;
    }
    this.#remaining.delete(now);
    if (this.isDone(now, wanted)) {
      return;
    }
    if (!wanted.isEdited) {
      this.noteOther(wanted);
      return;
    }
    if (!this.isOwn(now) && !fulfills(now, wanted.held)) {
      this.refuse(now);
    }
    this.items.push({ before: now, after: wanted, beside: [] });
  }

  /** Returns whether a wanted new rule already exists, and removes the match from the remaining rules. */
  #isThere(wanted: WantedRule, spot: readonly HeldRule[]): boolean {
    const done = spot.find((rule) => this.#remaining.has(rule) && this.isDone(rule, wanted));
    return done !== undefined && this.#remaining.delete(done);
  }

  /** Handles a wanted rule without a match on the server. */
  #missing(wanted: WantedRule, spot: readonly HeldRule[]): void {
    const candidates = spot.filter((rule) => this.#remaining.has(rule));
    if (!wanted.isEdited) {
      // It is a rule without an ID, whose content another user has changed.
      this.hasOthers = true;
      return;
    }
    const fresh = candidates.filter((rule) => this.isNew(rule));
    const denied = fresh.find((rule) => this.isTemporary(rule));
    if (denied === undefined && fresh.length > 0) {
      this.refuse(fresh[0] ?? wanted.held);
    }
    if (denied !== undefined) {
      this.#remaining.delete(denied);
    }
    this.items.push({ before: denied, after: wanted, beside: [] });
  }

  /** Handles a rule on the server that matches no wanted rule. */
  #leftOver(rule: HeldRule): void {
    if (this.isNew(rule) && !this.isTemporary(rule)) {
      this.hasOthers = true;
      return;
    }
    if (!this.isOwn(rule)) {
      this.refuse(rule);
    }
    this.items.push({ before: rule, beside: [] });
  }
}

/**
 * Collects the items of a live datamodel: its rules can't be updated, so a change adds a rule and deletes the old one.
 */
class LiveItemsCollector extends RemainingItemsCollector {
  readonly #current: ReadonlyMap<string, readonly HeldRule[]>;

  constructor(current: readonly HeldRule[], target: RuleTarget, progress: RuleProgress) {
    super(target, progress);
    this.#current = Map.groupBy(current, getSpotKey);
  }

  protected collect(): void {
    const wanted = Map.groupBy(this.target.wanted, ({ held }) => getSpotKey(held));
    for (const spot of new Set([...this.#current.keys(), ...wanted.keys()])) {
      this.#spot(this.#current.get(spot) ?? [], wanted.get(spot) ?? []);
    }
  }

  /** Matches the rules on one spot with the wanted ones. */
  #spot(candidates: readonly HeldRule[], wanted: readonly WantedRule[]): void {
    const extra = [...candidates];
    const take = (rule: HeldRule | undefined): boolean => {
      const at = rule === undefined ? -1 : extra.indexOf(rule);
      if (at !== -1) {
        extra.splice(at, 1);
      }
      return at !== -1;
    };
    // An equal rule is kept if possible; if it must be sent again, the new one is preferred.
    const bestFor = (one: WantedRule): HeldRule | undefined => {
      const fitting = extra.filter((rule) => this.isDone(rule, one));
      const same = fitting.find(({ id }) => id !== '' && id === one.previous?.id);
      return one.mustSend ? (fitting.find((rule) => rule !== same) ?? same) : (same ?? fitting[0]);
    };
    // Rules that still exist under their ID are matched first.
    const isThere = (one: WantedRule): boolean =>
      extra.some(({ id }) => id !== '' && id === one.previous?.id);
    const inOrder = wanted.toSorted((a, b) => Number(isThere(b)) - Number(isThere(a)));
    const missing = inOrder.filter((one) => !take(bestFor(one)));
    const needed = missing.filter((one) => one.isEdited || candidates.some((rule) => this.isTemporary(rule)));
    for (const one of missing.filter((each) => !needed.includes(each))) {
      // Another user has changed or deleted the rule; their change is kept.
      this.noteOther(one);
      take(
        extra.find(({ id }) => id !== '' && id === one.previous?.id) ??
          extra.find((rule) => !this.isOwn(rule)),
      );
    }
    const mine = extra.filter((rule) => this.#isMine(rule, wanted, needed.length > 0));
    this.#add(needed, mine, candidates);
  }

  /**
   * Returns whether a rule belongs to the operation; false for an additional rule of another user.
   * @throws RulesChangedError, RulesDifferError if such a rule conflicts with the operation
   */
  #isMine(rule: HeldRule, wanted: readonly WantedRule[], isNeeded: boolean): boolean {
    const isKnown =
      this.isOwn(rule) || (!this.isNew(rule) && wanted.some(({ held }) => fulfills(rule, held)));
    if (isKnown) {
      return true;
    }
    if (isNeeded || !this.isNew(rule)) {
      this.refuse(rule);
    }
    this.hasOthers = true;
    return false;
  }

  /** Adds items that replace or delete old rules and add new ones. */
  #add(needed: readonly WantedRule[], mine: readonly HeldRule[], candidates: readonly HeldRule[]): void {
    const besides = (rule: HeldRule | undefined) => candidates.filter((other) => other !== rule);
    // Deny rules are paired with new rules first: other old rules are then deleted while the deny rule is in force.
    const byDenial = mine.toSorted((a, b) => Number(deniesAll(b)) - Number(deniesAll(a)));
    const olds = byDenial.values();
    for (const after of needed) {
      const before = olds.next().value;
      if (
        before === undefined &&
        after.previous !== undefined &&
        getSpotKey(after.previous) === getSpotKey(after.held)
      ) {
        if (candidates.length === 0) {
          throw new RulesChangedError(after.previous);
        }
      }
      this.items.push({ before, after, beside: besides(before) });
    }
    for (const before of olds) {
      this.items.push({ before, beside: besides(before) });
    }
  }
}
