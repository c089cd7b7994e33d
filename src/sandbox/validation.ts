import type * as z from 'zod';
import { isJsonObject, type JsonValue, parseLossless, stringify } from '../base/json.ts';
import { describeIssue } from './describeIssue.ts';
import { HttpProblem, createValidationProblem } from './problem.ts';

/** Maximum number of validation issues in one error message. */
const maxReportedIssues = 3;

/** Maximum nesting, so that recursive code does not overflow the stack. The platform's own limit is not documented. */
const maxDepth = 200;

/**
 * Maximum number of objects and arrays in one JSON text. A body of 10 MB could contain millions of empty ones, and
 * validating each would block other requests for too long. A request of a few thousand rules has a tenth of this.
 */
const maxContainers = 100_000;

/**
 * Validates a value with a schema of the contract and returns the parsed value.
 * @param pathPrefix path of the value inside the body, e.g. `[3]` for the fourth item of an array.
 * @throws HttpProblem 400 that names the path of each invalid field (platform-facts.md, 2.7, ValidationError).
 */
export function parseWithSchema<T extends z.ZodType>(
  schema: T,
  value: unknown,
  pathPrefix: readonly PropertyKey[] = [],
): z.output<T> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) {
    return result.data;
  }
  const messages = result.error.issues.slice(0, maxReportedIssues).map(({ path, message }) => {
    const fieldPath = [...pathPrefix, ...path].map(String).join('/');
    return fieldPath === '' ? `The body: ${message}` : `${fieldPath}: ${message}`;
  });
  throw createValidationProblem(messages.join('; '));
}

/** Converts lossless JSON to ordinary JavaScript values, whose numbers may lose digits: use it only for reading. */
export const toPlainValue = (value: JsonValue | undefined): unknown =>
  value === undefined ? undefined : JSON.parse(stringify(value));

/**
 * Parses JSON text that a caller sent.
 * @param label name of the text in error messages, e.g. `The body`.
 * @throws HttpProblem 413 for too many objects and arrays, 400 for malformed JSON, for nesting that is too deep and for
 * an unpaired surrogate, which cannot be stored as text.
 */
export function parseRequestJson(text: string, label: string): JsonValue {
  if (hasTooManyContainers(text)) {
    const limit = maxContainers.toLocaleString('en-US');
    throw new HttpProblem(
      413,
      'PayloadTooLarge',
      1013,
      `${label} contains more than ${limit} objects and arrays`,
    );
  }
  let value: JsonValue;
  try {
    value = parseLossless(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw createValidationProblem(`${label} isn't valid JSON: ${error.message}`);
    }
    if (error instanceof RangeError) {
      throw createValidationProblem(`${label} is nested too deeply`);
    }
    throw error;
  }
  requireValidValue(value, label, 0);
  return value;
}

/**
 * Counts opening brackets outside strings, without the cost of parsing. Written without a regular expression, which
 * would overflow the stack in a string of several million characters.
 */
function hasTooManyContainers(text: string): boolean {
  let count = 0;
  let isInString = false;
  for (let index = 0; index < text.length && count <= maxContainers; index++) {
    const character = text[index];
    if (character === '\\') {
      index++;
    } else if (character === '"') {
      isInString = !isInString;
    } else if (!isInString && (character === '[' || character === '{')) {
      count++;
    }
  }
  return count > maxContainers;
}

function requireValidValue(value: JsonValue, label: string, depth: number): void {
  if (depth > maxDepth) {
    throw createValidationProblem(`${label} is nested more than ${maxDepth} levels deep`);
  }
  if (typeof value === 'string') {
    requireWellFormed(value, label);
  } else if (Array.isArray(value)) {
    value.forEach((item: JsonValue) => requireValidValue(item, label, depth + 1));
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      requireWellFormed(name, label);
      requireValidValue(member, label, depth + 1);
    }
  }
}

function requireWellFormed(text: string, label: string): void {
  if (!text.isWellFormed()) {
    throw createValidationProblem(`${label} contains an unpaired surrogate`);
  }
}

/**
 * Parses a query parameter as a whole number of at least 0; `undefined` when the parameter is absent or empty.
 * @throws HttpProblem 400 for any other text.
 */
export function parseWholeNumberParameter(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') {
    return undefined;
  }
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw createValidationProblem(`${name}: expected a whole number of at least 0, received "${text}"`);
  }
  return value;
}
