import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../base/json.ts';
import { type LiveRule, liveRuleSchema } from '../contract/rule.ts';
import type { ApiResponse } from './apiResponse.ts';
import { ApiError, HttpError, PartlyCreatedError } from './errors.ts';
import type { DocumentToWrite } from './payloads/documentToWrite.ts';
import { createLiveRulePayload, createRulePayloads } from './payloads/rulePayload.ts';
import { readWrittenItems } from './reading.ts';
import { getRuleRefusal } from './httpError.ts';
import type { RawResponse } from './send.ts';
import type { LiveRuleForm, ServerCapabilities } from './serverCapabilities.ts';

/** The result of a creation: the rules in the order of the body, `undefined` if the server does not return them. */
export type CreatedRules = ApiResponse<readonly LiveRule[] | undefined>;

/** The requests that can add rules to one live datamodel. */
export interface LiveRuleRequests {
  /** POST of the plain path: one rule as an object, or rules as an array. */
  readonly post: (rules: readonly DocumentToWrite[], form: LiveRuleForm) => Promise<RawResponse>;
  /** POST of `addMany`. */
  readonly addMany: (rules: readonly DocumentToWrite[]) => Promise<RawResponse>;
}

type RuleDocuments = readonly DocumentToWrite[];

const getOtherForm = (form: LiveRuleForm): LiveRuleForm => (form === 'object' ? 'array' : 'object');

/**
 * Adds rules to a live datamodel in the form that its server accepts. The vendor's contract (platform-facts.md, 6.2)
 * takes one rule per request, instances of 2025 also have `addMany`, and the guide takes an array. The form is detected
 * with the first rules and remembered in the capabilities. Another form is tried only after a refusal (400, 415, 422),
 * which wrote nothing, and never after a lost response. Several rules are sent with `addMany` unless the server is
 * known to accept arrays; if it lacks `addMany` (404, 405), the first rule alone shows the form for the others.
 */
export class LiveRuleCreator {
  readonly #requests: LiveRuleRequests;
  readonly #capabilities: ServerCapabilities;

  constructor(requests: LiveRuleRequests, capabilities: ServerCapabilities) {
    this.#requests = requests;
    this.#capabilities = capabilities;
  }

  /**
   * @throws ApiError if nothing was written, or if it is unknown what was; PartlyCreatedError if only the first rules
   *   were written
   */
  async create(rules: RuleDocuments): Promise<CreatedRules> {
    if (rules.length <= 1) {
      return (await this.#createOne(rules)).response;
    }
    if (this.#capabilities.liveRuleForm === 'array') {
      return this.#createAsArray(rules);
    }
    return (await this.#addMany(rules)) ?? this.#createFirstAlone(rules);
  }

  /** Adds all rules as one array or, if the server refuses arrays, in the other forms. */
  async #createAsArray(rules: RuleDocuments): Promise<CreatedRules> {
    const capabilities = this.#capabilities;
    try {
      return this.#rememberForm('array', rules, await this.#requests.post(rules, 'array'));
    } catch (error) {
      if (!isBodyFormRefusal(error) || capabilities.isLiveRuleFormFinal === true) {
        throw error;
      }
      capabilities.isLiveRuleFormFinal = true;
      const response = await this.#addMany(rules, error);
      if (response === undefined) {
        return this.#createAsObjects(rules, error);
      }
      capabilities.liveRuleForm = 'object';
      capabilities.refusesLiveRuleArray = true;
      return response;
    }
  }

  /**
   * Adds all rules with `addMany`; returns `undefined` if the server does not have it.
   * @param previousError the refusal of another form; it is thrown again if `addMany` refuses the rules as well
   */
  async #addMany(rules: RuleDocuments, previousError?: HttpError): Promise<CreatedRules | undefined> {
    const capabilities = this.#capabilities;
    if (capabilities.supportsAddMany === false) {
      return undefined;
    }
    try {
      const response = readCreatedRules(await this.#requests.addMany(rules), rules);
      capabilities.supportsAddMany = true;
      return response;
    } catch (error) {
      const isMissing =
        error instanceof HttpError &&
        (error.status === 405 ||
          (error.status === 404 && !(capabilities.supportsAddMany === true && error.hasProblemBody)));
      if (!isMissing) {
        throw previousError !== undefined && isBodyFormRefusal(error) ? previousError : error;
      }
      // A 404 may also concern the datamodel: the response of the plain path decides.
      capabilities.supportsAddMany = error.status === 405 || !error.hasProblemBody ? false : undefined;
      return undefined;
    }
  }

  /** Adds the first rule alone, which shows the form, and then the others. */
  async #createFirstAlone(rules: RuleDocuments): Promise<CreatedRules> {
    const { response, form } = await this.#createOne(rules.slice(0, 1));
    this.#capabilities.supportsAddMany ??= false;
    return form === 'array'
      ? this.#createRemainingAsArray(rules, response)
      : this.#createOneByOne(rules, [response]);
  }

  /** Adds the rules one by one after an array was refused: the first shows whether the form was the reason. */
  async #createAsObjects(rules: RuleDocuments, previousError: HttpError): Promise<CreatedRules> {
    return this.#createOneByOne(rules, [
      await this.#tryOtherForm(rules.slice(0, 1), 'object', previousError),
    ]);
  }

  /** Adds the rules after the first, which is already on the server, as one array. */
  async #createRemainingAsArray(rules: RuleDocuments, firstResponse: CreatedRules): Promise<CreatedRules> {
    const remainingRules = rules.slice(1);
    try {
      return mergeResponses([
        firstResponse,
        readCreatedRules(await this.#requests.post(remainingRules, 'array'), remainingRules),
      ]);
    } catch (error) {
      throw toPartlyCreatedError(error, {
        responses: [firstResponse],
        writtenCount: 1,
        failedCount: remainingRules.length,
      });
    }
  }

  /** Adds the other rules one by one, in order, so that the written rules are always the first ones. */
  async #createOneByOne(
    rules: RuleDocuments,
    firstResponses: readonly CreatedRules[],
  ): Promise<CreatedRules> {
    const responses = [...firstResponses];
    for (const rule of rules.slice(responses.length)) {
      try {
        responses.push(this.#rememberForm('object', [rule], await this.#requests.post([rule], 'object')));
      } catch (error) {
        throw toPartlyCreatedError(error, { responses, writtenCount: responses.length, failedCount: 1 });
      }
    }
    return mergeResponses(responses);
  }

  /** Adds one rule in the known form, or else in the form that the server accepts. */
  async #createOne(
    rules: RuleDocuments,
  ): Promise<{ readonly response: CreatedRules; readonly form: LiveRuleForm }> {
    const capabilities = this.#capabilities;
    const form = capabilities.liveRuleForm ?? capabilities.liveRuleFormToTry ?? 'object';
    try {
      return { response: this.#rememberForm(form, rules, await this.#requests.post(rules, form)), form };
    } catch (error) {
      if (capabilities.liveRuleForm === undefined && error instanceof HttpError && error.status === 500) {
        // A server that fails on a form is not retried automatically; the next attempt uses the other form.
        capabilities.liveRuleFormToTry = getOtherForm(form);
      }
      if (
        !isBodyFormRefusal(error) ||
        (capabilities.liveRuleForm !== undefined && capabilities.isLiveRuleFormFinal === true)
      ) {
        throw error;
      }
      return {
        response: await this.#tryOtherForm(rules, getOtherForm(form), error),
        form: getOtherForm(form),
      };
    }
  }

  async #tryOtherForm(
    rules: RuleDocuments,
    form: LiveRuleForm,
    previousError: HttpError,
  ): Promise<CreatedRules> {
    try {
      const raw = await this.#requests.post(rules, form);
      this.#capabilities.refusesLiveRuleArray = form === 'object';
      return this.#rememberForm(form, rules, raw);
    } catch (error) {
      this.#capabilities.isLiveRuleFormFinal = true;
      if (error instanceof ApiError && getRuleRefusal(error) !== undefined) {
        // The server refused the content, so it understood the form.
        this.#capabilities.liveRuleForm = form;
      }
      throw isBodyFormRefusal(error) ? selectMoreSpecificError(previousError, error) : error;
    }
  }

  /** Remembers an accepted form if the response shows that the rules exist. */
  #rememberForm(form: LiveRuleForm, rules: RuleDocuments, raw: RawResponse): CreatedRules {
    const response = readCreatedRules(raw, rules);
    if (response.value !== undefined) {
      // A server that responds to one rule with a list is taken to accept lists, too, so that the next rules are sent
      // in one request.
      const isList = raw.text.trimStart().startsWith('[') && this.#capabilities.refusesLiveRuleArray !== true;
      this.#capabilities.liveRuleForm = isList ? 'array' : form;
      this.#capabilities.isLiveRuleFormFinal = false;
    }
    return response;
  }
}

const formStatuses: ReadonlySet<number> = new Set([400, 415, 422]);

/** True for a refusal that may concern the form of the body. The platform's own codes concern the rules. */
const isBodyFormRefusal = (error: unknown): error is HttpError =>
  error instanceof HttpError && formStatuses.has(error.status) && getRuleRefusal(error) === undefined;

/** Returns the refusal that concerns the content: users do not choose the form. */
const selectMoreSpecificError = (first: HttpError, second: HttpError): HttpError =>
  /\b(array|object|type|expected)\b/i.test(first.serverMessage ?? '') && second.serverMessage !== undefined
    ? second
    : first;

function toPartlyCreatedError(
  error: unknown,
  progress: {
    readonly responses: readonly CreatedRules[];
    readonly writtenCount: number;
    readonly failedCount: number;
  },
): unknown {
  const { responses, writtenCount, failedCount } = progress;
  return error instanceof ApiError
    ? new PartlyCreatedError({
        failure: error,
        writtenCount,
        failedCount,
        writtenRules: mergeResponses(responses).value,
      })
    : error;
}

/**
 * The rules that a server returned, always as a list: a single rule becomes a list of one. A response with other rules,
 * or another number of them, has no value.
 */
export function readCreatedRules(raw: RawResponse, rules: RuleDocuments): CreatedRules {
  const response = readWrittenItems(raw, liveRuleSchema, '_id');
  const { value } = response;
  const matchesRequest =
    value?.length === rules.length &&
    value.every(
      ({ table, column }, index) => table === rules[index]?.['table'] && column === rules[index]?.['column'],
    );
  if (!matchesRequest) {
    return { ...response, value: undefined, text: '' };
  }
  return isJsonObject(response.json) ? toListResponse([response.json], response) : response;
}

const toListResponse = (json: readonly JsonValue[], response: CreatedRules): CreatedRules => ({
  ...response,
  json,
  text: stringify(json),
});

/** Merges several responses; if one of them lacks the rules, so does the result. */
function mergeResponses(responses: readonly CreatedRules[]): CreatedRules {
  const [first, ...others] = responses;
  if (first === undefined || others.length === 0) {
    return first ?? { value: [], text: '', json: undefined, status: 200 };
  }
  const values = responses.map(({ value }) => value);
  const last = others.at(-1) ?? first;
  if (values.some((value) => value === undefined)) {
    return { ...last, value: undefined, text: '', json: undefined };
  }
  const json = responses.flatMap((response) =>
    Array.isArray(response.json) ? (response.json as JsonValue[]) : [],
  );
  return toListResponse(json, { ...last, value: values.flatMap((value) => value ?? []) });
}

/**
 * Returns a function that returns the payloads of some of the rules. Its first call creates all payloads, so that one
 * invalid rule prevents sending any.
 */
export function createPayloadLookup(
  title: string,
  rules: readonly DocumentToWrite[],
): (subset: readonly DocumentToWrite[]) => readonly JsonObject[] {
  let payloadsByRule: ReadonlyMap<DocumentToWrite, JsonObject> | undefined;
  return (subset) => {
    if (payloadsByRule === undefined) {
      const payloads = createRulePayloads(rules, (rule, path) => createLiveRulePayload(rule, title, path));
      payloadsByRule = new Map(rules.map((rule, index) => [rule, payloads[index] ?? {}]));
    }
    const allPayloads = payloadsByRule;
    return subset.map((rule) => allPayloads.get(rule) ?? {});
  };
}
