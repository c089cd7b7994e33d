import type { Findable } from './findables.ts';
import { compareNaturally } from './naturalOrder.ts';
import type { ResourceKind } from './resourceRef.ts';

/** The order of equally good matches, by kind; within a kind, shorter names come first. */
const kindOrder: readonly ResourceKind[] = ['datamodel', 'table', 'column', 'viewpoint', 'dataset', 'rule'];

/** Minimum length of a partial ID: anything shorter matches too many IDs by chance. */
const shortestIdPart = 6;

/** Scores how well `name` matches `text`: 0 for no match. Both must be in lower case. */
export function scoreName(name: string, text: string): number {
  if (name === text) {
    return 1000;
  }
  const at = name.indexOf(text);
  if (at === 0) {
    return 800;
  }
  if (at > 0) {
    return /[\p{L}\p{N}]/u.test(name[at - 1] ?? '') ? 400 : 600;
  }
  return isScattered(name, text) ? 200 : 0;
}

/** True if the characters of `text` occur in `name` in the same order: `odt` in `Order Date`. */
function isScattered(name: string, text: string): boolean {
  let at = 0;
  for (const character of text) {
    at = name.indexOf(character, at) + 1;
    if (at === 0) {
      return false;
    }
  }
  return true;
}

/** Scores how well an item matches the query: a name, `Table.Column`, or an ID or the beginning of one. */
export function scoreFindable(findable: Findable, typed: string): number {
  const text = typed.trim().toLowerCase();
  if (text === '') {
    return 1;
  }
  const id = findable.id.toLowerCase();
  if (id === text) {
    return 2000;
  }
  if (text.length >= shortestIdPart && id.startsWith(text)) {
    return 1500;
  }
  if (findable.ref.kind === 'relation') {
    return 0;
  }
  const own = scoreName(findable.name.toLowerCase(), text);
  return Math.max(own, scoreQualified(findable, text));
}

function scoreQualified({ name, within }: Findable, text: string): number {
  const dot = text.lastIndexOf('.');
  const container = within.at(-1);
  if (dot <= 0 || container === undefined) {
    return 0;
  }
  const outer = scoreName(container.toLowerCase(), text.slice(0, dot).trim());
  const inner = dot === text.length - 1 ? 1 : scoreName(name.toLowerCase(), text.slice(dot + 1).trim());
  return outer === 0 || inner === 0 ? 0 : (outer + inner) / 2;
}

/** The best matches, best first, at most `limit` of them. */
export function findBestMatches<T extends Findable>(
  things: Iterable<T>,
  typed: string,
  limit: number,
): readonly T[] {
  const found: { readonly thing: T; readonly score: number }[] = [];
  for (const thing of things) {
    const score = scoreFindable(thing, typed);
    if (score > 0) {
      found.push({ thing, score });
    }
  }
  return found
    .sort((a, b) => b.score - a.score || compareByKind(a.thing, b.thing) || compareByName(a.thing, b.thing))
    .slice(0, limit)
    .map(({ thing }) => thing);
}

const compareByKind = (a: Findable, b: Findable): number => getKindRank(a) - getKindRank(b);

function getKindRank({ ref }: Findable): number {
  const at = kindOrder.indexOf(ref.kind);
  return at === -1 ? kindOrder.length : at;
}

const compareByName = (a: Findable, b: Findable): number =>
  a.name.length - b.name.length || compareNaturally(a.name, b.name);
