import type { JsonObject } from '../../base/json.ts';
import type { PathParams } from '../../contract/endpoints.ts';
import { type LiveRule, liveRuleSchema } from '../../contract/rule.ts';
import type { Answer } from '../answer.ts';
import { type CreatedRules, LiveRuleCreation, createdRules } from '../liveRuleCreation.ts';
import type { WriteDocument } from '../payloads/document.ts';
import { newLiveRulePayload, rulesPayload } from '../payloads/rulePayload.ts';
import { readDone, readList } from '../reading.ts';
import type { RawAnswer, Send } from '../send.ts';
import type { ServerHabits } from '../serverHabits.ts';

/** Rules in one call while nobody knows how many requests they take. */
const mostWhileUnknown = 20;

/** Data security of live datamodels, API version 1.0 (spec). A live rule cannot be updated, only replaced. */
export class LiveRulesResource {
  readonly #send: Send;

  readonly #habits: ServerHabits;

  /** @param habits what was found out about the server so far; what shows here is added to it */
  constructor(send: Send, habits: ServerHabits) {
    this.#send = send;
    this.#habits = habits;
  }

  async list(path: PathParams<'liveRules.list'>, signal?: AbortSignal): Promise<Answer<readonly LiveRule[]>> {
    const answer = readList(await this.#send('liveRules.list', path, { signal }), liveRuleSchema);
    const rules = answer.value;
    if (
      rules.some((rule) => typeof rule.exclusionary === 'boolean' || typeof rule.dataSourceId === 'string')
    ) {
      this.#habits.showsLiveExclusion = true;
    } else if (rules.length > 0) {
      this.#habits.showsLiveExclusion ??= false;
    }
    return answer;
  }

  /** How many rules {@link create} is best called with: as few as it takes to find out, and one where they go singly. */
  get atOnce(): number {
    const { liveRuleForm, addsManyLiveRules } = this.#habits;
    if (liveRuleForm === 'array' || addsManyLiveRules === true) {
      return Number.POSITIVE_INFINITY;
    }
    return liveRuleForm === 'object' && addsManyLiveRules === false ? 1 : mostWhileUnknown;
  }

  /**
   * Adds rules to the live datamodel of that title, in whichever form its server takes them: see `LiveRuleCreation`. The
   * answer is always a list in the order of the body, or `undefined` where the server does not say what it made.
   * @throws PartlyCreatedError when the first rules are on the server and a later one failed
   */
  async create(
    path: PathParams<'liveRules.create'>,
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<CreatedRules> {
    const bodies = payloadsOf(path.title, rules);
    const creation = new LiveRuleCreation(
      {
        plain: (some, form) =>
          this.#send('liveRules.create', path, {
            body: () => (form === 'array' ? bodies(some) : bodies(some)[0]),
            signal,
          }),
        many: (some) => this.#many(path, () => bodies(some), signal),
      },
      this.#habits,
    );
    return creation.create(rules);
  }

  /** Adds rules by `addMany`, which not every server has (recorded on L2025; contract v1.0 does not know it). */
  async createMany(
    path: PathParams<'liveRules.createMany'>,
    rules: readonly WriteDocument[],
    signal?: AbortSignal,
  ): Promise<CreatedRules> {
    const bodies = payloadsOf(path.title, rules);
    return createdRules(await this.#many(path, () => bodies(rules), signal), rules);
  }

  #many(path: { readonly title: string }, body: () => unknown, signal?: AbortSignal): Promise<RawAnswer> {
    return this.#send('liveRules.createMany', path, { body, signal });
  }

  async delete(path: PathParams<'liveRules.delete'>, signal?: AbortSignal): Promise<Answer<undefined>> {
    return readDone(await this.#send('liveRules.delete', path, { signal }));
  }

  /** Deletes all rules of one column. */
  async deleteByColumn(
    path: PathParams<'liveRules.deleteByColumn'>,
    signal?: AbortSignal,
  ): Promise<Answer<undefined>> {
    return readDone(await this.#send('liveRules.deleteByColumn', path, { signal }));
  }
}

/** The payloads of some of the rules. All of them are made first: a rule that must not be sent keeps all from it. */
function payloadsOf(
  title: string,
  rules: readonly WriteDocument[],
): (some: readonly WriteDocument[]) => readonly JsonObject[] {
  let made: ReadonlyMap<WriteDocument, JsonObject> | undefined;
  return (some) => {
    if (made === undefined) {
      const payloads = rulesPayload(rules, (rule, at) => newLiveRulePayload(rule, title, at));
      made = new Map(rules.map((rule, index) => [rule, payloads[index] ?? {}]));
    }
    const all = made;
    return some.map((rule) => all.get(rule) ?? {});
  };
}
