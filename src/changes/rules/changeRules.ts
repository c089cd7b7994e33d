import type { JsonObject } from '../../base/json.ts';
import { type ParsedRuleDocument, parseRuleDocuments, getScopeKey } from './parsedRuleDocument.ts';
import { type RuleProgress, RulesDifferError } from './ruleItems.ts';
import { getNextPhase, type RuleEndpointBehavior } from './rulePhase.ts';
import type { RuleRequest } from './ruleRequest.ts';
import type { RequestFailure, RequestProgressObserver, RuleServer } from './ruleServer.ts';
import { RuleChangeRefusedError, type RuleTarget, type WantedRule } from './ruleTarget.ts';

/** Options of a rule change. */
export interface ChangeOptions {
  readonly behavior: RuleEndpointBehavior;
  /** Called when more is known about the behavior of the server. */
  readonly onNewBehavior?: ((behavior: RuleEndpointBehavior) => void) | undefined;
  /** Scopes for which earlier attempts created, or may have created, temporary deny rules: see {@link getScopeKey}. */
  readonly denyScopes?: readonly string[] | undefined;
  /** IDs of rules that the server reported to earlier attempts as created. */
  readonly createdIds?: readonly string[] | undefined;
  /** Called with the IDs of created rules, to record them. */
  readonly onRulesCreated?: ((ids: readonly string[]) => Promise<void>) | undefined;
  /** Called with the scopes for which temporary deny rules are about to be created, to record them first. */
  readonly onBeforeDenyRules?: ((denyScopes: readonly string[]) => Promise<void>) | undefined;
  readonly classifyFailure: (error: unknown) => RequestFailure;
  /**
   * Waits for a busy server, or until the signal is aborted; throws the error if that would take too long. Without it,
   * the change stops.
   */
  readonly waitForServer?: ((error: unknown) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when a request was answered. */
  readonly onProgress?: ((request: RuleRequest) => void) | undefined;
}

/** The result of a rule change. */
export interface ChangedRules {
  /** The rules of the changed columns, as read back from the server. */
  readonly rules: readonly ParsedRuleDocument[];
  /** Another user has meanwhile changed other rules of these columns. */
  readonly hasConcurrentChanges: boolean;
}

/** More rounds than any change needs; prevents an endless loop if the server's rules keep changing. */
const maxRounds = 24;

/**
 * Changes rules to the target, and completes only when the rules read back match it. Each phase is computed from the
 * server's current rules (see {@link getNextPhase}), so the same call resumes what a killed process has begun, and a
 * call with the earlier rules as the target restores them.
 * @throws RuleChangeRefusedError, RulesChangedError, RulesDifferError, and the errors of the server's methods
 */
export async function changeRules(
  server: RuleServer,
  target: RuleTarget,
  options: ChangeOptions,
): Promise<ChangedRules> {
  return new RuleChangeRun(server, target, options).run();
}

/**
 * Checks, before anything is sent, that a change has a safe order, as far as the current rules show.
 * @throws RuleChangeRefusedError, RulesChangedError
 */
export function checkRuleChange(
  current: readonly JsonObject[],
  target: RuleTarget,
  behavior: RuleEndpointBehavior,
): void {
  const rules = parseRuleDocuments(current);
  const inferredBehavior = inferBehavior(behavior, rules);
  checkSameParties(target, inferredBehavior);
  getNextPhase(rules, target, { denyScopes: new Set(), sentRules: new Set() }, inferredBehavior);
}

/**
 * Infers the behavior of a server from rules: one with two rules for exactly the same parties on one column never
 * overwrites rules.
 */
function inferBehavior(
  behavior: RuleEndpointBehavior,
  rules: readonly ParsedRuleDocument[],
): RuleEndpointBehavior {
  // A rule without readable parties is no evidence.
  const rulesWithParties = rules.filter(({ parties }) => parties.length > 0);
  const scopes = new Set(rulesWithParties.map(getScopeKey));
  return behavior.alwaysAdds || scopes.size === rulesWithParties.length
    ? behavior
    : { ...behavior, alwaysAdds: true };
}

/** @throws RuleChangeRefusedError if a rule would have to be added in addition to one for exactly the same parties */
function checkSameParties(target: RuleTarget, { alwaysAdds }: RuleEndpointBehavior): void {
  if (alwaysAdds) {
    return;
  }
  const byScope = Map.groupBy(target.wantedRules, ({ parsed }) => getScopeKey(parsed));
  for (const wantedInScope of byScope.values()) {
    const added = wantedInScope.find(
      ({ isEdited, previous, parsed }) =>
        isEdited &&
        (target.kind === 'live' || previous === undefined || getScopeKey(previous) !== getScopeKey(parsed)),
    );
    if (wantedInScope.length > 1 && added !== undefined) {
      throw new RuleChangeRefusedError('same-parties', added.parsed.document);
    }
  }
}

/** One run of a rule change. */
class RuleChangeRun {
  readonly #server: RuleServer;
  readonly #target: RuleTarget;
  readonly #options: ChangeOptions;
  /** Scopes of temporary deny rules. */
  readonly #denyScopes: Set<string>;
  /** Wanted rules that were sent and answered. */
  readonly #sentRules = new Set<WantedRule>();
  /** The IDs of temporary deny rules, by scope. */
  readonly #denyRuleIds = new Map<string, ReadonlySet<string>>();
  /** Keys of answered requests: see {@link getRequestKey}. */
  readonly #answeredRequests = new Set<string>();
  /** Keys of the requests that have added a rule, by its scope. */
  readonly #addRequestsByScope = new Map<string, string[]>();
  readonly #createdIds: Set<string>;
  /** Scopes for which permanent rules were added. */
  readonly #addedScopes = new Set<string>();
  /** Scopes of temporary deny rules whose IDs are unknown: from earlier attempts, or because a response was lost. */
  readonly #scopesWithoutIds: Set<string>;
  #behavior: RuleEndpointBehavior;
  #hasConcurrentChanges = false;
  /** The number of phases that a busy server has ended. */
  #busyCount = 0;

  constructor(server: RuleServer, target: RuleTarget, options: ChangeOptions) {
    this.#server = server;
    this.#target = target;
    this.#options = options;
    this.#behavior = options.behavior;
    this.#denyScopes = new Set(options.denyScopes);
    this.#scopesWithoutIds = new Set(options.denyScopes);
    this.#createdIds = new Set(options.createdIds);
  }

  async run(): Promise<ChangedRules> {
    let current = await this.#readRules();
    checkSameParties(this.#target, this.#behavior);
    for (let round = 0; round - this.#busyCount < maxRounds; round += 1) {
      const { requests, hasConcurrentChanges } = getNextPhase(
        current,
        this.#target,
        this.#progress,
        this.#behavior,
      );
      this.#hasConcurrentChanges ||= hasConcurrentChanges;
      if (requests.some((request) => this.#answeredRequests.has(getRequestKey(request)))) {
        // The request succeeded, but the rules don't show it: sending it again would not help.
        throw new RulesDifferError();
      }
      if (requests.length === 0) {
        return { rules: current, hasConcurrentChanges: this.#hasConcurrentChanges };
      }
      this.#options.signal?.throwIfAborted();
      current = await this.#sendAll(requests);
    }
    throw new RulesDifferError();
  }

  get #progress(): RuleProgress {
    return {
      denyScopes: this.#denyScopes,
      sentRules: this.#sentRules,
      denyRuleIds: this.#denyRuleIds,
      createdIds: this.#createdIds,
      addedScopes: this.#addedScopes,
    };
  }

  /** Reads the rules of the target's columns, and infers the behavior of the server from all rules. */
  async #readRules(): Promise<readonly ParsedRuleDocument[]> {
    const allRules = parseRuleDocuments(await this.#server.list());
    this.#behavior = inferBehavior(this.#behavior, allRules);
    return allRules.filter(({ columnKey }) => this.#target.columnKeys.has(columnKey));
  }

  /**
   * Sends the requests of a phase.
   * @returns the current rules afterwards
   */
  async #sendAll(requests: readonly RuleRequest[]): Promise<readonly ParsedRuleDocument[]> {
    await this.#recordDenyScopes(requests);
    const unanswered = new Set<RuleRequest>();
    try {
      await this.#sendCreations(
        requests.filter((request) => request.kind === 'create'),
        unanswered,
      );
      const updates = requests.filter((request) => request.kind === 'update');
      await this.#send(updates, unanswered, (observer) =>
        this.#server.update(
          updates.map(({ id, rule }) => ({ id, rule })),
          observer,
        ),
      );
      const deletions = requests.filter((request) => request.kind === 'delete');
      const isForDefault = ({ rule }: (typeof deletions)[number]): boolean =>
        rule.parties.some(({ type }) => type === 'default');
      // A live default rule can't be deleted before the others (error code 30006).
      for (const part of [
        deletions.filter((request) => !isForDefault(request)),
        deletions.filter(isForDefault),
      ]) {
        await this.#send(part, unanswered, (observer) =>
          this.#server.delete(
            part.map(({ id }) => id),
            observer,
          ),
        );
      }
    } catch (error) {
      return this.#handleFailure(unanswered, error);
    }
    return this.#readRules();
  }

  /** Records the scopes of new temporary deny rules before they are created. */
  async #recordDenyScopes(requests: readonly RuleRequest[]): Promise<void> {
    const denyScopes = requests.flatMap(({ denyScope }) => (denyScope === undefined ? [] : [denyScope]));
    const newScopes = denyScopes.filter((scope) => !this.#denyScopes.has(scope));
    if (newScopes.length > 0) {
      await this.#options.onBeforeDenyRules?.(newScopes);
      newScopes.forEach((scope) => this.#denyScopes.add(scope));
    }
  }

  #sendCreations(
    requests: readonly Extract<RuleRequest, { kind: 'create' }>[],
    unanswered: Set<RuleRequest>,
  ): Promise<void> {
    return this.#send(requests, unanswered, async (observer) => {
      const ids = await this.#server.create(
        requests.map(({ rule }) => rule),
        observer,
      );
      await this.#recordCreatedRules(requests, ids ?? []);
    });
  }

  /**
   * Sends requests of one kind, which the server may carry out concurrently.
   * @param unanswered collects the requests that were sent and not answered
   */
  async #send(
    requests: readonly RuleRequest[],
    unanswered: Set<RuleRequest>,
    send: (observer: RequestProgressObserver) => Promise<void>,
  ): Promise<void> {
    if (requests.length > 0) {
      await send({
        onSent: (index) => requests.slice(index, index + 1).forEach((request) => unanswered.add(request)),
        onAnswered: (index) =>
          requests.slice(index, index + 1).forEach((request) => this.#handleResponse(request, unanswered)),
      });
    }
  }

  /** Records the IDs of rules that the operation has created. */
  async #recordCreatedRules(requests: readonly RuleRequest[], ids: readonly string[]): Promise<void> {
    const createdIds = ids.filter((id) => id !== '' && !this.#target.previousById.has(id));
    createdIds.forEach((id) => this.#createdIds.add(id));
    if (createdIds.length > 0) {
      await this.#options.onRulesCreated?.(createdIds);
    }
    // Any of the rules may have any of the IDs: their order in the response is not described.
    const returnedIds = new Set(ids);
    for (const { denyScope } of requests) {
      if (denyScope !== undefined && returnedIds.size > 0 && !this.#scopesWithoutIds.has(denyScope)) {
        this.#denyRuleIds.set(
          denyScope,
          returnedIds.union(this.#denyRuleIds.get(denyScope) ?? new Set<string>()),
        );
      }
    }
  }

  /** Updates the progress after a request was answered. */
  #handleResponse(request: RuleRequest, unanswered: Set<RuleRequest>): void {
    unanswered.delete(request);
    const scope =
      request.kind === 'create' ? parseRuleDocuments([request.rule]).map(getScopeKey)[0] : undefined;
    if (scope !== undefined) {
      const addRequests = this.#addRequestsByScope.get(scope) ?? [];
      if (request.denyScope !== undefined) {
        // After a temporary deny rule, a rule that was added in this scope before may be added again.
        addRequests.splice(0).forEach((key) => this.#answeredRequests.delete(key));
      }
      this.#addRequestsByScope.set(scope, [...addRequests, getRequestKey(request)]);
    }
    this.#answeredRequests.add(getRequestKey(request));
    if (request.kind === 'create' && request.wanted !== undefined) {
      this.#addedScopes.add(getScopeKey(request.wanted.parsed));
    }
    if (request.kind === 'delete' && !this.#behavior.canDeleteSingleRules) {
      this.#updateBehavior({ ...this.#behavior, canDeleteSingleRules: true });
    }
    if (request.wanted !== undefined) {
      this.#sentRules.add(request.wanted);
    }
    this.#options.onProgress?.(request);
  }

  /**
   * Handles a failed request.
   * @returns the current rules, if the operation can continue
   * @throws the error, if it can't
   */
  async #handleFailure(
    unanswered: ReadonlySet<RuleRequest>,
    error: unknown,
  ): Promise<readonly ParsedRuleDocument[]> {
    for (const { denyScope } of unanswered) {
      if (denyScope !== undefined) {
        this.#scopesWithoutIds.add(denyScope);
        this.#denyRuleIds.delete(denyScope);
      }
    }
    switch (this.#options.classifyFailure(error)) {
      case 'second-rule-refused': {
        if (this.#behavior.rejectsSecondRule) {
          throw error;
        }
        this.#updateBehavior({ ...this.#behavior, rejectsSecondRule: true });
        return this.#readRules();
      }
      case 'unanswered': {
        const current = await this.#readRules();
        if (this.#wouldSendAgain(unanswered, current)) {
          throw error;
        }
        return current;
      }
      case 'busy': {
        const { waitForServer, signal } = this.#options;
        if (waitForServer === undefined) {
          throw error;
        }
        this.#busyCount += 1;
        await waitForServer(error);
        signal?.throwIfAborted();
        // The rules show whether the request took effect nevertheless: the next phase doesn't contain it then.
        return this.#readRules();
      }
      case 'other':
        throw error;
    }
  }

  #updateBehavior(behavior: RuleEndpointBehavior): void {
    this.#behavior = behavior;
    // `alwaysAdds` is inferred from the rules each time, so it is not remembered.
    this.#options.onNewBehavior?.({ ...behavior, alwaysAdds: this.#options.behavior.alwaysAdds });
  }

  /**
   * Returns whether a request whose response was lost would be sent again. That never happens automatically, so that
   * nothing is written twice.
   */
  #wouldSendAgain(unanswered: ReadonlySet<RuleRequest>, current: readonly ParsedRuleDocument[]): boolean {
    const nextRequests = getNextPhase(current, this.#target, this.#progress, this.#behavior).requests;
    const keys = new Set(nextRequests.map(getRequestKey));
    return [...unanswered].some((request) => keys.has(getRequestKey(request)));
  }
}

/** Returns a key of a request's kind and content. */
function getRequestKey(request: RuleRequest): string {
  switch (request.kind) {
    case 'create':
      return JSON.stringify([request.kind, request.rule]);
    case 'update':
      return JSON.stringify([request.kind, request.id, request.rule]);
    case 'delete':
      return JSON.stringify([request.kind, request.id]);
  }
}
