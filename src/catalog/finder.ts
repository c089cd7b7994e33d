import type { Findable } from './findables.ts';
import { compareNaturally } from './naturalOrder.ts';
import type { ResourceKind } from './resourceRef.ts';

/** The order of equally good matches, by kind; within a kind, shorter names come first. */
const kindOrder: readonly ResourceKind[] = ['datamodel', 'table', 'column', 'viewpoint', 'dataset', 'rule'];

/** Minimum length of a partial ID: anything shorter matches too many IDs by chance. */
const minPartialIdLength = 6;

/** Scores how well `name` matches `text`: 0 for no match. Both must be in lower case. */
export function scoreName(name: string, text: string): number {
  if (name === text) {
    return 1000;
  }
  const index = name.indexOf(text);
  if (index === 0) {
    return 800;
  }
  if (index > 0) {
    return /[\p{L}\p{N}]/u.test(name[index - 1] ?? '') ? 400 : 600;
  }
  return hasCharactersInOrder(name, text) ? 200 : 0;
}

/** True if the characters of `text` occur in this order in `name`: `odt` in `Order Date`. */
function hasCharactersInOrder(name: string, text: string): boolean {
  let index = 0;
  for (const character of text) {
    index = name.indexOf(character, index) + 1;
    if (index === 0) {
      return false;
    }
  }
  return true;
}

/**
 * Scores how well an item matches the query: a name, `Table.Column`, or an ID or the beginning of one. Returns 0 if it
 * doesn't match. An empty query matches every item.
 */
export function scoreFindable(findable: Findable, query: string): number {
  const text = query.trim().toLowerCase();
  if (text === '') {
    return 1;
  }
  const id = findable.id.toLowerCase();
  if (id === text) {
    return 2000;
  }
  if (text.length >= minPartialIdLength && id.startsWith(text)) {
    return 1500;
  }
  if (findable.ref.kind === 'relation') {
    return 0;
  }
  const nameScore = scoreName(findable.name.toLowerCase(), text);
  return Math.max(nameScore, scoreQualified(findable, text));
}

function scoreQualified({ name, within }: Findable, text: string): number {
  const dotIndex = text.lastIndexOf('.');
  const container = within.at(-1);
  if (dotIndex <= 0 || container === undefined) {
    return 0;
  }
  const containerScore = scoreName(container.toLowerCase(), text.slice(0, dotIndex).trim());
  const nameScore =
    dotIndex === text.length - 1 ? 1 : scoreName(name.toLowerCase(), text.slice(dotIndex + 1).trim());
  return containerScore === 0 || nameScore === 0 ? 0 : (containerScore + nameScore) / 2;
}

/** The best matches, best first, at most `limit` of them. */
export function findBestMatches<T extends Findable>(
  findables: Iterable<T>,
  query: string,
  limit: number,
): readonly T[] {
  const matches: { readonly findable: T; readonly score: number }[] = [];
  for (const findable of findables) {
    const score = scoreFindable(findable, query);
    if (score > 0) {
      matches.push({ findable, score });
    }
  }
  return matches
    .sort(
      (a, b) =>
        b.score - a.score || compareByKind(a.findable, b.findable) || compareByName(a.findable, b.findable),
    )
    .slice(0, limit)
    .map(({ findable }) => findable);
}

const compareByKind = (a: Findable, b: Findable): number => getKindRank(a) - getKindRank(b);

function getKindRank({ ref }: Findable): number {
  const index = kindOrder.indexOf(ref.kind);
  return index === -1 ? kindOrder.length : index;
}

const compareByName = (a: Findable, b: Findable): number =>
  a.name.length - b.name.length || compareNaturally(a.name, b.name);
