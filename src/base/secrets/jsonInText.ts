import type { SecretRange } from './mask.ts';

/** A value of a JSON text, in the order of the text, and which parts of it are secret; `'all'` for no text, too. */
export interface JsonLeaf {
  readonly value: unknown;
  readonly secrets: readonly SecretRange[] | 'all';
}

/** What a text says as JSON; `undefined` for a text that is no object and no list. */
export function parseJsonContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    // Braces do not make JSON: the text is searched like any other.
    return undefined;
  }
}

/**
 * Where the secrets of a JSON text are, so that the rest of it stays as it is written.
 * @param leaves what {@link parseJsonContainer} says, value by value
 * @returns `undefined` where the values do not stand in that order (keys that are numbers, or there twice)
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
  // Where each character of the value begins in the source, in which some are escaped.
  const begins: number[] = [];
  for (const { index } of source.slice(1, -1).matchAll(/\\u[\da-fA-F]{4}|\\.|[^\\]/gs)) {
    begins.push(at + 1 + index);
  }
  begins.push(at + source.length - 1);
  return secrets.map(({ start, end }) => ({ start: begins[start] ?? at, end: begins[end] ?? at }));
}
