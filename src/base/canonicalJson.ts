import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, stringify } from './json.ts';

/** True for the name of an object member that a comparison ignores. */
export type OmitPredicate = (name: string) => boolean;

export const omitNothing: OmitPredicate = () => false;

/**
 * Canonical text of a JSON value: two values have the same text if and only if they are equal. The order of members and
 * the notation of numbers don't matter (`1`, `1.0` and `1e0` are equal). This also applies to numbers beyond 2⁵³.
 */
export function toCanonicalText(value: JsonValue, shouldOmit: OmitPredicate = omitNothing): string {
  if (Array.isArray(value)) {
    let items = '';
    for (const item of value as readonly JsonValue[]) {
      items += `${items === '' ? '' : ','}${toCanonicalText(item, shouldOmit)}`;
    }
    return `[${items}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'number'
      ? formatDouble(value)
      : typeof value === 'string'
        ? quote(value)
        : stringify(value);
  }
  if (isRawNumber(value)) {
    return toCanonicalNumber(value.rawJSON);
  }
  const object = value as JsonObject;
  let members = '';
  for (const name of listNames(object, shouldOmit).toSorted()) {
    const separator = members === '' ? '' : ',';
    members += `${separator}${quote(name)}:${toCanonicalText(object[name] ?? null, shouldOmit)}`;
  }
  return `{${members}}`;
}

/** Returns the JSON of a text. Most texts have nothing to escape, and `JSON.stringify` is slow for short ones. */
const quote = (text: string): string => (/^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : stringify(text));

/** True if both values are equal: they have the same canonical text. `undefined` stands for an absent value. */
export function jsonEquals(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  shouldOmit: OmitPredicate = omitNothing,
): boolean {
  if (a === b || a === undefined || b === undefined) {
    return a === b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return (
      a.length === b.length && a.every((item: JsonValue, index) => jsonEquals(item, b[index], shouldOmit))
    );
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const names = listNames(a, shouldOmit);
    return (
      names.length === listNames(b, shouldOmit).length &&
      names.every((name) => Object.hasOwn(b, name) && jsonEquals(a[name], b[name], shouldOmit))
    );
  }
  return isNumber(a) && isNumber(b) && toCanonicalText(a) === toCanonicalText(b);
}

/** Lists the names of the members that a comparison doesn't ignore. */
const listNames = (object: JsonObject, shouldOmit: OmitPredicate): readonly string[] =>
  shouldOmit === omitNothing ? Object.keys(object) : Object.keys(object).filter((name) => !shouldOmit(name));

const isNumber = (value: JsonValue): boolean => typeof value === 'number' || isRawNumber(value);

/** Integers with more digits are written with an exponent. */
const maxPlainDigits = 15;

const formatDouble = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 10 ** maxPlainDigits
    ? String(value)
    : toCanonicalNumber(String(value));

/** A JSON number as sign, significant digits and exponent; integers of up to 15 digits keep their usual notation. */
function toCanonicalNumber(source: string): string {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const unpaddedDigits = `${integer}${fraction}`.replace(/^0+/, '');
  const digits = unpaddedDigits.replace(/0+$/, '');
  if (digits === '') {
    return '0';
  }
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(unpaddedDigits.length - digits.length);
  if (power >= 0n && power + BigInt(digits.length) <= BigInt(maxPlainDigits)) {
    return `${sign}${digits}${'0'.repeat(Number(power))}`;
  }
  return `${sign}${digits}e${power}`;
}
