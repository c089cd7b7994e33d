import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../base/json.ts';
import { type LiveRule, liveRuleSchema } from '../contract/rule.ts';
import type { Answer } from './answer.ts';
import { ApiError, HttpError, PartlyCreatedError } from './errors.ts';
import type { WriteDocument } from './payloads/document.ts';
import { newLiveRulePayload, rulesPayload } from './payloads/rulePayload.ts';
import { readWrittenList } from './reading.ts';
import { ruleRefusal } from './httpError.ts';
import type { RawAnswer } from './send.ts';
import type { LiveRuleForm, ServerHabits } from './serverHabits.ts';

/** What a creation answers: the rules in the order of the body, `undefined` where the server does not say. */
export type CreatedRules = Answer<readonly LiveRule[] | undefined>;

/** The requests that rules of one live datamodel can be added by. */
export interface LiveRuleWays {
  /** POST of the plain path: one rule as an object, or rules as an array. */
  readonly plain: (rules: readonly WriteDocument[], form: LiveRuleForm) => Promise<RawAnswer>;
  /** POST of `addMany`. */
  readonly many: (rules: readonly WriteDocument[]) => Promise<RawAnswer>;
}

type Rules = readonly WriteDocument[];

const opposite = (form: LiveRuleForm): LiveRuleForm => (form === 'object' ? 'array' : 'object');

/**
 * Adds rules to a live datamodel in whichever form its server takes them. The contract (v1.0) has one rule per request,
 * instances of 2025 have `addMany` beside it, the spec has an array. Which it is shows with the first rules and is kept
 * in the habits. What tells is a refusal (400, 415, 422), which wrote nothing: a request whose answer is lost is never
 * followed by another. Where several rules are to be added and nothing is known, a form is tried with the first alone.
 */
export class LiveRuleCreation {
  readonly #ways: LiveRuleWays;
  readonly #habits: ServerHabits;

  constructor(ways: LiveRuleWays, habits: ServerHabits) {
    this.#ways = ways;
    this.#habits = habits;
  }

  /**
   * @throws ApiError when nothing was written, or nobody knows; PartlyCreatedError when the first rules were
   */
  async create(rules: Rules): Promise<CreatedRules> {
    if (rules.length <= 1) {
      return (await this.#one(rules)).answer;
    }
    if (this.#habits.liveRuleForm === 'array') {
      return this.#array(rules);
    }
    return (await this.#addMany(rules)) ?? this.#firstAlone(rules);
  }

  /** All at once; where the array is refused as such, in the other ways. */
  async #array(rules: Rules): Promise<CreatedRules> {
    const habits = this.#habits;
    try {
      return this.#learn('array', rules, await this.#ways.plain(rules, 'array'));
    } catch (error) {
      if (!mayBeForm(error) || habits.liveRuleFormIsSure === true) {
        throw error;
      }
      habits.liveRuleFormIsSure = true;
      const answer = await this.#addMany(rules, error);
      if (answer === undefined) {
        return this.#objects(rules, error);
      }
      habits.liveRuleForm = 'object';
      habits.refusesLiveRuleArray = true;
      return answer;
    }
  }

  /**
   * All by `addMany`; nothing where the server has it not.
   * @param before why rules were refused in another form: it stays the reason where they are refused here as well
   */
  async #addMany(rules: Rules, before?: HttpError): Promise<CreatedRules | undefined> {
    const habits = this.#habits;
    if (habits.addsManyLiveRules === false) {
      return undefined;
    }
    try {
      const answer = createdRules(await this.#ways.many(rules), rules);
      habits.addsManyLiveRules = true;
      return answer;
    } catch (error) {
      const isMissing =
        error instanceof HttpError &&
        (error.status === 405 ||
          (error.status === 404 && !(habits.addsManyLiveRules === true && error.hasProblemBody)));
      if (!isMissing) {
        throw before !== undefined && mayBeForm(error) ? before : error;
      }
      // A 404 may be about the datamodel as well: what the plain path answers tells.
      habits.addsManyLiveRules = error.status === 405 || !error.hasProblemBody ? false : undefined;
      return undefined;
    }
  }

  /** The first alone, which shows the form; then the others. */
  async #firstAlone(rules: Rules): Promise<CreatedRules> {
    const { answer, form } = await this.#one(rules.slice(0, 1));
    this.#habits.addsManyLiveRules ??= false;
    return form === 'array' ? this.#rest(rules, answer) : this.#oneByOne(rules, [answer]);
  }

  /** One by one, where an array was refused: the first shows whether that was its form. */
  async #objects(rules: Rules, before: HttpError): Promise<CreatedRules> {
    return this.#oneByOne(rules, [await this.#otherwise(rules.slice(0, 1), 'object', before)]);
  }

  async #rest(rules: Rules, first: CreatedRules): Promise<CreatedRules> {
    const rest = rules.slice(1);
    try {
      return joined([first, createdRules(await this.#ways.plain(rest, 'array'), rest)]);
    } catch (error) {
      throw partly(error, { answers: [first], written: 1, pending: rest.length });
    }
  }

  /** In order, so that what is written is always the beginning. */
  async #oneByOne(rules: Rules, done: readonly CreatedRules[]): Promise<CreatedRules> {
    const answers = [...done];
    for (const rule of rules.slice(answers.length)) {
      try {
        answers.push(this.#learn('object', [rule], await this.#ways.plain([rule], 'object')));
      } catch (error) {
        throw partly(error, { answers, written: answers.length, pending: 1 });
      }
    }
    return joined(answers);
  }

  /** One rule in the form that is known, else in the one that is taken. */
  async #one(rules: Rules): Promise<{ readonly answer: CreatedRules; readonly form: LiveRuleForm }> {
    const habits = this.#habits;
    const form = habits.liveRuleForm ?? habits.liveRuleFormToTry ?? 'object';
    try {
      return { answer: this.#learn(form, rules, await this.#ways.plain(rules, form)), form };
    } catch (error) {
      if (habits.liveRuleForm === undefined && error instanceof HttpError && error.status === 500) {
        // A server that stumbles over a form is not asked twice by itself; whoever repeats it asks otherwise.
        habits.liveRuleFormToTry = opposite(form);
      }
      if (!mayBeForm(error) || (habits.liveRuleForm !== undefined && habits.liveRuleFormIsSure === true)) {
        throw error;
      }
      return { answer: await this.#otherwise(rules, opposite(form), error), form: opposite(form) };
    }
  }

  async #otherwise(rules: Rules, form: LiveRuleForm, before: HttpError): Promise<CreatedRules> {
    try {
      const raw = await this.#ways.plain(rules, form);
      this.#habits.refusesLiveRuleArray = form === 'object';
      return this.#learn(form, rules, raw);
    } catch (error) {
      this.#habits.liveRuleFormIsSure = true;
      if (error instanceof ApiError && ruleRefusal(error) !== undefined) {
        // What it says is wrong, so it was understood.
        this.#habits.liveRuleForm = form;
      }
      throw mayBeForm(error) ? moreTelling(before, error) : error;
    }
  }

  /** Remembers a form that was taken, where the answer shows that the rules are there. */
  #learn(form: LiveRuleForm, rules: Rules, raw: RawAnswer): CreatedRules {
    const answer = createdRules(raw, rules);
    if (answer.value !== undefined) {
      // Who answers one rule with a list reads lists (spec): many go there in one request.
      const isList = raw.text.trimStart().startsWith('[') && this.#habits.refusesLiveRuleArray !== true;
      this.#habits.liveRuleForm = isList ? 'array' : form;
      this.#habits.liveRuleFormIsSure = false;
    }
    return answer;
  }
}

const formStatuses: ReadonlySet<number> = new Set([400, 415, 422]);

/** True for a refusal that may be about the form of the body. The platform's own codes are about the rules. */
const mayBeForm = (error: unknown): error is HttpError =>
  error instanceof HttpError && formStatuses.has(error.status) && ruleRefusal(error) === undefined;

/** Of two refusals the one that does not speak of the form, which a person has not chosen. */
const moreTelling = (first: HttpError, second: HttpError): HttpError =>
  /\b(array|object|type|expected)\b/i.test(first.words ?? '') && second.words !== undefined ? second : first;

function partly(
  error: unknown,
  facts: {
    readonly answers: readonly CreatedRules[];
    readonly written: number;
    readonly pending: number;
  },
): unknown {
  const { answers, written, pending } = facts;
  return error instanceof ApiError
    ? new PartlyCreatedError({ failure: error, written, pending, rules: joined(answers).value })
    : error;
}

/**
 * The rules that a server answered, always as a list: one by itself is a list of one. An answer that names other rules,
 * or another number of them, says nothing of these.
 */
export function createdRules(raw: RawAnswer, rules: Rules): CreatedRules {
  const answer = readWrittenList(raw, liveRuleSchema, '_id');
  const { value } = answer;
  const isOurs =
    value?.length === rules.length &&
    value.every(
      ({ table, column }, at) => table === rules[at]?.['table'] && column === rules[at]?.['column'],
    );
  if (!isOurs) {
    return { ...answer, value: undefined, text: '' };
  }
  return isJsonObject(answer.json) ? asList([answer.json], answer) : answer;
}

const asList = (json: readonly JsonValue[], answer: CreatedRules): CreatedRules => ({
  ...answer,
  json,
  text: stringify(json),
});

/** One answer of several; what one of them does not say, is not said. */
function joined(answers: readonly CreatedRules[]): CreatedRules {
  const [first, ...others] = answers;
  if (first === undefined || others.length === 0) {
    return first ?? { value: [], text: '', json: undefined, status: 200 };
  }
  const values = answers.map(({ value }) => value);
  const last = others.at(-1) ?? first;
  if (values.some((value) => value === undefined)) {
    return { ...last, value: undefined, text: '', json: undefined };
  }
  const json = answers.flatMap((answer) => (Array.isArray(answer.json) ? (answer.json as JsonValue[]) : []));
  return asList(json, { ...last, value: values.flatMap((value) => value ?? []) });
}

/** The payloads of some of the rules. All of them are made first: a rule that must not be sent keeps all from it. */
export function liveRulePayloads(
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
