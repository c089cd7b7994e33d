import type { SecretRange } from './mask.ts';

/** A value of a JSON text, in text order, and its secret parts; `'all'` also for a value that is not text. */
export interface JsonLeaf {
  readonly value: unknown;
  readonly secrets: readonly SecretRange[] | 'all';
}

/** Parses a text as JSON; `undefined` for a text that is neither an object nor a list. */
export function parseJsonContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    // Braces alone do not make JSON: the text is searched like any other.
    return undefined;
  }
}

/**
 * The positions of the secrets in a JSON text, so that the rest of it stays as written.
 * @param leaves the values that {@link parseJsonContainer} returns, one by one
 * @returns `undefined` if the values are in another order (numeric or duplicate keys)
 */
export function findSecretRangesInJson(
  text: string,
  leaves: readonly JsonLeaf[],
): readonly SecretRange[] | undefined {
  const found: SecretRange[] = [];
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[^\s{}[\],:"]+/g;
  let count = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [source, colon] = match;
    if (colon !== undefined) {
      continue;
    }
    const leaf = leaves[count];
    count += 1;
    if (leaf === undefined || JSON.parse(source) !== leaf.value) {
      return undefined;
    }
    found.push(...mapRangesToSource(source, match.index, leaf));
  }
  return count === leaves.length ? found : undefined;
}

function mapRangesToSource(source: string, at: number, { secrets }: JsonLeaf): readonly SecretRange[] {
  const isText = source.startsWith('"');
  if (secrets === 'all') {
    return isText
      ? [{ start: at + 1, end: at + source.length - 1 }]
      : [{ start: at, end: at + source.length }];
  }
  if (secrets.length === 0) {
    return [];
  }
  // The start of each character of the value in the source, in which some are escaped.
  const begins: number[] = [];
  for (const { index } of source.slice(1, -1).matchAll(/\\u[\da-fA-F]{4}|\\.|[^\\]/gs)) {
    begins.push(at + 1 + index);
  }
  begins.push(at + source.length - 1);
  return secrets.map(({ start, end }) => ({ start: begins[start] ?? at, end: begins[end] ?? at }));
}
