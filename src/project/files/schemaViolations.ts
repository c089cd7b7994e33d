import * as z from 'zod';
import { findClosestNames } from '../../base/similarNames.ts';
import { type JsonPath, type JsonValue, isJsonObject, isRawNumber } from '../../base/json.ts';
import { type Message, createMessage, english, formatMessage } from '../../base/localize.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';

/** A value that its schema doesn't allow. */
export interface SchemaViolation {
  readonly path: JsonPath;
  readonly message: Message;
}

/** Returns what a schema doesn't allow in a value. */
export function findSchemaViolations(schema: z.ZodType, value: JsonValue): readonly SchemaViolation[] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? describeUnknownKeys(issue.keys, toJsonPath(issue.path), schema)
      : describeIssue(issue, [], value),
  );
}

/** Describes unknown members, with the similar names of known ones. */
const describeUnknownKeys = (
  names: readonly string[],
  path: JsonPath,
  schema: z.ZodType,
): readonly SchemaViolation[] => {
  const knownNames = getKnownNames(schema, path);
  return names.map((name) => {
    const [similarName] = findClosestNames(name, knownNames);
    return {
      path: [...path, name],
      message:
        similarName === undefined
          ? createMessage('Unknown property "{0}".', name)
          : createMessage('Unknown property "{0}". Did you mean "{1}"?', name, similarName),
    };
  });
};

/** Returns the names of the members that a schema defines for the object at a path. */
function getKnownNames(schema: z.core.$ZodType, path: JsonPath): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return getKnownNames(schema.def.innerType, path);
  }
  if (!(schema instanceof z.ZodObject)) {
    return [];
  }
  const [step, ...rest] = path;
  if (step === undefined) {
    return Object.keys(schema.shape);
  }
  const member = (schema.shape as Readonly<Record<string, z.core.$ZodType | undefined>>)[String(step)];
  return member === undefined ? [] : getKnownNames(member, rest);
}

const toJsonPath = (path: readonly PropertyKey[]): JsonPath =>
  path.map((step) => (typeof step === 'symbol' ? String(step) : step));

function describeIssue(
  issue: z.core.$ZodIssue,
  parentPath: JsonPath,
  root: JsonValue,
): readonly SchemaViolation[] {
  const path = [...parentPath, ...toJsonPath(issue.path)];
  switch (issue.code) {
    case 'invalid_type':
      return [{ path, message: describeTypeMismatch(path, [issue.expected], root) }];
    case 'invalid_union': {
      if (issue.message !== defaultUnionMessage) {
        return [{ path, message: toMessage(path, issue.message) }];
      }
      // If the value has the type of one of the alternatives, only what is wrong inside it matters.
      const matching = issue.errors.find((issues) => !issues.some(isWholeValueOfWrongType));
      return matching === undefined
        ? [{ path, message: describeTypeMismatch(path, issue.errors.flat().flatMap(getExpectedType), root) }]
        : matching.flatMap((inner) => describeIssue(inner, path, root));
    }
    case 'unrecognized_keys':
      return issue.keys.map((name) => ({
        path: [...path, name],
        message: createMessage('Unknown property "{0}".', name),
      }));
    case 'invalid_value':
      return [{ path, message: describeInvalidChoice(path, issue.values, root) }];
    case 'custom':
      return [{ path, message: toMessage(path, issue.message) }];
    case 'too_small':
      return [{ path, message: createMessage('"{0}" must not be empty.', getName(path)) }];
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'too_big':
      return [{ path, message: createMessage('The value of "{0}" isn\'t valid.', getName(path)) }];
  }
}

/** The message of zod for a union whose schema doesn't define a message. */
const defaultUnionMessage = 'Invalid input';

/** Returns a message that a schema defines, with the name of the value. */
const toMessage = (path: JsonPath, text: string): Message =>
  createMessage('"{0}": {1}', path.join('.'), { text, values: [] });

const getName = (path: JsonPath): string => path.findLast((step) => typeof step === 'string') ?? '';

const isWholeValueOfWrongType = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && issue.path.length === 0;

const getExpectedType = (issue: z.core.$ZodIssue): readonly string[] =>
  issue.code === 'invalid_type' ? [issue.expected] : [];

/** The names of types in messages. */
const typeNames: Readonly<Record<string, Message>> = {
  string: createMessage('a string'),
  number: createMessage('a number'),
  int: createMessage('a whole number'),
  boolean: createMessage('true or false'),
  array: createMessage('an array'),
  object: createMessage('an object'),
  record: createMessage('an object'),
};

function describeInvalidChoice(path: JsonPath, choices: readonly unknown[], root: JsonValue): Message {
  const name = getName(path);
  const list = choices.join(', ');
  if (path.reduce<unknown>(getChild, root) === undefined) {
    return createMessage('Missing "{0}". Expected: {1}.', name, list);
  }
  return choices.length === 1
    ? createMessage('"{0}" must be {1}.', name, list)
    : createMessage('"{0}" must be one of: {1}.', name, list);
}

function describeTypeMismatch(path: JsonPath, types: readonly string[], root: JsonValue): Message {
  const value = path.reduce<unknown>(getChild, root);
  const name = getName(path);
  if (value === undefined) {
    return createMessage('Missing "{0}".', name);
  }
  const expected = joinAlternatives(types);
  const actual = describeValue(value);
  // A number of the right type may be too large.
  const isOutOfRange = formatMessage(english, actual) === formatMessage(english, expected);
  if (path.length === 0) {
    return createMessage('Expected {0}, not {1}.', expected, actual);
  }
  if (typeof path.at(-1) === 'number') {
    return isOutOfRange
      ? createMessage('An item of "{0}" is out of range.', name)
      : createMessage('Each item of "{0}" must be {1}, not {2}.', name, expected, actual);
  }
  return isOutOfRange
    ? createMessage('"{0}" is out of range.', name)
    : createMessage('"{0}" must be {1}, not {2}.', name, expected, actual);
}

/** The name of a value or type that is the same in all languages. */
const toName = (text: string): Message => ({ text, values: [] });

const joinAlternatives = (types: readonly string[]): Message =>
  [
    ...new Map(
      types.map((type) => typeNames[type] ?? toName(type)).map((name) => [name.text, name]),
    ).values(),
  ].reduce((alternatives, name) => createMessage('{0} or {1}', alternatives, name));

const getChild = (value: unknown, step: string | number): unknown =>
  isJsonArray(value as JsonValue)
    ? (value as readonly unknown[])[Number(step)]
    : isJsonObject(value)
      ? value[String(step)]
      : undefined;

function describeValue(value: unknown): Message {
  if (value === null) {
    return toName('null');
  }
  const type = isJsonArray(value as JsonValue) ? 'array' : isRawNumber(value) ? 'number' : typeof value;
  return typeNames[type] ?? toName(type);
}
