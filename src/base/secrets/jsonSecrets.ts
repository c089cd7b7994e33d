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
  const ranges: SecretRange[] = [];
  const tokenPattern = /"(?:[^"\\]|\\.)*"(\s*:)?|[^\s{}[\],:"]+/g;
  let leafCount = 0;
  for (let match = tokenPattern.exec(text); match !== null; match = tokenPattern.exec(text)) {
    const [source, colon] = match;
    if (colon !== undefined) {
      continue;
    }
    const leaf = leaves[leafCount];
    leafCount += 1;
    if (leaf === undefined || JSON.parse(source) !== leaf.value) {
      return undefined;
    }
    ranges.push(...mapRangesToSource(source, match.index, leaf));
  }
  return leafCount === leaves.length ? ranges : undefined;
}

function mapRangesToSource(
  source: string,
  sourceStart: number,
  { secrets }: JsonLeaf,
): readonly SecretRange[] {
  const isText = source.startsWith('"');
  if (secrets === 'all') {
    return isText
      ? [{ start: sourceStart + 1, end: sourceStart + source.length - 1 }]
      : [{ start: sourceStart, end: sourceStart + source.length }];
  }
  if (secrets.length === 0) {
    return [];
  }
  // The source offset of each character of the value; in the source, some characters are escaped.
  const characterStarts: number[] = [];
  for (const { index } of source.slice(1, -1).matchAll(/\\u[\da-fA-F]{4}|\\.|[^\\]/gs)) {
    characterStarts.push(sourceStart + 1 + index);
  }
  characterStarts.push(sourceStart + source.length - 1);
  return secrets.map(({ start, end }) => ({
    start: characterStarts[start] ?? sourceStart,
    end: characterStarts[end] ?? sourceStart,
  }));
}
