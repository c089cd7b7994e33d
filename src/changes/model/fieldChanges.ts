import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, stringify } from '../../base/json.ts';
import { isBookkeeping } from '../../contract/bookkeeping.ts';
import type { FieldChange } from './plan.ts';

/** Longer texts say too much for one line. */
const longestText = 120;

/**
 * The fields in which a payload differs from the document it changes. A field that is not sent stays as it is.
 * @param within fields whose members are told one by one
 */
export function fieldChanges(
  before: JsonObject,
  sent: JsonObject,
  within: readonly string[] = [],
): readonly FieldChange[] {
  return Object.entries(sent).flatMap(([field, value]): readonly FieldChange[] => {
    const old = Object.hasOwn(before, field) ? before[field] : undefined;
    if (within.includes(field) && isJsonObject(old) && isJsonObject(value)) {
      return fieldChanges(old, value, within).map((change) => ({
        ...change,
        field: `${field}.${change.field}`,
      }));
    }
    return same(old, value) ? [] : [fieldChange(field, old, value)];
  });
}

/** As {@link fieldChanges}, for a document of which the server keeps some fields by itself: those are nobody's change. */
export const documentChanges = (
  before: JsonObject,
  sent: JsonObject,
  within: readonly string[] = [],
): readonly FieldChange[] =>
  fieldChanges(
    before,
    Object.fromEntries(Object.entries(sent).filter(([field]) => !isBookkeeping(field))),
    within,
  );

/** Nothing, null and an absent field are the same to the platform (platform-facts 2.2). */
export const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean => sqlOr(a) === sqlOr(b);

/** An expression is text in a request and `{oid, expression}` in an answer (platform-facts 2.2). */
const sqlOr = (value: JsonValue | undefined): string =>
  isJsonObject(value) && typeof value['expression'] === 'string'
    ? stringify(value['expression'])
    : stringify(value ?? null);

function fieldChange(
  field: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): FieldChange {
  const [was, is] = [shortText(before), shortText(after)];
  return {
    field,
    ...(was === undefined ? {} : { before: was }),
    ...(is === undefined ? {} : { after: is }),
  };
}

/** A value as one short line; nothing for nothing. */
function shortText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') {
    return undefined;
  }
  const inner = isJsonObject(value) && typeof value['expression'] === 'string' ? value['expression'] : value;
  const text = typeof inner === 'string' ? inner : isRawNumber(inner) ? inner.rawJSON : stringify(inner);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
}
