import { unescapePointer } from '../base/jsonPointer.ts';
import { parseItemKey } from '../project/item.ts';

/** The labels of the kinds of items whose names in JSON output are internal. */
const kindLabels: Readonly<Record<string, string>> = {
  tableExpression: 'SQL',
  columnExpression: 'SQL',
  cubeSetRules: 'cube set rules',
  customData: 'custom data',
};

/**
 * Returns an item as people read it: `SQL/Retail/Sales` for `tableExpression/Retail/Sales`. The missing names of a
 * relation that has lost a column are marked, and slashes in names aren't escaped. Other texts are unchanged.
 */
export function formatItem(item: string): string {
  const text = item.includes('~') && parseItemKey(item) !== undefined ? unescapePointer(item) : item;
  const end = item.indexOf('/');
  const kind = item.slice(0, Math.max(0, end));
  if (kind === 'relation') {
    return item
      .split('/')
      .map((name) => unescapePointer(name) || missingName)
      .join('/');
  }
  return Object.hasOwn(kindLabels, kind) ? `${kindLabels[kind] ?? kind}${text.slice(end)}` : text;
}

/** Stands for a name that no longer exists. */
const missingName = '(deleted)';

/** Returns whether an item, as people read it, is a relation that has lost a column. */
export const isBrokenRelation = (item: string): boolean =>
  item.startsWith('relation/') && item.endsWith(`/${missingName}`);

/** The properties, in the entries of an output's lists, whose values may be items. */
const itemMembers: ReadonlySet<string> = new Set(['item', 'what', 'from', 'to']);

/**
 * Returns an output with readable items in its lists, also in those of an object such as `access`. JSON output has their
 * internal kinds, and escaped names.
 */
export const labelItems = <Output extends object>(output: Output): Output =>
  mapEntries(output, (value) =>
    Array.isArray(value)
      ? labelEntries(value)
      : isObject(value)
        ? mapEntries(value, (member) => (Array.isArray(member) ? labelEntries(member) : member))
        : value,
  );

const labelEntries = (entries: readonly unknown[]): readonly unknown[] =>
  entries.map((entry) =>
    isObject(entry)
      ? mapEntries(entry, (member, name) =>
          itemMembers.has(name) && typeof member === 'string' ? formatItem(member) : member,
        )
      : entry,
  );

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const mapEntries = <Value extends object>(
  object: Value,
  map: (member: unknown, name: string) => unknown,
): Value =>
  Object.fromEntries(Object.entries(object).map(([name, member]) => [name, map(member, name)])) as Value;

/** The maximum number of items that a message lists by name. */
const maxNames = 5;

/** Lists the first names, and counts the others. */
export const formatNames = (names: readonly string[]): string =>
  names.length > maxNames
    ? `${names.slice(0, maxNames).join(', ')}, and ${names.length - maxNames} more`
    : names.join(', ');
