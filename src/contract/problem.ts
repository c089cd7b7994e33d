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

/** How many characters of an error text are worth showing to a person. */
const longestText = 300;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longestText) : undefined;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** How much of a body is searched for words: an error page may be of any length. */
const longestSearch = 64 * 1024;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is no JSON (HTML, plain words) is no structured problem.
    return undefined;
  }
}

/**
 * The words of a structured problem body, `detail` → `error.message` → `message` → `title` (platform-facts 2.7), at
 * most 300 characters; `undefined` for any other body.
 */
export function detailOfProblem(text: string): string | undefined {
  const body = text.length > longestSearch ? undefined : parsed(text);
  return (
    textOf(field(body, 'detail')) ??
    textOf(field(field(body, 'error'), 'message')) ??
    textOf(field(body, 'message')) ??
    textOf(field(body, 'title'))
  );
}

/**
 * The server's own words in an error body: those of a structured problem, else the first 300 characters of the text
 * without its markup (platform-facts 2.7); `undefined` for an empty body.
 */
export function wordsOfProblem(text: string): string | undefined {
  const detail = detailOfProblem(text);
  if (detail !== undefined) {
    return detail;
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
