import { getFilterPosition } from './filterPosition.ts';
import type { ObjectKey } from './collectKeys.ts';

/** A completion item for a filter. */
export interface FilterCompletion {
  readonly label: string;
  readonly kind: 'key' | 'operator' | 'value';
  /** The text that replaces `start`–`end`. */
  readonly insertText: string;
  readonly start: number;
  readonly end: number;
  /** Number of objects that have the key; absent for items other than keys. */
  readonly count?: number;
}

/**
 * Operators of a find filter (rest-api.md, "Custom data API"), each with the value to insert after it. Only equality
 * and `$exists` are documented; the others are likely to be supported (platform-facts.md, 4).
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
const logicalOperators: Readonly<Record<string, string>> = { $and: '[{}]', $or: '[{}]', $nor: '[{}]' };

const maxProposals = 100;

/** True for an operator that combines filters: its value contains field names again. */
const isLogicalOperator = (name: string): boolean => Object.hasOwn(logicalOperators, name);

/** The completions at a position in a filter: keys of the objects, operators, and values of the key. */
export function completeFilter(
  text: string,
  offset: number,
  keys: readonly ObjectKey[],
): readonly FilterCompletion[] {
  const position = getFilterPosition(text, offset);
  if (position.kind === 'outside') {
    return position.isEmpty
      ? [{ label: '{ }', kind: 'value', insertText: '{}', start: 0, end: text.length }]
      : [];
  }
  const { start, typedText } = position;
  const end = findTokenEnd(text, start, offset);
  const selectMatches = <Item extends { readonly label: string }>(items: readonly Item[]): readonly Item[] =>
    filterAndRank(items, typedText).slice(0, maxProposals);
  const enclosingFieldPath = position.parentNames.filter(
    (name) => !isLogicalOperator(name) && name !== '$not' && name !== '$elemMatch',
  );
  if (position.kind === 'name') {
    const expectsFieldName = enclosingFieldPath.length === 0 || position.parentNames.at(-1) === '$elemMatch';
    const hasValue = /^\s*:/.test(text.slice(end));
    const formatProperty = (name: string, value: string): string => {
      const quotedName = JSON.stringify(name);
      return hasValue ? quotedName : `${quotedName}: ${value}`;
    };
    const prefix = position.parentNames.at(-1) === '$elemMatch' ? `${enclosingFieldPath.join('.')}.` : '';
    const proposals = expectsFieldName
      ? [
          ...keys
            .filter(({ path }) => path.startsWith(prefix))
            .map(({ path, count }) => {
              const label = path.slice(prefix.length);
              return { label, kind: 'key', insertText: formatProperty(label, ''), count } as const;
            }),
          ...Object.entries(logicalOperators).map(([label, value]) =>
            createOperatorCompletion(label, formatProperty(label, value)),
          ),
        ]
      : Object.entries(fieldOperators).map(([label, value]) =>
          createOperatorCompletion(label, formatProperty(label, value)),
        );
    return selectMatches(proposals).map((proposal) => ({ ...proposal, start, end }));
  }
  return selectMatches(getValueCompletions(position.parentNames, enclosingFieldPath, keys)).map(
    (completion) => ({
      ...completion,
      start,
      end,
    }),
  );
}

const createOperatorCompletion = (label: string, insertText: string) =>
  ({ label, kind: 'operator', insertText }) as const;

function getValueCompletions(
  parentNames: readonly string[],
  fieldPath: readonly string[],
  keys: readonly ObjectKey[],
): readonly Pick<FilterCompletion, 'label' | 'kind' | 'insertText'>[] {
  const parentName = parentNames.at(-1) ?? '';
  if (parentName === '$exists') {
    return ['true', 'false'].map((label) => ({ label, kind: 'value', insertText: label }));
  }
  if (isLogicalOperator(parentName)) {
    return [{ label: '{ }', kind: 'value', insertText: '{}' }];
  }
  const path = fieldPath.filter((name) => !name.startsWith('$')).join('.');
  const matchingKey = keys.find((key) => key.path === path);
  const values = (matchingKey?.values ?? []).map(
    (label) => ({ label, kind: 'value', insertText: label }) as const,
  );
  return parentName.startsWith('$')
    ? values
    : [
        ...values,
        createOperatorCompletion('{ "$exists": true }', '{ "$exists": true }'),
        createOperatorCompletion('{ "$in": [ ] }', '{ "$in": [] }'),
      ];
}

/** The items that contain the typed text, those that start with it first; ignores case. */
function filterAndRank<Item extends { readonly label: string }>(
  items: readonly Item[],
  typedText: string,
): readonly Item[] {
  const searchText = typedText.toLowerCase();
  const getRank = ({ label }: Item): number => {
    const unquotedLabel = label.toLowerCase().replace(/^"/, '');
    return unquotedLabel.startsWith(searchText) ? 0 : unquotedLabel.includes(searchText) ? 1 : 2;
  };
  return items.filter((item) => getRank(item) < 2).toSorted((a, b) => getRank(a) - getRank(b));
}

/**
 * The end of the word or string that contains the caret: accepting a completion replaces all of it. One that begins at
 * the caret is kept.
 */
function findTokenEnd(text: string, start: number, offset: number): number {
  if (start === offset) {
    return offset;
  }
  const textAfter = text.slice(offset);
  if (text[start] === '"') {
    const stringRemainder = /^(?:[^"\\\n]|\\.)*"/.exec(textAfter)?.[0];
    return offset + (stringRemainder?.length ?? 0);
  }
  return offset + (/^[^\s:,{}[\]"]*/.exec(textAfter)?.[0].length ?? 0);
}
