import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../base/json.ts';
import { type LiveRule, liveRuleSchema } from '../contract/rule.ts';
import type { Answer } from './answer.ts';
import { ApiError, HttpError, PartlyCreatedError } from './errors.ts';
import type { WriteDocument } from './payloads/writeDocument.ts';
import { newLiveRulePayload, rulesPayload } from './payloads/rulePayload.ts';
import { readWrittenList } from './reading.ts';
import { getRuleRefusal } from './httpError.ts';
import type { RawAnswer } from './send.ts';
import type { LiveRuleForm, ServerCapabilities } from './serverCapabilities.ts';

/** The result of a creation: the rules in the order of the body, `undefined` if the server does not return them. */
export type CreatedRules = Answer<readonly LiveRule[] | undefined>;

/** The requests that can add rules to one live datamodel. */
export interface LiveRuleRequests {
  /** POST of the plain path: one rule as an object, or rules as an array. */
  readonly plain: (rules: readonly WriteDocument[], form: LiveRuleForm) => Promise<RawAnswer>;
  /** POST of `addMany`. */
  readonly many: (rules: readonly WriteDocument[]) => Promise<RawAnswer>;
}

type Rules = readonly WriteDocument[];

const getOtherForm = (form: LiveRuleForm): LiveRuleForm => (form === 'object' ? 'array' : 'object');

/**
 * Adds rules to a live datamodel in the form that its server accepts. The contract (platform-facts.md, 6.2) takes one
 * rule per request, instances of 2025 also have `addMany`, and the guide takes an array. The form is detected with the
 * first rules and remembered in the capabilities. Another form is tried only after a refusal (400, 415, 422), which
 * wrote nothing, and never after a lost response. To add several rules while the form is unknown, a form is tried with
 * the first rule alone.
 */
export class LiveRuleCreation {
  readonly #requests: LiveRuleRequests;
  readonly #capabilities: ServerCapabilities;

  constructor(ways: LiveRuleRequests, habits: ServerCapabilities) {
    this.#requests = ways;
    this.#capabilities = habits;
  }

  /** @throws ApiError if nothing was written, or it is unknown; PartlyCreatedError if the first rules were written */
  async create(rules: Rules): Promise<CreatedRules> {
    if (rules.length <= 1) {
      return (await this.#one(rules)).answer;
    }
    if (this.#capabilities.liveRuleForm === 'array') {
      return this.#array(rules);
    }
    return (await this.#addMany(rules)) ?? this.#firstAlone(rules);
  }

  /** Adds all rules as one array or, if the server refuses arrays, in the other forms. */
  async #array(rules: Rules): Promise<CreatedRules> {
    const habits = this.#capabilities;
    try {
      return this.#learn('array', rules, await this.#requests.plain(rules, 'array'));
    } catch (error) {
      if (!isBodyFormRefusal(error) || habits.liveRuleFormIsSure === true) {
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
   * Adds all rules with `addMany`; returns `undefined` if the server does not have it.
   * @param previousError the refusal of another form; it is thrown again if `addMany` refuses the rules as well
   */
  async #addMany(rules: Rules, before?: HttpError): Promise<CreatedRules | undefined> {
    const habits = this.#capabilities;
    if (habits.addsManyLiveRules === false) {
      return undefined;
    }
    try {
      const answer = readCreatedRules(await this.#requests.many(rules), rules);
      habits.addsManyLiveRules = true;
      return answer;
    } catch (error) {
      const isMissing =
        error instanceof HttpError &&
        (error.status === 405 ||
          (error.status === 404 && !(habits.addsManyLiveRules === true && error.hasProblemBody)));
      if (!isMissing) {
        throw before !== undefined && isBodyFormRefusal(error) ? before : error;
      }
      // A 404 may also concern the datamodel: the response of the plain path decides.
      habits.addsManyLiveRules = error.status === 405 || !error.hasProblemBody ? false : undefined;
      return undefined;
    }
  }

  /** Adds the first rule alone, which shows the form, and then the others. */
  async #firstAlone(rules: Rules): Promise<CreatedRules> {
    const { answer, form } = await this.#one(rules.slice(0, 1));
    this.#capabilities.addsManyLiveRules ??= false;
    return form === 'array' ? this.#rest(rules, answer) : this.#oneByOne(rules, [answer]);
  }

  /** Adds the rules one by one after an array was refused: the first shows whether the form was the reason. */
  async #objects(rules: Rules, before: HttpError): Promise<CreatedRules> {
    return this.#oneByOne(rules, [await this.#tryOtherForm(rules.slice(0, 1), 'object', before)]);
  }

  async #rest(rules: Rules, first: CreatedRules): Promise<CreatedRules> {
    const rest = rules.slice(1);
    try {
      return mergeAnswers([first, readCreatedRules(await this.#requests.plain(rest, 'array'), rest)]);
    } catch (error) {
      throw toPartlyCreatedError(error, { answers: [first], written: 1, pending: rest.length });
    }
  }

  /** Adds the other rules one by one, in order, so that the written rules are always the first ones. */
  async #oneByOne(rules: Rules, done: readonly CreatedRules[]): Promise<CreatedRules> {
    const answers = [...done];
    for (const rule of rules.slice(answers.length)) {
      try {
        answers.push(this.#learn('object', [rule], await this.#requests.plain([rule], 'object')));
      } catch (error) {
        throw toPartlyCreatedError(error, { answers, written: answers.length, pending: 1 });
      }
    }
    return mergeAnswers(answers);
  }

  /** Adds one rule in the known form, or else in the form that the server accepts. */
  async #one(rules: Rules): Promise<{ readonly answer: CreatedRules; readonly form: LiveRuleForm }> {
    const habits = this.#capabilities;
    const form = habits.liveRuleForm ?? habits.liveRuleFormToTry ?? 'object';
    try {
      return { answer: this.#learn(form, rules, await this.#requests.plain(rules, form)), form };
    } catch (error) {
      if (habits.liveRuleForm === undefined && error instanceof HttpError && error.status === 500) {
        // A server that fails on a form is not retried automatically; the next attempt uses the other form.
        habits.liveRuleFormToTry = getOtherForm(form);
      }
      if (
        !isBodyFormRefusal(error) ||
        (habits.liveRuleForm !== undefined && habits.liveRuleFormIsSure === true)
      ) {
        throw error;
      }
      return { answer: await this.#tryOtherForm(rules, getOtherForm(form), error), form: getOtherForm(form) };
    }
  }

  async #tryOtherForm(rules: Rules, form: LiveRuleForm, before: HttpError): Promise<CreatedRules> {
    try {
      const raw = await this.#requests.plain(rules, form);
      this.#capabilities.refusesLiveRuleArray = form === 'object';
      return this.#learn(form, rules, raw);
    } catch (error) {
      this.#capabilities.liveRuleFormIsSure = true;
      if (error instanceof ApiError && getRuleRefusal(error) !== undefined) {
        // The server refused the content, so it understood the form.
        this.#capabilities.liveRuleForm = form;
      }
      throw isBodyFormRefusal(error) ? pickMoreSpecificError(before, error) : error;
    }
  }

  /** Remembers an accepted form if the response shows that the rules exist. */
  #learn(form: LiveRuleForm, rules: Rules, raw: RawAnswer): CreatedRules {
    const answer = readCreatedRules(raw, rules);
    if (answer.value !== undefined) {
      // A server that responds to one rule with a list also accepts lists (rest-api.md, "Data security, live
      // datamodels"), so many fit in one request.
      const isList = raw.text.trimStart().startsWith('[') && this.#capabilities.refusesLiveRuleArray !== true;
      this.#capabilities.liveRuleForm = isList ? 'array' : form;
      this.#capabilities.liveRuleFormIsSure = false;
    }
    return answer;
  }
}

const formStatuses: ReadonlySet<number> = new Set([400, 415, 422]);

/** True for a refusal that may concern the form of the body. The platform's own codes concern the rules. */
const isBodyFormRefusal = (error: unknown): error is HttpError =>
  error instanceof HttpError && formStatuses.has(error.status) && getRuleRefusal(error) === undefined;

/** Returns the refusal that concerns the content: users do not choose the form. */
const pickMoreSpecificError = (first: HttpError, second: HttpError): HttpError =>
  /\b(array|object|type|expected)\b/i.test(first.words ?? '') && second.words !== undefined ? second : first;

function toPartlyCreatedError(
  error: unknown,
  facts: {
    readonly answers: readonly CreatedRules[];
    readonly written: number;
    readonly pending: number;
  },
): unknown {
  const { answers, written, pending } = facts;
  return error instanceof ApiError
    ? new PartlyCreatedError({ failure: error, written, pending, rules: mergeAnswers(answers).value })
    : error;
}

/**
 * The rules that a server returned, always as a list: a single rule becomes a list of one. A response with other rules,
 * or another number of them, has no value.
 */
export function readCreatedRules(raw: RawAnswer, rules: Rules): CreatedRules {
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
  return isJsonObject(answer.json) ? toListAnswer([answer.json], answer) : answer;
}

const toListAnswer = (json: readonly JsonValue[], answer: CreatedRules): CreatedRules => ({
  ...answer,
  json,
  text: stringify(json),
});

/** Merges several responses; if one of them lacks the rules, so does the result. */
function mergeAnswers(answers: readonly CreatedRules[]): CreatedRules {
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
  return toListAnswer(json, { ...last, value: values.flatMap((value) => value ?? []) });
}

/**
 * Returns a function that returns the payloads of some of the rules. Its first call creates all payloads, so that one
 * invalid rule prevents sending any.
 */
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
