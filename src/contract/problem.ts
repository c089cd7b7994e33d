import { maskText } from '../base/secrets/maskSecrets.ts';

/** An error body of API v2, which resembles problem details (platform-facts.md, 2.7). */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly sub: number;
  readonly detail: string;
}

/** An error body of API v1 (platform-facts.md, 2.7). */
export interface LegacyErrorBody {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: number;
    readonly httpMessage: string;
  };
}

/** The contents of a structured error body. */
export interface Problem {
  /** The message for the user, at most 300 characters. */
  readonly message: string;
  /** The number of the problem, from `error.code`, `code` or `sub` (platform-facts.md, 6.2 and 6.3). */
  readonly code: number | undefined;
  /** The kind of problem (platform-facts.md, 2.7), shortened. */
  readonly sub: string | undefined;
  /** The number of the problem in the server's log (platform-facts.md, "Error"), shortened. */
  readonly logref: string | undefined;
  /** True if the body only repeats the status, as web servers and gateways do for a path that they do not know. */
  readonly isStatusOnly: boolean;
}

/** Number of characters of an error text worth showing to the user. */
const maxTextLength = 300;
const maxReferenceLength = 100;

/** Number of characters of a body that are searched for a message; a longer body is not parsed as JSON. */
const maxSearchLength = 64 * 1024;

const toShortText = (value: unknown, maxLength = maxTextLength): string | undefined =>
  // Masked before it is truncated: a truncated URL may not be recognized as one with a password.
  typeof value === 'string' && value.trim() !== ''
    ? maskText(value.trim().slice(0, maxSearchLength)).slice(0, maxLength)
    : undefined;

const getField = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** A number, or a text that is one. */
function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** References are logged, so anything that could be data is dropped: text with spaces, for example. */
function toReference(value: unknown): string | undefined {
  const text = toShortText(typeof value === 'number' ? String(value) : value, maxReferenceLength);
  return text !== undefined && /^[\w.:/-]+$/.test(text) ? text : undefined;
}

/** Messages of frameworks and gateways for an unknown path or method. */
const statusOnlyPattern =
  /^(not found|method not allowed|cannot (get|post|put|patch|delete)\b.*|no route matched.*|route .* not found)\.?$/i;

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON (HTML, plain text) is not a structured problem.
    return undefined;
  }
}

/**
 * Parses a structured problem body. Its message is the first of `detail`, `reason`, `error.message`, `error` as text,
 * `message` and `title` (platform-facts.md, 2.7); `undefined` for a body without any of them.
 */
export function parseProblem(text: string): Problem | undefined {
  const body = text.length > maxSearchLength ? undefined : tryParse(text);
  const error = getField(body, 'error');
  const message =
    toShortText(getField(body, 'detail')) ??
    toShortText(getField(body, 'reason')) ??
    toShortText(getField(error, 'message')) ??
    toShortText(error) ??
    toShortText(getField(body, 'message')) ??
    toShortText(getField(body, 'title'));
  return message === undefined
    ? undefined
    : {
        message,
        code:
          toNumber(getField(error, 'code')) ??
          toNumber(getField(body, 'code')) ??
          toNumber(getField(body, 'sub')),
        sub: toReference(getField(body, 'sub')),
        logref: toReference(getField(body, 'logref')),
        isStatusOnly:
          getField(body, 'title') === undefined &&
          getField(error, 'message') === undefined &&
          statusOnlyPattern.test(message),
      };
}

/**
 * The server's message in an error body: that of a structured problem, otherwise the first 300 characters of the text
 * without its markup (platform-facts.md, 2.7); `undefined` for an empty body.
 */
export function getProblemMessage(text: string): string | undefined {
  const problem = parseProblem(text);
  if (problem !== undefined) {
    return problem.message;
  }
  const start = text.slice(0, maxSearchLength);
  return toShortText(
    /^\s*[[{"]/.test(start)
      ? start
      : start
          .replace(/<(script|style)\b.*?(<\/\1>|$)/gis, ' ')
          .replace(/<[^<>]*>/g, ' ')
          .replace(/\s+/g, ' '),
  );
}
