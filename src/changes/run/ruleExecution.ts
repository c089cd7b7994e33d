import type { JsonObject, JsonValue } from '../../base/json.ts';
import { jsonEquals } from '../../base/canonicalJson.ts';
import type { Clock } from '../../base/clock.ts';
import { changeRules } from '../rules/changeRules.ts';
import {
  deniesAll,
  type ParsedRuleDocument,
  parseRuleDocuments,
  getUpdatedRuleScopeKey,
  fulfills,
  getScopeKey,
} from '../rules/parsedRuleDocument.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import { getRuleContentKey } from '../rules/ruleContent.ts';
import { getRemainingItems, RulesChangedError } from '../rules/ruleItems.ts';
import type { RuleEndpointBehavior } from '../rules/rulePhase.ts';
import {
  RuleChangeRefusedError,
  type RuleTarget,
  createRuleTarget,
  type WantedRule,
} from '../rules/ruleTarget.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { createConflictError } from './conflicts.ts';
import type { Operation, Write } from '../model/operation.ts';
import type { ConflictError } from './writeErrors.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { classifyRequestFailure, PlatformRules } from './platformRules.ts';
import { getObjects } from '../model/jsonMembers.ts';
import { getRuleEdits, collectRules } from '../rules/ruleEdits.ts';
import type { RuleWriteGroup } from '../rules/ruleWriteGroup.ts';
import type { WriteState } from '../journal/entry.ts';
import type { RunningEntry } from '../journal/runningEntry.ts';
import { BusyServerWaits, toReportedError } from './busyServer.ts';
import { getDeniedScopes, isRequestInDoubt, type SentRequest } from '../model/sentRequest.ts';
import { waitsForBusyServer } from './rateLimit.ts';
import type { RunOptions } from './runOptions.ts';
import type { WaitListener } from './writeRetryPolicy.ts';
import { defaultBatchBytes } from '../rules/ruleWrites.ts';

export interface RuleExecutionDeps {
  readonly operation: Operation;
  readonly client: PlatformClient;
  readonly clock: Clock;
  readonly behavior: RuleEndpointBehavior;
  readonly onNewBehavior: (behavior: RuleEndpointBehavior) => void;
  /** The documents from before the operation. */
  readonly before: readonly ReadDocument[];
  /** Nothing was sent yet, so the rules read before the operation are the current ones. */
  readonly isFirstAttempt: () => boolean;
  /** Scopes for which earlier attempts may have created temporary deny rules. */
  readonly denyScopes: readonly string[];
  readonly onBeforeDenyRules: (scopes: readonly string[]) => Promise<void>;
  /** IDs of rules that the server reported to earlier attempts as created. */
  readonly createdIds: readonly string[];
  /** The states of the writes before this attempt; absent if it's the first. */
  readonly states?: readonly WriteState[] | undefined;
  readonly onRulesCreated: (ids: readonly string[]) => Promise<void>;
  /** Records the requests. */
  readonly entry: Pick<RunningEntry, 'requests' | 'recordRequest'>;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: RunOptions['onProgress'];
  readonly onWait?: WaitListener | undefined;
  readonly verifyDelayMs?: number | undefined;
  /** Checks that the rules of other columns that the change relies on are in force. */
  readonly checkRules: () => Promise<void>;
}

/** The result of a rule change. */
export interface RuleOutcome {
  /** For each completed write, by index: its requested rules, as currently stored on the server. */
  readonly responses: ReadonlyMap<number, JsonValue | undefined>;
  /** Indices of the writes that are not done. */
  readonly remainingIndices: readonly number[];
  /**
   * Set if temporary deny rules are in force, so that the parties of the rules see nothing. `only`: everything else is
   * done; `open`: other changes remain.
   */
  readonly denyState?: 'open' | 'only' | undefined;
  /** Rules were changed, by this attempt or an earlier one. */
  readonly hasChanged: boolean;
  /** Another user has meanwhile changed other rules of the same columns. */
  readonly hasConcurrentChanges?: boolean | undefined;
}

/** Runs the writes of one group as one rule change. */
export class RuleExecution {
  readonly #group: RuleWriteGroup;
  readonly #writes: readonly Write[];
  readonly #deps: RuleExecutionDeps;
  readonly #target: RuleTarget;
  /** The rules that the writes create or update. */
  readonly #requestedRules: readonly JsonObject[];
  readonly #previousRules: readonly JsonObject[];
  readonly #denyScopes: Set<string>;
  readonly #createdIds: Set<string>;
  readonly #progress = new Map<number, number>();
  /** The number of rules to change, by the index of the write. */
  readonly #totals: ReadonlyMap<number, number>;
  /** Wanted rules that were sent and answered. */
  readonly #sentRules = new Set<WantedRule>();
  readonly #waits: BusyServerWaits;

  constructor(group: RuleWriteGroup, deps: RuleExecutionDeps) {
    const { writes } = deps.operation;
    this.#group = group;
    this.#writes = writes;
    this.#deps = deps;
    this.#waits = new BusyServerWaits(deps);
    this.#previousRules = collectRules(deps.before, group.subject);
    const { edits, denyScopes } = getRuleEdits(group, writes, this.#previousRules);
    this.#requestedRules = edits.map(({ after }) => after).filter((rule) => rule !== undefined);
    this.#target = createRuleTarget(group.subject.kind, this.#previousRules, edits);
    this.#totals = countRules(this.#target);
    this.#denyScopes = new Set([...deps.denyScopes, ...denyScopes]);
    this.#createdIds = new Set(deps.createdIds);
  }

  /**
   * Changes the rules.
   * @throws the error that prevented the wanted state; {@link readOutcome} then returns how far the change got
   */
  async run(): Promise<RuleOutcome> {
    try {
      return await this.#run();
    } catch (error) {
      throw this.#toReportedError(error);
    }
  }

  #toReportedError(error: unknown): unknown {
    if (error instanceof RuleChangeRefusedError && this.#hasAnsweredRequests) {
      return new RuleChangeRefusedError(error.code, error.rule, true);
    }
    return error instanceof RulesChangedError
      ? this.#createRuleConflict(error)
      : toReportedError(error, this.#deps.signal);
  }

  #createRuleConflict({ rule }: RulesChangedError): ConflictError {
    const ruleId = typeof rule['_id'] === 'string' ? rule['_id'] : '';
    return createConflictError({
      ref: { kind: 'rule', subject: this.#group.subject, ruleId },
      document: rule,
    });
  }

  async #run(): Promise<RuleOutcome> {
    const { behavior, onNewBehavior, onBeforeDenyRules, onRulesCreated, signal } = this.#deps;
    const server = this.#createServer();
    // Checked first, so that an invalid rule doesn't stop the change halfway.
    server.check(this.#requestedRules);
    const { rules, hasConcurrentChanges } = await changeRules(server, this.#target, {
      behavior,
      onNewBehavior,
      denyScopes: [...this.#denyScopes],
      createdIds: [...this.#createdIds],
      onRulesCreated: async (ids) => {
        ids.forEach((id) => this.#createdIds.add(id));
        await onRulesCreated(ids);
      },
      onBeforeDenyRules: async (scopes) => {
        await onBeforeDenyRules(scopes);
        scopes.forEach((scope) => this.#denyScopes.add(scope));
      },
      classifyFailure: classifyRequestFailure,
      waitForServer: async (error) => {
        if (!this.#mayWait) {
          throw error;
        }
        await this.#waits.wait(error);
        await this.#deps.checkRules();
      },
      signal,
      onProgress: ({ wanted, ...request }) => {
        this.#waits.reset();
        if (wanted !== undefined) {
          this.#sentRules.add(wanted);
        }
        const id = request.kind === 'delete' ? request.id : '';
        this.#reportProgress(wanted?.writeIndex ?? this.#target.deletingWriteIndices.get(id));
      },
    });
    return {
      responses: this.#getResponses(rules, new Set(this.#group.writeIndices)),
      remainingIndices: [],
      hasChanged: true,
      hasConcurrentChanges,
    };
  }

  /**
   * Returns how far a failed change got, according to the server's current rules.
   * @throws ApiError
   */
  async readOutcome(): Promise<RuleOutcome> {
    const { client } = this.#deps;
    const rules = new PlatformRules(this.#group.subject, {
      ...this.#deps,
      client,
      repeatWhileBusy: (read) => this.#repeatWhileBusy(read),
      ...this.#getBatchOptions(),
    });
    const current = parseRuleDocuments(await rules.list());
    const remainingIndices = this.#getRemainingIndices(current);
    const remainingDenyRules = current.filter(
      (rule) => this.#target.columnKeys.has(rule.columnKey) && this.#isTemporary(rule),
    );
    const done = new Set(this.#group.writeIndices.filter((index) => !remainingIndices.has(index)));
    const areAllWritesDone = remainingIndices.size === 0;
    const isWanted = (rule: ParsedRuleDocument): boolean =>
      this.#target.wantedRules.some(({ parsed }) => fulfills(rule, parsed));
    const denyState = remainingDenyRules.some((rule) => !isWanted(rule))
      ? areAllWritesDone
        ? 'only'
        : 'open'
      : undefined;
    return {
      responses: this.#getResponses(current, done),
      // If only deny rules are left to delete, the last write is not done.
      remainingIndices:
        areAllWritesDone && denyState !== undefined
          ? this.#group.writeIndices.slice(-1)
          : [...remainingIndices],
      denyState,
      hasChanged:
        this.#hasAnsweredRequests || (this.#requests.some(isRequestInDoubt) && !this.#isAsBefore(current)),
    };
  }

  /**
   * What is known about a failed change whose outcome can't be read: temporary deny rules whose deletion was not
   * confirmed may be in force.
   */
  get unreadOutcome(): Pick<RuleOutcome, 'denyState' | 'hasChanged'> {
    const mayDeny = this.#denyScopes.size > 0 && getDeniedScopes(this.#requests).length > 0;
    return { hasChanged: this.#hasAnsweredRequests, ...(mayDeny ? { denyState: 'open' } : {}) };
  }

  /** The requests of the rule change, with those of earlier attempts: a killed process has recorded no other result. */
  get #requests(): readonly SentRequest[] {
    return this.#deps.entry.requests.filter(({ writeIndex }) =>
      this.#group.writeIndices.includes(writeIndex),
    );
  }

  get #hasAnsweredRequests(): boolean {
    return this.#requests.some(({ result }) => result?.state === 'done');
  }

  /** Temporary deny rules may be in force: then waiting is better than stopping. */
  get #mayWait(): boolean {
    return (
      waitsForBusyServer(this.#deps.operation, this.#deps) ||
      this.#hasAnsweredRequests ||
      this.#denyScopes.size > 0
    );
  }

  #repeatWhileBusy<Result>(read: () => Promise<Result>): Promise<Result> {
    return this.#mayWait ? this.#waits.readWhenFree(read) : read();
  }

  /** Returns whether the columns have the same rules as before the operation. */
  #isAsBefore(current: readonly ParsedRuleDocument[]): boolean {
    const getKeys = (rules: readonly ParsedRuleDocument[]): readonly string[] =>
      rules
        .filter(({ columnKey }) => this.#target.columnKeys.has(columnKey))
        .map(({ id, document }) => `${id} ${getRuleContentKey(document)}`)
        .sort();
    return jsonEquals(getKeys(parseRuleDocuments(this.#previousRules)), getKeys(current));
  }

  #isTemporary(rule: ParsedRuleDocument): boolean {
    return (
      deniesAll(rule) &&
      [getScopeKey(rule), getUpdatedRuleScopeKey(rule)].some((scope) => this.#denyScopes.has(scope))
    );
  }

  /** Returns the indices of the writes that are not done, according to the current rules. */
  #getRemainingIndices(current: readonly ParsedRuleDocument[]): ReadonlySet<number> {
    try {
      const progress = {
        denyScopes: this.#denyScopes,
        sentRules: this.#sentRules,
        createdIds: this.#createdIds,
      };
      const { items } = getRemainingItems(current, this.#target, progress);
      const remainingIndices = items.flatMap(({ before, after }) =>
        [
          after?.writeIndex,
          this.#target.deletingWriteIndices.get(before?.id ?? ''),
          this.#target.deletingWriteIndices.get(after?.previous?.id ?? ''),
        ].filter((write) => write !== undefined),
      );
      // Remaining items that belong to no write count for the last one, except temporary deny rules: see `readOutcome`.
      const hasOtherItems = items.some(({ before }) => before === undefined || !this.#isTemporary(before));
      return new Set(
        remainingIndices.length === 0 && hasOtherItems
          ? this.#group.writeIndices.slice(-1)
          : remainingIndices,
      );
    } catch {
      // Another user has changed the rules, so the remaining work is unknown. What was done before stays done.
      return new Set(
        this.#group.writeIndices.filter((index) => this.#deps.states?.[index]?.state !== 'done'),
      );
    }
  }

  /** Returns the requested rules of completed writes, as currently stored on the server. */
  #getResponses(
    current: readonly ParsedRuleDocument[],
    done: ReadonlySet<number>,
  ): ReadonlyMap<number, JsonValue | undefined> {
    const remaining = Map.groupBy(current, getScopeKey);
    const takeStoredRule = (rule: JsonObject): JsonObject | undefined => {
      const [wanted] = parseRuleDocuments([rule]);
      const candidates = wanted === undefined ? [] : (remaining.get(getScopeKey(wanted)) ?? []);
      const index =
        wanted === undefined ? -1 : candidates.findIndex((candidate) => fulfills(candidate, wanted));
      return index === -1 ? undefined : candidates.splice(index, 1)[0]?.document;
    };
    const byId = new Map(current.map((rule) => [rule.id, rule.document]));
    return new Map(
      [...done].map((index): readonly [number, JsonValue | undefined] => {
        const write = this.#writes[index];
        const { body = null, params = {} } = write ?? {};
        const action = write && getRuleAction(write);
        if (action === 'create') {
          return [index, getObjects(body).map((rule): JsonValue => takeStoredRule(rule) ?? null)];
        }
        if (action !== 'update') {
          return [index, undefined];
        }
        // If a default rule became one for users or groups, or the reverse, it has another ID.
        const [rule] = getObjects([body]);
        return [
          index,
          byId.get(params['ruleId'] ?? '') ?? (rule === undefined ? undefined : takeStoredRule(rule)),
        ];
      }),
    );
  }

  #reportProgress(writeIndex: number | undefined): void {
    if (writeIndex !== undefined) {
      const done = (this.#progress.get(writeIndex) ?? 0) + 1;
      this.#progress.set(writeIndex, done);
      this.#deps.onProgress?.({ writeIndex, done, totals: this.#totals });
    }
  }

  #createServer(): PlatformRules {
    const { isFirstAttempt, entry } = this.#deps;
    const [writeIndex = 0] = this.#group.writeIndices;
    return new PlatformRules(this.#group.subject, {
      ...this.#deps,
      repeatWhileBusy: (read) => this.#repeatWhileBusy(read),
      ...this.#getBatchOptions(),
      initialRules: isFirstAttempt() ? this.#previousRules : undefined,
      recordRequest: (request) => entry.recordRequest({ writeIndex, ...request }),
    });
  }

  #getBatchOptions(): { readonly isBulk: boolean; readonly maxBytes: number } {
    const batches = this.#group.writeIndices.flatMap((index) => this.#writes[index]?.batch ?? []);
    return {
      isBulk: batches.length > 0,
      maxBytes: batches.find(({ maxBytes }) => maxBytes)?.maxBytes ?? defaultBatchBytes,
    };
  }
}

/**
 * Counts the rules to change by the indices of their writes; a rule that another one replaces in place is counted once.
 */
function countRules({ kind, wantedRules, deletingWriteIndices }: RuleTarget): ReadonlyMap<number, number> {
  const editedRules = wantedRules.filter(({ isEdited }) => isEdited);
  const replacedIds = new Set(
    kind === 'extract' ? editedRules.flatMap(({ previous }) => previous?.id ?? []) : [],
  );
  const counts = new Map<number, number>();
  const count = (writeIndex: number, number: number) =>
    counts.set(writeIndex, (counts.get(writeIndex) ?? 0) + number);
  editedRules.forEach(({ writeIndex }) => writeIndex !== undefined && count(writeIndex, 1));
  // Writes whose rules are all replaced get the total 0, so that `trackProgress` drops its estimate for them.
  deletingWriteIndices.forEach((writeIndex, id) => count(writeIndex, replacedIds.has(id) ? 0 : 1));
  return counts;
}
