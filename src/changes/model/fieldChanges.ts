import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import type { UserDirectory, PartyKind } from '../../catalog/people/userDirectory.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import type { FieldChange } from './plan.ts';
import { isEmpty } from './jsonMembers.ts';

/** The maximum length of a shown value; longer ones are truncated to fit on one line. */
const maxTextLength = 120;
/** The maximum length of two texts that are compared line by line, in characters. */
const maxTextsLength = 100_000;
/** The number of characters that are shown before the first difference of two long values. */
const contextLength = 40;

/**
 * Returns the fields in which a payload differs from the document it changes. Fields that are not sent stay unchanged.
 * @param nestedFields fields whose members are compared and listed one by one
 */
function getFieldChanges(
  before: JsonObject,
  payload: JsonObject,
  nestedFields: readonly string[] = [],
): readonly FieldChange[] {
  return Object.entries(payload).flatMap(([field, value]): readonly FieldChange[] => {
    const storedValue = Object.hasOwn(before, field) ? before[field] : undefined;
    const oldValue = field === 'visibility' && isEmpty(storedValue) ? {} : storedValue;
    if (nestedFields.includes(field) && isJsonObject(oldValue) && isJsonObject(value)) {
      return getNestedChanges(oldValue, value, nestedFields).map((change) => ({
        ...change,
        ...(field === 'visibility' ? getParties(change.field, oldValue, value) : {}),
        field: `${field}.${change.field}`,
      }));
    }
    return isSameField(oldValue, value) ? [] : [createFieldChange(field, oldValue, value)];
  });
}

/**
 * Returns the changed fields of a nested object. Lists of as many objects as before, such as the columns of a
 * viewpoint, are compared object by object.
 */
const getNestedChanges = (
  before: JsonObject,
  payload: JsonObject,
  nestedFields: readonly string[],
): readonly FieldChange[] =>
  Object.entries(payload).flatMap(([field, value]) => {
    const [oldItems, items] = [asObjects(before[field]), asObjects(value)];
    return oldItems === undefined || items === undefined || oldItems.length !== items.length
      ? getFieldChanges(before, { [field]: value }, nestedFields)
      : oldItems.flatMap((oldItem, index) =>
          getFieldChanges(oldItem, withRemovedMembers(oldItem, items[index] ?? {})).map((change) => ({
            ...change,
            field: `${field}[${index}].${change.field}`,
          })),
        );
  });

/** The members of a visibility that list users or groups (rest-api.md, "ViewpointVisibility"). */
const partyMembers: ReadonlyMap<string, PartyKind> = new Map([
  ['users', 'user'],
  ['groups', 'group'],
]);

/** Returns the users or groups that a member of a visibility lists before and after; nothing for other members. */
function getParties(member: string, before: JsonObject, after: JsonObject): Pick<FieldChange, 'parties'> {
  const type = partyMembers.get(member);
  return type === undefined ? {} : { parties: { type, before: before[member], after: after[member] } };
}

/**
 * Returns a changed field with the names of the users or groups that it lists, and with their IDs where several have
 * the same name. If both lists have the same parties, one by name and the other by ID, the result has no values.
 */
export function nameFieldParties(
  change: FieldChange,
  directory: Pick<UserDirectory, 'resolve'>,
): FieldChange {
  const { field, parties } = change;
  if (parties === undefined) {
    return change;
  }
  const toNames = (list: JsonValue | undefined): JsonValue | undefined =>
    Array.isArray(list)
      ? (list as readonly JsonValue[]).map((item) =>
          typeof item === 'string' ? nameParty(directory, parties.type, item) : item,
        )
      : list;
  return createFieldChange(field, toNames(parties.before), toNames(parties.after));
}

/**
 * Returns the name of the user or group with an ID, and the ID if others have the name, too; other texts as they are.
 */
function nameParty(directory: Pick<UserDirectory, 'resolve'>, type: PartyKind, text: string): string {
  const party = directory.resolve(type, text);
  if (party.kind !== 'known' || party.id !== text) {
    return text;
  }
  const named = directory.resolve(type, party.name);
  return named.kind === 'known' && named.id === text ? party.name : `${party.name} (${text})`;
}

const asObjects = (value: JsonValue | undefined): readonly JsonObject[] | undefined =>
  Array.isArray(value) && (value as readonly JsonValue[]).every(isJsonObject)
    ? (value as readonly JsonObject[])
    : undefined;

/**
 * Returns the new version of an object that is replaced as a whole, with null for each member that it no longer has.
 */
const withRemovedMembers = (before: JsonObject, after: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.keys(before).map((name) => [name, null])),
  ...after,
});

/**
 * Returns the changed fields like {@link getFieldChanges}, without the fields that the server maintains.
 */
export const getDocumentChanges = (
  before: JsonObject,
  payload: JsonObject,
  nestedFields: readonly string[] = [],
): readonly FieldChange[] =>
  getFieldChanges(
    before,
    Object.fromEntries(Object.entries(payload).filter(([field]) => !isServerManagedField(field))),
    nestedFields,
  );

/**
 * Compares two field values. The platform treats null and an absent field the same (platform-facts.md, 2.2). All its
 * forms of an empty value are equal, since a plan shows none of them.
 */
export const isSameField = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  (isEmpty(a) && isEmpty(b)) || toComparableText(a) === toComparableText(b);

/**
 * Returns the members in which an object of custom data differs from the one it changes. They belong to apps, for which
 * null, an empty text and an absent member may differ.
 */
export const getMemberChanges = (before: JsonObject, members: JsonObject): readonly FieldChange[] =>
  Object.entries(members).flatMap(([field, value]): readonly FieldChange[] => {
    const oldValue = Object.hasOwn(before, field) ? before[field] : undefined;
    const isSame = oldValue !== undefined && stringify(oldValue) === stringify(value);
    return isSame ? [] : [createFieldChange(field, oldValue, value, toExactText)];
  });

/** An expression is text in a request and `{oid, expression}` in a response (platform-facts.md, 2.2). */
const toComparableText = (value: JsonValue | undefined): string =>
  isJsonObject(value) && typeof value['expression'] === 'string'
    ? stringify(value['expression'])
    : stringify(value ?? null);

function createFieldChange(
  field: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  toText = toLine,
): FieldChange {
  const [oldLine, newLine] = [toText(before), toText(after)];
  // Values such as null and the text "null" look the same: their JSON distinguishes them.
  const isOtherType = oldLine !== undefined && oldLine === newLine && typeof before !== typeof after;
  const [oldText, newText] = isOtherType
    ? [stringify(before ?? null), stringify(after ?? null)]
    : toShortTexts(oldLine, newLine);
  return {
    field,
    ...(oldText === undefined ? {} : { before: oldText }),
    ...(newText === undefined ? {} : { after: newText }),
    ...getTexts(field, before, after),
  };
}

/** Returns the values of a field as texts if they are SQL, or if one of them has several lines. */
function getTexts(
  field: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Pick<FieldChange, 'texts'> {
  const [oldText, newText] = [toText(before), toText(after)];
  if (
    oldText === undefined ||
    newText === undefined ||
    oldText.length + newText.length > maxTextsLength ||
    !(isExpressionField(field) || [oldText, newText].some((text) => /[\r\n]/.test(text.trim())))
  ) {
    return {};
  }
  return { texts: { before: oldText, after: newText } };
}

/** Returns whether a changed field contains SQL, itself or as a member. */
export const isExpressionField = (field: string): boolean =>
  field === 'expression' || field.endsWith('.expression');

/** Returns a text as it is, empty for an empty value; `undefined` for a value of another type. */
function toText(value: JsonValue | undefined): string | undefined {
  const content = isJsonObject(value) ? value['expression'] : value;
  return isEmpty(content) ? '' : typeof content === 'string' ? content : undefined;
}

/** Formats a value as one line, with a text for null and for an empty text. */
const toExactText = (value: JsonValue | undefined): string | undefined =>
  value === null || value === '' ? stringify(value) : toLine(value);

/** Formats a value as one line; `undefined` for an empty value. */
function toLine(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  const content =
    isJsonObject(value) && typeof value['expression'] === 'string' ? value['expression'] : value;
  const text =
    typeof content === 'string' ? content : isRawNumber(content) ? content.rawJSON : stringify(content);
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Truncates two versions of a value. If one of them is long, both begin shortly before their first difference, so that
 * it is shown. If they only differ in whitespace, there is nothing to show.
 */
function toShortTexts(
  before: string | undefined,
  after: string | undefined,
): readonly [string | undefined, string | undefined] {
  if (before === undefined || after === undefined) {
    return [before && truncate(before, 0), after && truncate(after, 0)];
  }
  const difference = findDifference(before, after);
  if (difference === undefined) {
    return [undefined, undefined];
  }
  const isLong = Math.max(before.length, after.length) > maxTextLength;
  const start = isLong ? findStart(before, difference) : 0;
  return [truncate(before, start), truncate(after, start)];
}

/** Returns where to begin so that a difference is shown after a few whole words, if there are any. */
function findStart(text: string, difference: number): number {
  const earliest = difference - contextLength;
  if (earliest <= 0) {
    return 0;
  }
  const wordStart = text.indexOf(' ', earliest) + 1;
  return wordStart === 0 || wordStart > difference ? earliest : wordStart;
}

/** Returns the position of the first difference of two texts; `undefined` if they are equal. */
function findDifference(a: string, b: string): number | undefined {
  let index = 0;
  while (index < a.length && a[index] === b[index]) {
    index += 1;
  }
  return a.length === b.length && index === a.length ? undefined : index;
}

const truncate = (text: string, start: number): string => {
  const end = start + maxTextLength;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`;
};
