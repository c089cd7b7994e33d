import type { SecretRange } from './mask.ts';

/** A string, number, boolean or null in a JSON text, and its secret parts. */
export interface JsonLeaf {
  readonly value: unknown;
  readonly secrets: readonly SecretRange[] | 'all';
}

/** Parses a text that is a JSON object or array; `undefined` for any other text. */
export function parseJsonContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, although it starts with a bracket.
    return undefined;
  }
}

/**
 * Finds the ranges of the secrets in the source of a JSON text, so that the rest of the text can stay unchanged.
 * @param leaves the leaves of the value that {@link parseJsonContainer} returns, in order
 * @returns `undefined` if the text has its values in another order, because of numeric or duplicate keys
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
  // The source offset of each character of the value; in the source, some characters are escaped.
  const begins: number[] = [];
  for (const { index } of source.slice(1, -1).matchAll(/\\u[\da-fA-F]{4}|\\.|[^\\]/gs)) {
    begins.push(at + 1 + index);
  }
  begins.push(at + source.length - 1);
  return secrets.map(({ start, end }) => ({ start: begins[start] ?? at, end: begins[end] ?? at }));
}
