import type * as z from 'zod';

/** How messages name the types of zod; other types have names that can be shown. */
const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

/**
 * Describes what a schema expects of a value, in the words of the sandbox instead of those of zod: `required`, or
 * `expected a string`. The messages that a schema defines itself take precedence.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== 'invalid_union') {
    return 'required';
  }
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${getTypeName(issue.expected)}`;
    case 'invalid_value':
      return formatChoices(issue.values);
    case 'invalid_union':
      return describeUnion(issue);
    case 'unrecognized_keys':
      return `unknown property ${issue.keys.join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `expected at least ${issue.minimum}${getUnit(issue.origin)}`;
    case 'too_big':
      return `expected at most ${issue.maximum}${getUnit(issue.origin)}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
      return "isn't valid";
  }
}

const getTypeName = (type: string): string => typeNames[type] ?? type;

const formatChoices = (choices: readonly unknown[]): string =>
  `expected ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}`;

const getUnit = (origin: string): string =>
  origin === 'array' ? ' items' : origin === 'string' ? ' characters' : '';

function describeUnion({
  options,
  errors,
  input,
}: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (Array.isArray(options)) {
    return formatChoices(options);
  }
  if (input === undefined) {
    return 'required';
  }
  // If the value has the type of one of the alternatives, only what is wrong inside it matters.
  const matching = errors.find((issues) => !issues.some(isWholeValueOfWrongType));
  if (matching !== undefined) {
    return matching.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ');
  }
  const types = errors.flat().flatMap((issue) => (issue.code === 'invalid_type' ? [issue.expected] : []));
  return `expected ${[...new Set(types.map(getTypeName))].join(' or ')}`;
}

const isWholeValueOfWrongType = ({ code, path }: z.core.$ZodIssue): boolean =>
  code === 'invalid_type' && path.length === 0;
