import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Clock } from '../../base/clock.ts';
import { changeRules } from '../rules/changeRules.ts';
import {
  deniesAll,
  type HeldRule,
  toHeldRules,
  getInPlaceSpotKey,
  fulfills,
  getSpotKey,
} from '../rules/heldRule.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import { getRemainingItems, RulesChangedError } from '../rules/ruleItems.ts';
import type { RuleServerFacts } from '../rules/rulePhase.ts';
import {
  RuleChangeRefusedError,
  type RuleTarget,
  createRuleTarget,
  type WantedRule,
} from '../rules/ruleTarget.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { createConflict } from './conflicts.ts';
import type { Write } from '../model/operation.ts';
import type { ConflictError } from './problems.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { classifyRequestFailure, PlatformRules } from './platformRules.ts';
import { getObjects } from '../model/readJson.ts';
import { getRuleEdits, collectRules } from '../rules/ruleEdits.ts';
import type { RuleGroup } from '../rules/ruleGroup.ts';
import { defaultBatchBytes } from '../rules/ruleWrites.ts';

export interface RuleExecutionDeps {
  readonly client: PlatformClient;
  readonly clock: Clock;
  readonly facts: RuleServerFacts;
  readonly onFacts: (facts: RuleServerFacts) => void;
  /** The documents from before the operation. */
  readonly before: readonly ReadDocument[];
  /** Nothing was sent yet, so the rules read before the operation are the current ones. */
  readonly isFresh: boolean;
  /** Spots where earlier attempts may have created temporary deny rules. */
  readonly denied: readonly string[];
  readonly onDeny: (spots: readonly string[]) => Promise<void>;
  /** IDs of rules that the server reported to earlier attempts as created. */
  readonly made: readonly string[];
  readonly onMade: (ids: readonly string[]) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: { readonly write: number; readonly done: number }) => void) | undefined;
  readonly onWait?: ((ms: number) => void) | undefined;
  readonly verifyDelayMs?: number | undefined;
}

/** The result of a rule change. */
export interface RuleOutcome {
  /** For each completed write, by index: its requested rules, as currently stored on the server. */
  readonly answers: ReadonlyMap<number, JsonValue | undefined>;
  /** Indices of the writes that are not done. */
  readonly open: readonly number[];
  /**
   * Set if temporary deny rules are in force, so that the parties of the rules see nothing. `only`: everything else is
   * done; `open`: other changes remain.
   */
  readonly denied?: 'open' | 'only' | undefined;
  /** At least one request succeeded. */
  readonly hasChanged: boolean;
  /** Another user has meanwhile changed other rules of the same columns. */
  readonly hasOthers?: boolean | undefined;
}

/** Runs the writes of one group as one rule change. */
export class RuleExecution {
  readonly #group: RuleGroup;
  readonly #writes: readonly Write[];
  readonly #deps: RuleExecutionDeps;
  readonly #target: RuleTarget;
  /** The rules that the writes create or update. */
  readonly #asked: readonly JsonObject[];
  readonly #previous: readonly JsonObject[];
  readonly #denied: Set<string>;
  readonly #made: Set<string>;
  readonly #progress = new Map<number, number>();
  /** Wanted rules that were sent and answered. */
  readonly #sent = new Set<WantedRule>();
  #hasChanged = false;

  constructor(group: RuleGroup, writes: readonly Write[], deps: RuleExecutionDeps) {
    this.#group = group;
    this.#writes = writes;
    this.#deps = deps;
    this.#previous = collectRules(deps.before, group.subject);
    const { edits, denied } = getRuleEdits(group, writes, this.#previous);
    this.#asked = edits.map(({ after }) => after).filter((rule) => rule !== undefined);
    this.#target = createRuleTarget(group.subject.kind, this.#previous, edits);
    this.#denied = new Set([...deps.denied, ...denied]);
    this.#made = new Set(deps.made);
  }

  /**
   * Changes the rules.
   * @throws the error that prevented the wanted state; {@link outcome} then returns how far the change got
   */
  async run(): Promise<RuleOutcome> {
    try {
      return await this.#run();
    } catch (error) {
      throw this.#toReportedError(error);
    }
  }

  #toReportedError(error: unknown): unknown {
    if (error instanceof RuleChangeRefusedError && this.#hasChanged) {
      return new RuleChangeRefusedError(error.code, error.rule, true);
    }
    return error instanceof RulesChangedError ? this.#conflictWith(error) : error;
  }

  #conflictWith({ rule }: RulesChangedError): ConflictError {
    const ruleId = typeof rule['_id'] === 'string' ? rule['_id'] : '';
    return createConflict({ ref: { kind: 'rule', subject: this.#group.subject, ruleId }, document: rule });
  }

  async #run(): Promise<RuleOutcome> {
    const { facts, onFacts, onDeny, onMade, signal } = this.#deps;
    const server = this.#rules();
    // Checked first, so that an invalid rule doesn't stop the change halfway.
    server.check(this.#asked);
    const { rules, hasOthers } = await changeRules(server, this.#target, {
      facts,
      onFacts,
      denied: [...this.#denied],
      made: [...this.#made],
      onMade: async (ids) => {
        ids.forEach((id) => this.#made.add(id));
        await onMade(ids);
      },
      onDeny: async (spots) => {
        await onDeny(spots);
        spots.forEach((spot) => this.#denied.add(spot));
      },
      classifyFailure: classifyRequestFailure,
      signal,
      onProgress: ({ wanted, ...request }) => {
        this.#hasChanged = true;
        if (wanted !== undefined) {
          this.#sent.add(wanted);
        }
        const id = request.kind === 'delete' ? request.id : '';
        this.#count(wanted?.write ?? this.#target.removedBy.get(id));
      },
    });
    return {
      answers: this.#answers(rules, new Set(this.#group.writes)),
      open: [],
      hasChanged: true,
      hasOthers,
    };
  }

  /**
   * Returns how far a failed change got, according to the server's current rules.
   * @throws ApiError
   */
  async outcome(): Promise<RuleOutcome> {
    const { client } = this.#deps;
    const rules = new PlatformRules(this.#group.subject, { ...this.#deps, client, ...this.#size() });
    const current = toHeldRules(await rules.list());
    const open = this.#open(current);
    const left = current.filter((rule) => this.#target.columns.has(rule.column) && this.#isTemporary(rule));
    const done = new Set(this.#group.writes.filter((index) => !open.has(index)));
    const isOnly = open.size === 0;
    const isWanted = (rule: HeldRule): boolean =>
      this.#target.wanted.some(({ held }) => fulfills(rule, held));
    const denied = left.some((rule) => !isWanted(rule)) ? (isOnly ? 'only' : 'open') : undefined;
    return {
      answers: this.#answers(current, done),
      // If only deny rules are left to delete, the last write is not done.
      open: isOnly && denied !== undefined ? this.#group.writes.slice(-1) : [...open],
      denied,
      hasChanged: this.#hasChanged,
    };
  }

  #isTemporary(rule: HeldRule): boolean {
    return (
      deniesAll(rule) && [getSpotKey(rule), getInPlaceSpotKey(rule)].some((spot) => this.#denied.has(spot))
    );
  }

  /** Returns the indices of the writes that are not done, according to the current rules. */
  #open(current: readonly HeldRule[]): ReadonlySet<number> {
    try {
      const progress = { denied: this.#denied, sent: this.#sent, made: this.#made };
      const { items } = getRemainingItems(current, this.#target, progress);
      const open = items.flatMap(({ before, after }) =>
        [
          after?.write,
          this.#target.removedBy.get(before?.id ?? ''),
          this.#target.removedBy.get(after?.previous?.id ?? ''),
        ].filter((write) => write !== undefined),
      );
      // Remaining items that belong to no write count for the last one, except temporary deny rules: see the caller.
      const isLeft = items.some(({ before }) => before === undefined || !this.#isTemporary(before));
      return new Set(open.length === 0 && isLeft ? this.#group.writes.slice(-1) : open);
    } catch {
      // Another user has changed the rules, so the remaining work is unknown.
      return new Set(this.#group.writes);
    }
  }

  /** Returns the requested rules of completed writes, as currently stored on the server. */
  #answers(
    current: readonly HeldRule[],
    done: ReadonlySet<number>,
  ): ReadonlyMap<number, JsonValue | undefined> {
    const left = Map.groupBy(current, getSpotKey);
    const take = (rule: JsonObject): JsonObject | undefined => {
      const [wanted] = toHeldRules([rule]);
      const candidates = wanted === undefined ? [] : (left.get(getSpotKey(wanted)) ?? []);
      const at = wanted === undefined ? -1 : candidates.findIndex((one) => fulfills(one, wanted));
      return at === -1 ? undefined : candidates.splice(at, 1)[0]?.rule;
    };
    const byId = new Map(current.map((one) => [one.id, one.rule]));
    return new Map(
      [...done].map((index): readonly [number, JsonValue | undefined] => {
        const write = this.#writes[index];
        const { body = null, params = {} } = write ?? {};
        const action = write && getRuleAction(write);
        if (action === 'create') {
          return [index, getObjects(body).map((rule): JsonValue => take(rule) ?? null)];
        }
        if (action !== 'update') {
          return [index, undefined];
        }
        // If a default rule became one for users or groups, or the reverse, it has another ID.
        const [rule] = getObjects([body]);
        return [index, byId.get(params['ruleId'] ?? '') ?? (rule === undefined ? undefined : take(rule))];
      }),
    );
  }

  #count(write: number | undefined): void {
    if (write !== undefined) {
      const done = (this.#progress.get(write) ?? 0) + 1;
      this.#progress.set(write, done);
      this.#deps.onProgress?.({ write, done });
    }
  }

  #rules(): PlatformRules {
    const { isFresh } = this.#deps;
    return new PlatformRules(this.#group.subject, {
      ...this.#deps,
      ...this.#size(),
      known: isFresh ? this.#previous : undefined,
    });
  }

  #size(): { readonly isBulk: boolean; readonly maxBytes: number } {
    const batches = this.#group.writes.flatMap((index) => this.#writes[index]?.batch ?? []);
    return {
      isBulk: batches.length > 0,
      maxBytes: batches.find(({ maxBytes }) => maxBytes)?.maxBytes ?? defaultBatchBytes,
    };
  }
}
