import { deniesAll, type HeldRule, getInPlaceSpotKey, fulfills, getSpotKey } from './heldRule.ts';
import type { RuleTarget, WantedRule } from './ruleTarget.ts';

/** A rule that is not yet in its wanted state: without `before` it is missing, without `after` it is to be deleted. */
export interface RuleItem {
  readonly before?: HeldRule | undefined;
  readonly after?: WantedRule | undefined;
  /** The other rules on the server for exactly the same parties on the same column. */
  readonly beside: readonly HeldRule[];
}

/** The progress of an operation that can't be seen from the rules on the server. */
export interface RuleProgress {
  /**
   * Spots where temporary deny rules of the operation are, or may be: {@link getSpotKey}, {@link getInPlaceSpotKey}.
   */
  readonly denied: ReadonlySet<string>;
  /** The IDs that the server returned for them, by spot; if it returned none, any rule there may be one. */
  readonly answered?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** The IDs of all rules that the server reported to the operation as created. */
  readonly made?: ReadonlySet<string> | undefined;
  /** Spots where the operation has added permanent rules: the server may have overwritten another rule with them. */
  readonly posted?: ReadonlySet<string> | undefined;
  /** Wanted rules that were sent although the server's were equal. */
  readonly sent: ReadonlySet<WantedRule>;
}

/** The rules on the server never became the wanted ones, although every request was answered. */
export class RulesDifferError extends Error {
  override readonly name = 'RulesDifferError';

  constructor() {
    super('The data security rules on the server are not the intended ones');
  }
}

/** Another user has changed a rule that the operation affects; continuing would overwrite or delete their work. */
export class RulesChangedError extends Error {
  override readonly name = 'RulesChangedError';
  /** The current rule, or its last version if it is gone. */
  readonly rule: HeldRule['rule'];

  constructor({ rule }: HeldRule) {
    super('Somebody else has changed the data security rules');
    this.rule = rule;
  }
}

export interface Remaining {
  readonly items: readonly RuleItem[];
  /** Another user has changed rules other than those that the operation affects. */
  readonly hasOthers: boolean;
}

/**
 * Returns what is left to do, based only on the rules that the server has: after a lost response or a killed process,
 * an operation continues just as it would have otherwise.
 * @param current all rules of the columns of the target, as they are now
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

  /** Returns whether a rule is as the operation found it or left it. */
  protected isOwn(rule: HeldRule): boolean {
    const former = this.target.previousById.get(rule.id);
    return this.isTemporary(rule) || (rule.id !== '' && former !== undefined && fulfills(rule, former));
  }

  /** Notes that a rule outside the operation has changed: through one of its own requests, or by another user. */
  protected noteOther({ held }: WantedRule): void {
    if (this.#progress.posted?.has(getSpotKey(held)) === true) {
      throw new RulesDifferError();
    }
    this.hasOthers = true;
  }

  /**
   * @throws RulesDifferError if the server stored something other than what it was sent, RulesChangedError otherwise
   */
  protected refuse(rule: HeldRule): never {
    throw this.#progress.made?.has(rule.id) === true ? new RulesDifferError() : new RulesChangedError(rule);
  }

  protected isNew({ id }: HeldRule): boolean {
    return id === '' || !this.target.previousById.has(id);
  }
}

/** Rules that can be updated keep their IDs. */
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

  #isThere(wanted: WantedRule, spot: readonly HeldRule[]): boolean {
    const done = spot.find((rule) => this.#remaining.has(rule) && this.isDone(rule, wanted));
    return done !== undefined && this.#remaining.delete(done);
  }

  #missing(wanted: WantedRule, spot: readonly HeldRule[]): void {
    const candidates = spot.filter((rule) => this.#remaining.has(rule));
    if (!wanted.isEdited) {
      // A rule without an ID whose content has changed.
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

/** Live rules can't be updated: a change is an added rule, on the same spot, and a deleted one. */
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

  #spot(candidates: readonly HeldRule[], wanted: readonly WantedRule[]): void {
    const extra = [...candidates];
    const take = (rule: HeldRule | undefined): boolean => {
      const at = rule === undefined ? -1 : extra.indexOf(rule);
      if (at !== -1) {
        extra.splice(at, 1);
      }
      return at !== -1;
    };
    // An equal rule stays if possible; one that was sent again replaces it.
    const bestFor = (one: WantedRule): HeldRule | undefined => {
      const fitting = extra.filter((rule) => this.isDone(rule, one));
      const same = fitting.find(({ id }) => id !== '' && id === one.previous?.id);
      return one.mustSend ? (fitting.find((rule) => rule !== same) ?? same) : (same ?? fitting[0]);
    };
    // Among equal rules, each matches itself first.
    const isThere = (one: WantedRule): boolean =>
      extra.some(({ id }) => id !== '' && id === one.previous?.id);
    const inOrder = wanted.toSorted((a, b) => Number(isThere(b)) - Number(isThere(a)));
    const missing = inOrder.filter((one) => !take(bestFor(one)));
    const needed = missing.filter((one) => one.isEdited || candidates.some((rule) => this.isTemporary(rule)));
    for (const one of missing.filter((each) => !needed.includes(each))) {
      // Another user has changed or deleted it, so it is theirs.
      this.noteOther(one);
      take(
        extra.find(({ id }) => id !== '' && id === one.previous?.id) ??
          extra.find((rule) => !this.isOwn(rule)),
      );
    }
    const mine = extra.filter((rule) => this.#isMine(rule, wanted, needed.length > 0));
    this.#add(needed, mine, candidates);
  }

  /** @throws RulesChangedError for another user's rule in the way */
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

  #add(needed: readonly WantedRule[], mine: readonly HeldRule[], candidates: readonly HeldRule[]): void {
    const besides = (rule: HeldRule | undefined) => candidates.filter((other) => other !== rule);
    // A deny rule is paired with a new rule first, so it is replaced last; the remaining old rules are deleted before.
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
