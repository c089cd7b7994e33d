import type { JsonObject } from '../../base/json.ts';
import { type HeldRule, toHeldRules, getSpotKey } from './heldRule.ts';
import { type RuleProgress, RulesDifferError } from './ruleItems.ts';
import { getNextPhase, type RuleServerFacts } from './rulePhase.ts';
import type { RuleRequest } from './ruleRequest.ts';
import { RuleChangeRefusedError, type RuleTarget, type WantedRule } from './ruleTarget.ts';

/**
 * Is notified of each sent and answered request, by its index in a list, to know after a failure which were not sent.
 */
export interface RequestWatch {
  readonly begin: (index: number) => void;
  readonly done: (index: number) => void;
}

/** Reads and changes the rules of one datamodel or cube set on a server. */
export interface RuleServer {
  /** Returns all current rules of the columns. */
  list(): Promise<readonly JsonObject[]>;
  /**
   * Adds rules in one or more requests. A server may overwrite a rule for the same parties instead.
   * @returns their IDs, in order, if the server returned them
   */
  create(rules: readonly JsonObject[], watch: RequestWatch): Promise<readonly string[] | undefined>;
  /** Replaces rules in place; only for extract datamodels. */
  update(
    rules: readonly { readonly id: string; readonly rule: JsonObject }[],
    watch: RequestWatch,
  ): Promise<void>;
  /** Deletes rules; ignores those that no longer exist. */
  delete(ids: readonly string[], watch: RequestWatch): Promise<void>;
}

/** The kind of a failed request. */
export type RequestFailure =
  /** The server rejects a second rule for a party of the column (code 30003); nothing was written. */
  | 'second-rule-refused'
  /** The response was lost, so the request may have been carried out. */
  | 'unanswered'
  | 'other';

/** Options of a rule change. */
export interface ChangeOptions {
  readonly facts: RuleServerFacts;
  /** Called with new findings about the server. */
  readonly onFacts?: ((facts: RuleServerFacts) => void) | undefined;
  /** Spots where earlier attempts created, or may have created, temporary deny rules: see {@link getSpotKey}. */
  readonly denied?: readonly string[] | undefined;
  /** IDs of rules that the server reported to earlier attempts as created. */
  readonly made?: readonly string[] | undefined;
  /** Called with the IDs of created rules, to record them. */
  readonly onMade?: ((ids: readonly string[]) => Promise<void>) | undefined;
  /** Called with the spots on which temporary deny rules are about to be created, to record them first. */
  readonly onDeny?: ((spots: readonly string[]) => Promise<void>) | undefined;
  readonly classifyFailure: (error: unknown) => RequestFailure;
  readonly signal?: AbortSignal | undefined;
  /** Called when a request was answered. */
  readonly onProgress?: ((request: RuleRequest) => void) | undefined;
}

/** The result of a rule change. */
export interface ChangedRules {
  /** The rules of the changed columns, as read back from the server. */
  readonly rules: readonly HeldRule[];
  /** Another user has meanwhile changed other rules of these columns. */
  readonly hasOthers: boolean;
}

/** More than any change needs; prevents an endless loop if the server's rules keep changing. */
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
  facts: RuleServerFacts,
): void {
  const held = toHeldRules(current);
  const known = withEvidence(facts, held);
  checkSameParties(target, known);
  getNextPhase(held, target, { denied: new Set(), sent: new Set() }, known);
}

/**
 * Infers facts from rules: a server with two rules for exactly the same parties on one column never overwrites rules.
 */
function withEvidence(facts: RuleServerFacts, rules: readonly HeldRule[]): RuleServerFacts {
  // A rule without readable parties is no evidence.
  const rulesWithParties = rules.filter(({ parties }) => parties.length > 0);
  const spots = new Set(rulesWithParties.map(getSpotKey));
  return facts.adds || spots.size === rulesWithParties.length ? facts : { ...facts, adds: true };
}

/** @throws RuleChangeRefusedError if a rule would have to be added beside one for exactly the same parties */
function checkSameParties(target: RuleTarget, { adds }: RuleServerFacts): void {
  if (adds) {
    return;
  }
  const bySpot = Map.groupBy(target.wanted, ({ held }) => getSpotKey(held));
  for (const some of bySpot.values()) {
    const added = some.find(
      ({ isEdited, previous, held }) =>
        isEdited &&
        (target.kind === 'live' || previous === undefined || getSpotKey(previous) !== getSpotKey(held)),
    );
    if (some.length > 1 && added !== undefined) {
      throw new RuleChangeRefusedError('same-parties', added.held.rule);
    }
  }
}

/** One run of a rule change. */
class RuleChangeRun {
  readonly #server: RuleServer;
  readonly #target: RuleTarget;
  readonly #options: ChangeOptions;
  /** Spots of temporary deny rules. */
  readonly #denied: Set<string>;
  /** Wanted rules that were sent and answered. */
  readonly #sent = new Set<WantedRule>();
  /** The IDs of temporary deny rules, by spot. */
  readonly #answered = new Map<string, ReadonlySet<string>>();
  /** Keys of answered requests: see {@link getRequestKey}. */
  readonly #answeredKeys = new Set<string>();
  /** Keys of the requests that have added a rule, by its spot. */
  readonly #addedOn = new Map<string, string[]>();
  readonly #made: Set<string>;
  /** Spots on which permanent rules were added. */
  readonly #posted = new Set<string>();
  /** Spots of temporary deny rules whose IDs are unknown: from earlier attempts, or because a response was lost. */
  readonly #unanswered: Set<string>;
  #facts: RuleServerFacts;
  #hasOthers = false;

  constructor(server: RuleServer, target: RuleTarget, options: ChangeOptions) {
    this.#server = server;
    this.#target = target;
    this.#options = options;
    this.#facts = options.facts;
    this.#denied = new Set(options.denied);
    this.#unanswered = new Set(options.denied);
    this.#made = new Set(options.made);
  }

  async run(): Promise<ChangedRules> {
    let current = await this.#readRules();
    checkSameParties(this.#target, this.#facts);
    for (let round = 0; round < maxRounds; round += 1) {
      const { requests, hasOthers } = getNextPhase(current, this.#target, this.#progress, this.#facts);
      this.#hasOthers ||= hasOthers;
      if (requests.some((request) => this.#answeredKeys.has(getRequestKey(request)))) {
        // The request succeeded, but the rules don't show it: sending it again would not help.
        throw new RulesDifferError();
      }
      if (requests.length === 0) {
        return { rules: current, hasOthers: this.#hasOthers };
      }
      this.#options.signal?.throwIfAborted();
      current = await this.#sendAll(requests);
    }
    throw new RulesDifferError();
  }

  get #progress(): RuleProgress {
    return {
      denied: this.#denied,
      sent: this.#sent,
      answered: this.#answered,
      made: this.#made,
      posted: this.#posted,
    };
  }

  /** Reads the rules of the target's columns, and infers facts about the server from all rules. */
  async #readRules(): Promise<readonly HeldRule[]> {
    const all = toHeldRules(await this.#server.list());
    this.#facts = withEvidence(this.#facts, all);
    return all.filter(({ column }) => this.#target.columns.has(column));
  }

  /**
   * Sends the requests of a phase.
   * @returns the current rules afterwards
   */
  async #sendAll(requests: readonly RuleRequest[]): Promise<readonly HeldRule[]> {
    await this.#writeDown(requests);
    const open = new Set<RuleRequest>();
    try {
      for (const kind of ['create', 'update', 'delete'] as const) {
        await this.#send(
          kind,
          requests.filter((request) => request.kind === kind),
          open,
        );
      }
    } catch (error) {
      return this.#afterFailure(open, error);
    }
    return this.#readRules();
  }

  /** Records the spots of new temporary deny rules before they are created. */
  async #writeDown(requests: readonly RuleRequest[]): Promise<void> {
    const spots = requests.flatMap(({ temporary }) => (temporary === undefined ? [] : [temporary]));
    const unknown = spots.filter((spot) => !this.#denied.has(spot));
    if (unknown.length > 0) {
      await this.#options.onDeny?.(unknown);
      unknown.forEach((spot) => this.#denied.add(spot));
    }
  }

  /**
   * Sends requests of one kind.
   * @param unanswered collects the requests that were sent and not answered
   */
  async #send(
    kind: RuleRequest['kind'],
    requests: readonly RuleRequest[],
    open: Set<RuleRequest>,
  ): Promise<void> {
    if (requests.length === 0) {
      return;
    }
    const watch: RequestWatch = {
      begin: (index) => requests.slice(index, index + 1).forEach((request) => open.add(request)),
      done: (index) => requests.slice(index, index + 1).forEach((request) => this.#done(request, open)),
    };
    if (kind === 'create') {
      const ids = await this.#server.create(
        requests.flatMap((one) => (one.kind === 'create' ? [one.rule] : [])),
        watch,
      );
      await this.#remember(requests, ids ?? []);
    } else if (kind === 'update') {
      await this.#server.update(
        requests.flatMap((one) => (one.kind === 'update' ? [{ id: one.id, rule: one.rule }] : [])),
        watch,
      );
    } else {
      await this.#server.delete(
        requests.flatMap((one) => (one.kind === 'delete' ? [one.id] : [])),
        watch,
      );
    }
  }

  /** Records the IDs of rules that the operation has created. */
  async #remember(requests: readonly RuleRequest[], ids: readonly string[]): Promise<void> {
    const made = ids.filter((id) => id !== '' && !this.#target.previousById.has(id));
    made.forEach((id) => this.#made.add(id));
    if (made.length > 0) {
      await this.#options.onMade?.(made);
    }
    for (const [index, { temporary }] of requests.entries()) {
      const id = ids[index] ?? '';
      if (temporary !== undefined && id !== '' && !this.#unanswered.has(temporary)) {
        this.#answered.set(temporary, new Set([...(this.#answered.get(temporary) ?? []), id]));
      }
    }
  }

  /** Updates the progress after a request was answered. */
  #done(request: RuleRequest, open: Set<RuleRequest>): void {
    open.delete(request);
    const spot = request.kind === 'create' ? toHeldRules([request.rule]).map(getSpotKey)[0] : undefined;
    if (spot !== undefined) {
      const added = this.#addedOn.get(spot) ?? [];
      if (request.temporary !== undefined) {
        // After a temporary deny rule, a rule that was added on this spot before may be added again.
        added.splice(0).forEach((key) => this.#answeredKeys.delete(key));
      }
      this.#addedOn.set(spot, [...added, getRequestKey(request)]);
    }
    this.#answeredKeys.add(getRequestKey(request));
    if (request.kind === 'create' && request.wanted !== undefined) {
      this.#posted.add(getSpotKey(request.wanted.held));
    }
    if (request.kind === 'delete' && !this.#facts.deletes) {
      this.#learn({ ...this.#facts, deletes: true });
    }
    if (request.wanted !== undefined) {
      this.#sent.add(request.wanted);
    }
    this.#options.onProgress?.(request);
  }

  /**
   * Handles a failed request.
   * @returns the current rules, if the operation can continue
   * @throws the error, if it can't
   */
  async #afterFailure(open: ReadonlySet<RuleRequest>, error: unknown): Promise<readonly HeldRule[]> {
    for (const { temporary } of open) {
      if (temporary !== undefined) {
        this.#unanswered.add(temporary);
        this.#answered.delete(temporary);
      }
    }
    switch (this.#options.classifyFailure(error)) {
      case 'second-rule-refused': {
        if (this.#facts.refusesSecond) {
          throw error;
        }
        this.#learn({ ...this.#facts, refusesSecond: true });
        return this.#readRules();
      }
      case 'unanswered': {
        const current = await this.#readRules();
        if (this.#isStillLeft(open, current)) {
          throw error;
        }
        return current;
      }
      case 'other':
        throw error;
    }
  }

  #learn(facts: RuleServerFacts): void {
    this.#facts = facts;
    // `alwaysAdds` is inferred from the rules each time, so it is not remembered.
    this.#options.onFacts?.({ ...facts, adds: this.#options.facts.adds });
  }

  /**
   * Returns whether a request whose response was lost would be sent again. That never happens automatically, so that
   * nothing is written twice.
   */
  #isStillLeft(open: ReadonlySet<RuleRequest>, current: readonly HeldRule[]): boolean {
    const next = getNextPhase(current, this.#target, this.#progress, this.#facts).requests;
    const keys = new Set(next.map(getRequestKey));
    return [...open].some((request) => keys.has(getRequestKey(request)));
  }
}

/** Returns a key of a request's kind and content. */
const getRequestKey = (request: RuleRequest): string =>
  JSON.stringify([
    request.kind,
    request.kind === 'create' ? '' : request.id,
    request.kind === 'delete' ? '' : request.rule,
  ]);
