import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { isServerManagedField } from '../../contract/serverManagedFields.ts';
import type { FieldChange } from './plan.ts';
import { isEmpty } from './readJson.ts';

/** The maximum length of a shown value; longer ones are truncated to fit on one line. */
const maxTextLength = 120;

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
    const oldValue = Object.hasOwn(before, field) ? before[field] : undefined;
    if (nestedFields.includes(field) && isJsonObject(oldValue) && isJsonObject(value)) {
      return getFieldChanges(oldValue, value, nestedFields).map((change) => ({
        ...change,
        field: `${field}.${change.field}`,
      }));
    }
    return isSameField(oldValue, value) ? [] : [createFieldChange(field, oldValue, value)];
  });
}

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
  toText = toShortText,
): FieldChange {
  const [oldText, newText] = [toText(before), toText(after)];
  return {
    field,
    ...(oldText === undefined ? {} : { before: oldText }),
    ...(newText === undefined ? {} : { after: newText }),
  };
}

/** Formats a value as one short line, with a text for null and for an empty text. */
const toExactText = (value: JsonValue | undefined): string | undefined =>
  value === null || value === '' ? stringify(value) : toShortText(value);

/** Formats a value as one short line; `undefined` for an empty value. */
function toShortText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  const content =
    isJsonObject(value) && typeof value['expression'] === 'string' ? value['expression'] : value;
  const text =
    typeof content === 'string' ? content : isRawNumber(content) ? content.rawJSON : stringify(content);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength)}…` : line;
}
