import { maskText } from '../base/secrets/maskSecrets.ts';

/** Error bodies of the platform (platform-facts 2.7): v2 is problem-details like, v1 has an `error` object. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly sub: number;
  readonly detail: string;
}

export interface LegacyErrorBody {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: number;
    readonly httpMessage: string;
  };
}

/** What a structured error body says. */
export interface Problem {
  /** The words for a person, at most 300 characters. */
  readonly words: string;
  /** The number of the problem, of `error.code`, `code` or `sub` (contract v1.0 and v2.0). */
  readonly code: number | undefined;
  /** What the platform adds to find the problem by (contract v2.0, Error). */
  readonly sub: string | undefined;
  readonly logref: string | undefined;
  /** The body only repeats the status, as web servers and gateways do for a path that they do not know. */
  readonly isBare: boolean;
}

/** How many characters of an error text are worth showing to a person. */
const longestText = 300;
const longestReference = 100;

/** How much of a body is searched for words: an error page may be of any length. */
const longestSearch = 64 * 1024;

const textOf = (value: unknown, longest = longestText): string | undefined =>
  // Masked before it is cut: half an address does not show that it has a password.
  typeof value === 'string' && value.trim() !== ''
    ? maskText(value.trim().slice(0, longestSearch)).slice(0, longest)
    : undefined;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** A number, or a text that is one. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

const referenceOf = (value: unknown): string | undefined =>
  textOf(typeof value === 'number' ? String(value) : value, longestReference);

/** What frameworks and gateways say of a path or a method that nobody serves. */
const bareStatus =
  /^(not found|method not allowed|cannot (get|post|put|patch|delete)\b.*|no route matched.*|route .* not found)\.?$/i;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is no JSON (HTML, plain words) is no structured problem.
    return undefined;
  }
}

/**
 * What a structured problem body says: `detail` → `reason` → `error.message` → `error` as text → `message` → `title`
 * (platform-facts 2.7; `reason` and `error` as text were recorded, contract v2.0 has `sub` and `logref`); `undefined`
 * for any other body.
 */
export function problemOf(text: string): Problem | undefined {
  const body = text.length > longestSearch ? undefined : parsed(text);
  const error = field(body, 'error');
  const words =
    textOf(field(body, 'detail')) ??
    textOf(field(body, 'reason')) ??
    textOf(field(error, 'message')) ??
    textOf(error) ??
    textOf(field(body, 'message')) ??
    textOf(field(body, 'title'));
  return words === undefined
    ? undefined
    : {
        words,
        code: numberOf(field(error, 'code')) ?? numberOf(field(body, 'code')) ?? numberOf(field(body, 'sub')),
        sub: referenceOf(field(body, 'sub')),
        logref: referenceOf(field(body, 'logref')),
        isBare:
          field(body, 'title') === undefined &&
          field(error, 'message') === undefined &&
          bareStatus.test(words),
      };
}

/**
 * The server's own words in an error body: those of a structured problem, else the first 300 characters of the text
 * without its markup (platform-facts 2.7); `undefined` for an empty body.
 */
export function wordsOfProblem(text: string): string | undefined {
  const problem = problemOf(text);
  if (problem !== undefined) {
    return problem.words;
  }
  const start = text.slice(0, longestSearch);
  return textOf(
    /^\s*[[{"]/.test(start)
      ? start
      : start
          .replace(/<(script|style)\b.*?(<\/\1>|$)/gis, ' ')
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' '),
  );
}
