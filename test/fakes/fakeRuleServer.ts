import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import type { RequestFailure, RequestObserver, RuleServer } from '../../src/changes/rules/changeRules.ts';

/** The effect of a POST of a rule for exactly the same parties on the same column. */
export type FakeSameShares = 'add' | 'overwrite' | 'overwrite-new-id';

export interface FakeServerOptions {
  readonly kind: 'extract' | 'live';
  /** Called for each POST, so that the behavior of the server can change. */
  readonly sameShares: (request: number) => FakeSameShares;
  /** A live endpoint that refuses a party twice on a column, and deleting a default rule before the others. */
  readonly isStrict?: boolean;
  /** If it adds, it accepts a second rule for exactly the same parties even though it is strict. */
  readonly allowsDuplicateParties?: boolean;
}

/** A fault at the request with that number, counted from 0. */
export interface FakeRuleFault {
  readonly at: number;
  /** `killed` after it; its response `lost` after it was carried out, or `lost-before`; `refused`. */
  readonly what: 'killed' | 'lost' | 'lost-before' | 'refused';
}

/** A failure of the fake server, as a client would see it. */
export class FakeFailure extends Error {
  override readonly name = 'FakeFailure';
  readonly failure: RequestFailure | 'killed';

  constructor(failure: RequestFailure | 'killed') {
    super(failure);
    this.failure = failure;
  }
}

/** The meaning of a failure of the fake server for a change of rules. */
export const getFakeFailure = (error: unknown): RequestFailure =>
  error instanceof FakeFailure && error.failure !== 'killed' ? error.failure : 'other';

const getShareKey = (one: JsonValue): string => {
  const { type = null, party, partyId } = one as JsonObject;
  return JSON.stringify([type, party ?? partyId ?? null]);
};

const getShareKeys = ({ shares }: JsonObject): readonly string[] =>
  ((shares ?? []) as JsonValue[]).map(getShareKey).sort();
const getColumnKey = ({ table, column }: JsonObject): string => JSON.stringify([table, column]);

/** The rules of one datamodel in memory, changed by one request for one rule at a time; records every state. */
export class FakeRuleServer implements RuleServer {
  rules: readonly JsonObject[];
  readonly states: (readonly JsonObject[])[];
  /** The number of states at each read. */
  readonly statesAtList: number[] = [];
  fault: FakeRuleFault | undefined;
  /** Called before each request with its number; another user may change the rules there. */
  before: ((request: number) => void) | undefined;
  requests = 0;
  readonly #options: FakeServerOptions;
  #ids = 0;

  constructor(rules: readonly JsonObject[], options: FakeServerOptions) {
    this.rules = rules;
    this.states = [rules];
    this.#options = options;
  }

  list(): Promise<readonly JsonObject[]> {
    this.statesAtList.push(this.states.length);
    return Promise.resolve(this.rules);
  }

  async create(rules: readonly JsonObject[], watch: RequestObserver): Promise<readonly string[]> {
    const ids: string[] = [];
    await this.#each(rules, watch, (rule) => {
      ids.push(this.addRule(rule, this.#options.sameShares(this.requests)));
    });
    return ids;
  }

  update(
    rules: readonly { readonly id: string; readonly rule: JsonObject }[],
    watch: RequestObserver,
  ): Promise<void> {
    return this.#each(rules, watch, ({ id, rule }) => {
      if (this.#options.kind === 'live' || !this.rules.some((one) => one['_id'] === id)) {
        throw new FakeFailure('other');
      }
      this.setRules(this.rules.map((one) => (one['_id'] === id ? { ...rule, _id: id } : one)));
    });
  }

  delete(ids: readonly string[], watch: RequestObserver): Promise<void> {
    return this.#each(ids, watch, (id) => {
      const rule = this.rules.find((one) => one['_id'] === id);
      const isDefault = rule !== undefined && getShareKeys(rule).includes('["default",null]');
      const others = this.rules.filter(
        (one) => one !== rule && rule !== undefined && getColumnKey(one) === getColumnKey(rule),
      );
      if (this.#options.isStrict === true && isDefault && others.length > 0) {
        throw new FakeFailure('other');
      }
      this.setRules(this.rules.filter((one) => one !== rule));
    });
  }

  /** Returns whether a rule may be added to the existing ones. */
  accepts(rule: JsonObject): boolean {
    const shares = getShareKeys(rule);
    const existing = this.rules.filter((one) => getColumnKey(one) === getColumnKey(rule));
    return (
      this.#options.isStrict !== true ||
      !existing.some((one) => getShareKeys(one).some((each) => shares.includes(each)))
    );
  }

  /** Carries out a POST of one rule. */
  addRule(rule: JsonObject, sameShares: FakeSameShares): string {
    const shares = getShareKeys(rule);
    const existing = this.rules.filter((one) => getColumnKey(one) === getColumnKey(rule));
    const same = existing.find((one) => JSON.stringify(getShareKeys(one)) === JSON.stringify(shares));
    const id = `new${(this.#ids += 1)}`;
    if (same !== undefined && sameShares !== 'add') {
      const _id = sameShares === 'overwrite' && typeof same['_id'] === 'string' ? same['_id'] : id;
      this.setRules(this.rules.map((one) => (one === same ? { ...rule, _id } : one)));
      return _id;
    }
    const isBeside = same !== undefined && this.#options.allowsDuplicateParties === true;
    if (!isBeside && !this.accepts(rule)) {
      throw new FakeFailure('second-rule-refused');
    }
    this.setRules([...this.rules, { ...rule, _id: id }]);
    return id;
  }

  setRules(rules: readonly JsonObject[]): void {
    this.rules = rules;
    this.states.push(rules);
  }

  async #each<Item>(
    items: readonly Item[],
    watch: RequestObserver,
    carryOut: (item: Item) => void,
  ): Promise<void> {
    for (const [index, item] of items.entries()) {
      watch.begin(index);
      this.before?.(this.requests);
      const fault = this.fault?.at === this.requests ? this.fault.what : undefined;
      if (fault !== 'lost-before' && fault !== 'refused') {
        carryOut(item);
      }
      this.requests += 1;
      if (fault !== undefined) {
        throw new FakeFailure(fault === 'killed' ? 'killed' : fault === 'refused' ? 'other' : 'unanswered');
      }
      watch.done(index);
      await Promise.resolve();
    }
  }
}
