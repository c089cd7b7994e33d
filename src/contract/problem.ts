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

/**
 * The server's own words in an error body: `detail` → `error.message` → `message` → `title` → the first 300
 * characters of the text (platform-facts 2.7); `undefined` for an empty body.
 */
export function wordsOfProblem(text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return textOf(text.replace(/<(script|style)[^>]*>.*?<\/\1>/gis, ' ').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
  }
  return (
    textOf(field(body, 'detail')) ??
    textOf(field(field(body, 'error'), 'message')) ??
    textOf(field(body, 'message')) ??
    textOf(field(body, 'title')) ??
    textOf(text)
  );
}
