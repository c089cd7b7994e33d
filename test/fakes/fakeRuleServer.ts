import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import type {
  RequestFailure,
  RequestProgressObserver,
  RuleServer,
} from '../../src/changes/rules/ruleServer.ts';

/** The effect of a POST of a rule for exactly the same parties on the same column. */
export type SamePartiesEffect = 'add' | 'overwrite' | 'overwrite-new-id';

export interface FakeServerOptions {
  readonly kind: 'extract' | 'live';
  /** Returns the effect for the request with this index, so that the behavior of the server can change. */
  readonly getSamePartiesEffect: (requestIndex: number) => SamePartiesEffect;
  /**
   * Refuses a second rule for a party on a column, and refuses to delete a default rule while there are other rules, as
   * some servers do for live datamodels.
   */
  readonly isStrict?: boolean;
  /** With the effect `add`, accepts a second rule for exactly the same parties even if `isStrict` is set. */
  readonly allowsDuplicateParties?: boolean;
}

/** A fault at the request with an index, counted from 0. */
export interface FakeRuleFault {
  readonly requestIndex: number;
  /**
   * `killed`: the process ends right after the request was carried out; `lost`: the response is lost after the request was
   * carried out; `lost-before`: the connection is lost before that; `refused`: the server rejects the request.
   */
  readonly kind: 'killed' | 'lost' | 'lost-before' | 'refused';
}

/** An error that the fake server throws, with the failure that a client would report. */
export class FakeFailure extends Error {
  override readonly name = 'FakeFailure';
  readonly failure: RequestFailure | 'killed';

  constructor(failure: RequestFailure | 'killed') {
    super(failure);
    this.failure = failure;
  }
}

/** Returns the failure that an error of the fake server stands for. */
export const getFakeFailure = (error: unknown): RequestFailure =>
  error instanceof FakeFailure && error.failure !== 'killed' ? error.failure : 'other';

const getShareKey = (share: JsonValue): string => {
  const { type = null, party, partyId } = share as JsonObject;
  return JSON.stringify([type, party ?? partyId ?? null]);
};

const getShareKeys = ({ shares }: JsonObject): readonly string[] =>
  ((shares ?? []) as JsonValue[]).map(getShareKey).sort();
const getColumnKey = ({ table, column }: JsonObject): string => JSON.stringify([table, column]);

/** The rules of one datamodel in memory. Each request changes one rule; every state is recorded. */
export class FakeRuleServer implements RuleServer {
  rules: readonly JsonObject[];
  readonly states: (readonly JsonObject[])[];
  /** The number of recorded states at the time of each read. */
  readonly stateCountsAtReads: number[] = [];
  fault: FakeRuleFault | undefined;
  /** Called before each request with its index; a test may change the rules there, as another user would. */
  beforeRequest: ((requestIndex: number) => void) | undefined;
  requestCount = 0;
  readonly #options: FakeServerOptions;
  #lastId = 0;

  constructor(rules: readonly JsonObject[], options: FakeServerOptions) {
    this.rules = rules;
    this.states = [rules];
    this.#options = options;
  }

  list(): Promise<readonly JsonObject[]> {
    this.stateCountsAtReads.push(this.states.length);
    return Promise.resolve(this.rules);
  }

  async create(rules: readonly JsonObject[], observer: RequestProgressObserver): Promise<readonly string[]> {
    const ids: string[] = [];
    await this.#performEach(rules, observer, (rule) => {
      ids.push(this.addRule(rule, this.#options.getSamePartiesEffect(this.requestCount)));
    });
    return ids;
  }

  update(
    rules: readonly { readonly id: string; readonly rule: JsonObject }[],
    observer: RequestProgressObserver,
  ): Promise<void> {
    return this.#performEach(rules, observer, ({ id, rule }) => {
      if (this.#options.kind === 'live' || !this.rules.some((candidate) => candidate['_id'] === id)) {
        throw new FakeFailure('other');
      }
      this.setRules(
        this.rules.map((candidate) => (candidate['_id'] === id ? { ...rule, _id: id } : candidate)),
      );
    });
  }

  delete(ids: readonly string[], observer: RequestProgressObserver): Promise<void> {
    return this.#performEach(ids, observer, (id) => {
      const rule = this.rules.find((candidate) => candidate['_id'] === id);
      const isDefault = rule !== undefined && getShareKeys(rule).includes('["default",null]');
      const others = this.rules.filter(
        (candidate) =>
          candidate !== rule && rule !== undefined && getColumnKey(candidate) === getColumnKey(rule),
      );
      if (this.#options.isStrict === true && isDefault && others.length > 0) {
        throw new FakeFailure('other');
      }
      this.setRules(this.rules.filter((candidate) => candidate !== rule));
    });
  }

  /** Returns whether a rule may be added to the existing ones. */
  accepts(rule: JsonObject): boolean {
    const shares = getShareKeys(rule);
    const existing = this.rules.filter((candidate) => getColumnKey(candidate) === getColumnKey(rule));
    return (
      this.#options.isStrict !== true ||
      !existing.some((other) => getShareKeys(other).some((each) => shares.includes(each)))
    );
  }

  /** Adds a rule as a POST of it would. Returns its ID. */
  addRule(rule: JsonObject, effect: SamePartiesEffect): string {
    const shares = getShareKeys(rule);
    const existing = this.rules.filter((candidate) => getColumnKey(candidate) === getColumnKey(rule));
    const ruleWithSameParties = existing.find(
      (candidate) => JSON.stringify(getShareKeys(candidate)) === JSON.stringify(shares),
    );
    const id = `new${(this.#lastId += 1)}`;
    if (ruleWithSameParties !== undefined && effect !== 'add') {
      const _id =
        effect === 'overwrite' && typeof ruleWithSameParties['_id'] === 'string'
          ? ruleWithSameParties['_id']
          : id;
      this.setRules(
        this.rules.map((candidate) => (candidate === ruleWithSameParties ? { ...rule, _id } : candidate)),
      );
      return _id;
    }
    const isAllowedDuplicate =
      ruleWithSameParties !== undefined && this.#options.allowsDuplicateParties === true;
    if (!isAllowedDuplicate && !this.accepts(rule)) {
      throw new FakeFailure('second-rule-refused');
    }
    this.setRules([...this.rules, { ...rule, _id: id }]);
    return id;
  }

  setRules(rules: readonly JsonObject[]): void {
    this.rules = rules;
    this.states.push(rules);
  }

  async #performEach<Item>(
    items: readonly Item[],
    observer: RequestProgressObserver,
    carryOut: (item: Item) => void,
  ): Promise<void> {
    for (const [index, item] of items.entries()) {
      observer.onSent(index);
      this.beforeRequest?.(this.requestCount);
      const fault = this.fault?.requestIndex === this.requestCount ? this.fault.kind : undefined;
      if (fault !== 'lost-before' && fault !== 'refused') {
        carryOut(item);
      }
      this.requestCount += 1;
      if (fault !== undefined) {
        throw new FakeFailure(fault === 'killed' ? 'killed' : fault === 'refused' ? 'other' : 'unanswered');
      }
      observer.onAnswered(index);
      await Promise.resolve();
    }
  }
}
