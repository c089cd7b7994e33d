import type { JsonObject } from '../../base/json.ts';
import { type HeldRule, toHeldRules, getSpotKey } from './heldRule.ts';
import { type RuleProgress, RulesDifferError } from './ruleItems.ts';
import { getNextPhase, type RuleServerFacts } from './rulePhase.ts';
import type { RuleRequest } from './ruleRequest.ts';
import { RuleChangeRefusedError, type RuleTarget, type WantedRule } from './ruleTarget.ts';

/** Notified of each rule of a list, by its index, so that after a failure it is known which were never sent. */
export interface RequestWatch {
  readonly begin: (index: number) => void;
  readonly done: (index: number) => void;
}

/** The rules of one datamodel or cube set, as far as a change needs them. */
export interface RuleServer {
  /** Returns all current rules of the columns. */
  list(): Promise<readonly JsonObject[]>;
  /**
   * Adds rules, in one request or more; a server may overwrite one for the same parties.
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

/** The outcome of a failed request, as far as the error shows it. */
export type RequestFailure =
  /** The server rejects a second rule for a party of the column (code 30003); nothing was written. */
  | 'second-rule-refused'
  /** The response was lost. */
  | 'unanswered'
  | 'other';

export interface ChangeOptions {
  readonly facts: RuleServerFacts;
  /** Called with new findings about the server. */
  readonly onFacts?: ((facts: RuleServerFacts) => void) | undefined;
  /** Spots where earlier attempts have, or may have, created temporary deny rules. */
  readonly denied?: readonly string[] | undefined;
  /** IDs of rules that responses to earlier attempts reported as created. */
  readonly made?: readonly string[] | undefined;
  /** Records which rules were created. */
  readonly onMade?: ((ids: readonly string[]) => Promise<void>) | undefined;
  /** Records where temporary deny rules are about to be created, before they are. */
  readonly onDeny?: ((spots: readonly string[]) => Promise<void>) | undefined;
  readonly classifyFailure: (error: unknown) => RequestFailure;
  readonly signal?: AbortSignal | undefined;
  /** Called when a request was answered. */
  readonly onProgress?: ((request: RuleRequest) => void) | undefined;
}

export interface ChangedRules {
  /** The rules of the columns as they were read back. */
  readonly rules: readonly HeldRule[];
  /** Another user has meanwhile changed other rules of these columns. */
  readonly hasOthers: boolean;
}

/** More rounds than any change needs; prevents an endless loop if the server's rules keep changing. */
const maxRounds = 24;

/**
 * Changes rules from their current state to the wanted one, and completes only when the rules read back are the
 * intended ones. Each step is computed from the rules that the server has at that moment (see {@link getNextPhase}), so
 * the same call resumes what a killed process has begun, and a call with the earlier rules as the target restores them.
 * @throws RuleChangeRefusedError, RulesChangedError, RulesDifferError, and whatever the server's methods reject with
 */
export async function changeRules(
  server: RuleServer,
  target: RuleTarget,
  options: ChangeOptions,
): Promise<ChangedRules> {
  return new RuleChangeRun(server, target, options).run();
}

/**
 * Checks that a change has a safe order, as far as the existing rules show; called before anything is sent.
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

/** A server that has two rules for exactly the same parties on one column adds rules and overwrites none. */
function withEvidence(facts: RuleServerFacts, rules: readonly HeldRule[]): RuleServerFacts {
  // A rule that lost its parties, or whose parties can't be read, is no evidence.
  const rulesWithParties = rules.filter(({ parties }) => parties.length > 0);
  const spots = new Set(rulesWithParties.map(getSpotKey));
  return facts.adds || spots.size === rulesWithParties.length ? facts : { ...facts, adds: true };
}

/** @throws RuleChangeRefusedError where a rule would have to be added beside one for exactly the same parties */
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

class RuleChangeRun {
  readonly #server: RuleServer;
  readonly #target: RuleTarget;
  readonly #options: ChangeOptions;
  readonly #denied: Set<string>;
  readonly #sent = new Set<WantedRule>();
  readonly #answered = new Map<string, ReadonlySet<string>>();
  readonly #answeredKeys = new Set<string>();
  /** Requests that have added a rule, by its spot. */
  readonly #addedOn = new Map<string, string[]>();
  readonly #made: Set<string>;
  readonly #posted = new Set<string>();
  /** Spots of temporary deny rules whose IDs no response contained. */
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
        // It was answered, but the rules don't show it: sending it again would not help.
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

  /** Reads the rules of the columns; those of other columns are evidence about the server too. */
  async #readRules(): Promise<readonly HeldRule[]> {
    const all = toHeldRules(await this.#server.list());
    this.#facts = withEvidence(this.#facts, all);
    return all.filter(({ column }) => this.#target.columns.has(column));
  }

  /** @returns the rules after it */
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

  async #writeDown(requests: readonly RuleRequest[]): Promise<void> {
    const spots = requests.flatMap(({ temporary }) => (temporary === undefined ? [] : [temporary]));
    const unknown = spots.filter((spot) => !this.#denied.has(spot));
    if (unknown.length > 0) {
      await this.#options.onDeny?.(unknown);
      unknown.forEach((spot) => this.#denied.add(spot));
    }
  }

  /** @param open the requests that were begun and not answered */
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

  /** Remembers which rules belong to the operation. */
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

  #done(request: RuleRequest, open: Set<RuleRequest>): void {
    open.delete(request);
    const spot = request.kind === 'create' ? toHeldRules([request.rule]).map(getSpotKey)[0] : undefined;
    if (spot !== undefined) {
      const added = this.#addedOn.get(spot) ?? [];
      if (request.temporary !== undefined) {
        // A rule that is temporarily denied in place is added there again later.
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

  /** @returns the rules, if the operation can continue anyway */
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
    // That a server adds rules is believed only if its rules show it.
    this.#options.onFacts?.({ ...facts, adds: this.#options.facts.adds });
  }

  /**
   * Returns whether a lost request would be sent again, which never happens automatically (design: nothing is written
   * twice).
   */
  #isStillLeft(open: ReadonlySet<RuleRequest>, current: readonly HeldRule[]): boolean {
    const next = getNextPhase(current, this.#target, this.#progress, this.#facts).requests;
    const keys = new Set(next.map(getRequestKey));
    return [...open].some((request) => keys.has(getRequestKey(request)));
  }
}

const getRequestKey = (request: RuleRequest): string =>
  JSON.stringify([
    request.kind,
    request.kind === 'create' ? '' : request.id,
    request.kind === 'delete' ? '' : request.rule,
  ]);
