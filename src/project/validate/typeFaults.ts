import type * as z from 'zod';
import { type JsonPath, type JsonValue, isJsonObject, isRawNumber } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';

/** A value of a type that its schema doesn't allow. */
export interface TypeFault {
  readonly path: JsonPath;
  readonly message: string;
}

/** Returns what a schema doesn't allow in a value, with messages like those about viewpoints. */
export function findTypeFaults(schema: z.ZodType, value: JsonValue): readonly TypeFault[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) => describeIssue(issue, [], value));
}

function describeIssue(issue: z.core.$ZodIssue, parentPath: JsonPath, root: JsonValue): readonly TypeFault[] {
  const path = [...parentPath, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  switch (issue.code) {
    case 'invalid_type':
      return [{ path, message: describeType(path, [issue.expected], root) }];
    case 'invalid_union': {
      // If the value has the type of one of the alternatives, only what is wrong inside it matters.
      const matching = issue.errors.find((issues) => !issues.some(isWholeValueOfWrongType));
      return matching === undefined
        ? [{ path, message: describeType(path, issue.errors.flat().flatMap(getExpectedType), root) }]
        : matching.flatMap((inner) => describeIssue(inner, path, root));
    }
    case 'unrecognized_keys':
      return issue.keys.map((name) => ({ path: [...path, name], message: `Unknown property "${name}".` }));
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_value':
    case 'not_multiple_of':
    case 'too_big':
    case 'too_small':
      return [{ path, message: `${issue.message}.` }];
  }
}

const isWholeValueOfWrongType = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && issue.path.length === 0;

const getExpectedType = (issue: z.core.$ZodIssue): readonly string[] =>
  issue.code === 'invalid_type' ? [issue.expected] : [];

/** The names of types in messages. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function describeType(path: JsonPath, types: readonly string[], root: JsonValue): string {
  const value = path.reduce<unknown>(getChild, root);
  const name = path.findLast((step) => typeof step === 'string') ?? '';
  if (value === undefined) {
    return `Missing "${name}".`;
  }
  const subject = typeof path.at(-1) === 'number' ? `Entries of "${name}"` : `"${name}"`;
  const expected = [...new Set(types.map((type) => typeNames[type] ?? type))].join(' or ');
  const actual = describeValue(value);
  // A number of the right type may be too large.
  return actual === expected
    ? `${subject} is out of range.`
    : `${subject} must be ${expected}, not ${actual}.`;
}

const getChild = (value: unknown, step: string | number): unknown =>
  isJsonArray(value as JsonValue)
    ? (value as readonly unknown[])[Number(step)]
    : isJsonObject(value)
      ? value[String(step)]
      : undefined;

function describeValue(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (isJsonArray(value as JsonValue)) {
    return 'an array';
  }
  return typeNames[isRawNumber(value) ? 'number' : typeof value] ?? typeof value;
}
