import { ApiError } from '../../client/errors.ts';
import { isUnresolved } from '../journal/entry.ts';
import { isOutdated } from './checkRightBefore.ts';
import type { RuleWriteGroup } from '../rules/ruleWriteGroup.ts';
import type { ExecutionDeps } from './executionInput.ts';
import type { RequiredRuleCheck } from './requiredRuleCheck.ts';
import type { ResultRecorder } from './resultRecorder.ts';
import type { RuleExecution, RuleOutcome } from './ruleExecution.ts';
import { BatchInDoubtError, MissingRulesError } from './writeErrors.ts';

interface GroupedRuleWritesDeps extends ExecutionDeps {
  readonly recorder: ResultRecorder;
  readonly ruleCheck: RequiredRuleCheck;
  /**
   * Called with a failure before it is recorded, since recording may fail, too; with `undefined` if all writes are done
   * nevertheless.
   */
  readonly onFailure: (failure: unknown) => void;
}

/**
 * Sends the writes of rules of one operation, which are grouped by datamodel or cube set, and records their results.
 */
export class GroupedRuleWrites {
  readonly #deps: GroupedRuleWritesDeps;
  readonly #recorder: ResultRecorder;

  constructor(deps: GroupedRuleWritesDeps) {
    this.#deps = deps;
    this.#recorder = deps.recorder;
  }

  /**
   * Changes rules, in an order that is computed from the server's current rules.
   * @returns the reason why the operation can't continue; `undefined` on success
   */
  async change(group: RuleWriteGroup): Promise<unknown> {
    const { clock, options } = this.#deps;
    const startedAt = clock.now();
    const remainingIndices = group.writeIndices.filter((index) => this.#recorder.getState(index) !== 'done');
    const execution = this.#createExecution(group);
    try {
      options.signal?.throwIfAborted();
      await this.#deps.ruleCheck.run(group.writeIndices[0] ?? 0);
      for (const index of remainingIndices) {
        if (this.#recorder.getState(index) !== 'waiting') {
          options.onResponseLost?.(index);
        }
        await this.#recorder.recordSending(index);
      }
      await this.#recordOutcome(await execution.run(), startedAt);
      return undefined;
    } catch (error) {
      if (error instanceof MissingRulesError) {
        // The change isn't done until the missing rules are restored, even if all other rules are already as wanted.
        this.#deps.onFailure(error);
        const failure = { outcome: execution.unreadOutcome, isUnknown: false, startedAt, error };
        await this.#recorder.recordRemaining(remainingIndices, failure);
        return error;
      }
      // A server may carry out a request that it reports as failed: the current rules decide.
      return (await this.#recordFailure(execution, remainingIndices, startedAt, error)) ? undefined : error;
    }
  }

  /** Records how far an interrupted rule change got. */
  async recordProgress({ writeIndices, ...group }: RuleWriteGroup): Promise<void> {
    const remainingIndices = writeIndices.filter((index) => isUnresolved(this.#recorder.getState(index)));
    if (remainingIndices.length > 0) {
      const startedAt = this.#deps.clock.now();
      const outcome = await this.#createExecution({ ...group, writeIndices }).readOutcome();
      await this.#recordOutcome(outcome, startedAt);
      await this.#recorder.recordRemaining(outcome.remainingIndices, {
        outcome,
        isUnknown: true,
        startedAt,
      });
    }
  }

  #createExecution(group: RuleWriteGroup): RuleExecution {
    const { session, entry, options, states, denyScopes = [], createdIds = [], ruleBehavior } = this.#deps;
    const { readAt, clock } = this.#deps;
    const { RuleExecution } = this.#deps.modules;
    if (RuleExecution === undefined) {
      throw new Error('The code that changes rules was not loaded');
    }
    return new RuleExecution(group, {
      ...this.#deps,
      ...options,
      client: session.client,
      behavior: ruleBehavior.get(),
      onNewBehavior: (behavior) => ruleBehavior.set(behavior),
      // After other writes, or after a while, the rules that were read before the operation may be outdated.
      isFirstAttempt: () => states === undefined && group.writeIndices[0] === 0 && !isOutdated(readAt, clock),
      denyScopes,
      onBeforeDenyRules: (scopes) => entry.recordDenyScopes(scopes),
      createdIds,
      checkRules: () => this.#deps.ruleCheck.run(group.writeIndices[0] ?? 0),
      onRulesCreated: (ids) => entry.recordCreatedRules(ids),
    });
  }

  async #recordOutcome({ responses, hasConcurrentChanges }: RuleOutcome, startedAt: number): Promise<void> {
    const ms = this.#deps.clock.now() - startedAt;
    const last = [...responses.keys()].at(-1);
    await Promise.all(
      Array.from(responses, async ([index, response]) => {
        const write = this.#deps.operation.writes[index];
        // Changes by others concern the whole rule change, so they are recorded once, with its last write.
        const details = { ms, response, hasConcurrentChanges: hasConcurrentChanges && index === last };
        await (write && this.#recorder.recordDone(index, write, details));
      }),
    );
  }

  /**
   * Records how far a failed rule change got, according to the server's current rules.
   * @returns whether all of its writes are done nevertheless
   */
  async #recordFailure(
    execution: RuleExecution,
    remainingIndices: readonly number[],
    startedAt: number,
    error: unknown,
  ): Promise<boolean> {
    const { log } = this.#deps;
    let outcome: RuleOutcome | undefined;
    try {
      outcome = await execution.readOutcome();
    } catch (readError) {
      log.warn('writes', 'Reading the rules after a failure failed', { reason: String(readError) });
      if (!(readError instanceof ApiError)) {
        throw readError;
      }
    }
    const isUnknown = outcome === undefined || error instanceof BatchInDoubtError;
    const failure = { outcome: outcome ?? execution.unreadOutcome, isUnknown, startedAt, error };
    const indices = outcome?.remainingIndices ?? remainingIndices;
    this.#deps.onFailure(indices.length === 0 ? undefined : error);
    // Begun together: the report contains the state of each write, even if one can't be recorded.
    await Promise.all([
      outcome && this.#recordOutcome(outcome, startedAt),
      this.#recorder.recordRemaining(indices, failure),
    ]);
    return outcome !== undefined && outcome.remainingIndices.length === 0;
  }
}
