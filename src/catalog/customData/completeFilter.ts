import { getFilterPosition } from './filterPosition.ts';
import type { ObjectKey } from './collectKeys.ts';

/** A completion item for a filter. */
export interface FilterCompletion {
  readonly label: string;
  readonly kind: 'key' | 'operator' | 'value';
  /** The text that replaces `start`–`end`. */
  readonly insert: string;
  readonly start: number;
  readonly end: number;
  /** Number of objects that have the key; absent for items other than keys. */
  readonly count?: number;
}

/**
 * Operators of a find filter (rest-api.md, "Custom data API"), each with the value to insert after it. Equality and
 * `$exists` are certain, the others are said to follow the same syntax (platform-facts.md, 4).
 */
const fieldOperators: Readonly<Record<string, string>> = {
  $exists: 'true',
  $eq: '',
  $ne: '',
  $in: '[]',
  $nin: '[]',
  $gt: '',
  $gte: '',
  $lt: '',
  $lte: '',
  $regex: '""',
  $not: '{}',
  $all: '[]',
  $size: '',
  $elemMatch: '{}',
  $type: '""',
};
const joiningOperators: Readonly<Record<string, string>> = { $and: '[{}]', $or: '[{}]', $nor: '[{}]' };

const maxProposals = 100;

/** True for an operator that combines filters: its value contains field names again. */
const isJoining = (name: string): boolean => Object.hasOwn(joiningOperators, name);

/** The completions at a position in a filter: keys of the objects, operators, and values of the key. */
export function completeFilter(
  text: string,
  offset: number,
  keys: readonly ObjectKey[],
): readonly FilterCompletion[] {
  const place = getFilterPosition(text, offset);
  if (place.kind === 'outside') {
    return place.isEmpty ? [{ label: '{ }', kind: 'value', insert: '{}', start: 0, end: text.length }] : [];
  }
  const { start, typed } = place;
  const end = findTokenEnd(text, start, offset);
  const matching = <Item extends { readonly label: string }>(items: readonly Item[]): readonly Item[] =>
    rankByMatch(items, typed).slice(0, maxProposals);
  const field = place.above.filter((name) => !isJoining(name) && name !== '$not' && name !== '$elemMatch');
  if (place.kind === 'name') {
    const isField = field.length === 0 || place.above.at(-1) === '$elemMatch';
    const hasValue = /^\s*:/.test(text.slice(end));
    const named = (name: string, value: string): string => {
      const quoted = JSON.stringify(name);
      return hasValue ? quoted : `${quoted}: ${value}`;
    };
    const prefix = place.above.at(-1) === '$elemMatch' ? `${field.join('.')}.` : '';
    const proposed = isField
      ? [
          ...keys
            .filter(({ path }) => path.startsWith(prefix))
            .map(({ path, count }) => {
              const label = path.slice(prefix.length);
              return { label, kind: 'key', insert: named(label, ''), count } as const;
            }),
          ...Object.entries(joiningOperators).map(([label, value]) =>
            createOperator(label, named(label, value)),
          ),
        ]
      : Object.entries(fieldOperators).map(([label, value]) => createOperator(label, named(label, value)));
    return matching(proposed).map((each) => ({ ...each, start, end }));
  }
  return matching(getValuesAt(place.above, field, keys)).map((each) => ({ ...each, start, end }));
}

const createOperator = (label: string, insert: string) => ({ label, kind: 'operator', insert }) as const;

function getValuesAt(
  above: readonly string[],
  field: readonly string[],
  keys: readonly ObjectKey[],
): readonly Pick<FilterCompletion, 'label' | 'kind' | 'insert'>[] {
  const last = above.at(-1) ?? '';
  if (last === '$exists') {
    return ['true', 'false'].map((label) => ({ label, kind: 'value', insert: label }));
  }
  if (isJoining(last)) {
    return [{ label: '{ }', kind: 'value', insert: '{}' }];
  }
  const path = field.filter((name) => !name.startsWith('$')).join('.');
  const seen = keys.find((key) => key.path === path);
  const values = (seen?.values ?? []).map((label) => ({ label, kind: 'value', insert: label }) as const);
  return last.startsWith('$')
    ? values
    : [
        ...values,
        createOperator('{ "$exists": true }', '{ "$exists": true }'),
        createOperator('{ "$in": [ ] }', '{ "$in": [] }'),
      ];
}

/** The items that contain the typed text, those that start with it first; ignores case. */
function rankByMatch<Item extends { readonly label: string }>(
  items: readonly Item[],
  typed: string,
): readonly Item[] {
  const wanted = typed.toLowerCase();
  const rank = ({ label }: Item): number => {
    const plain = label.toLowerCase().replace(/^"/, '');
    return plain.startsWith(wanted) ? 0 : plain.includes(wanted) ? 1 : 2;
  };
  return items.filter((item) => rank(item) < 2).toSorted((a, b) => rank(a) - rank(b));
}

/** The end of the word or string at the caret: accepting a completion replaces all of it. */
function findTokenEnd(text: string, start: number, offset: number): number {
  const rest = text.slice(offset);
  if (text[start] === '"') {
    const close = /^(?:[^"\\\n]|\\.)*"/.exec(rest)?.[0];
    return offset + (close?.length ?? 0);
  }
  return start === offset ? offset : offset + (/^[^\s:,{}[\]"]*/.exec(rest)?.[0].length ?? 0);
}
