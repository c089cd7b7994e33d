/**
 * The prefix that property names get in the objects and filters that are passed to mingo. It copies properties by
 * assignment, which doesn't work for `__proto__`, `constructor`, and other inherited names. Numbers get no prefix.
 */
const namePrefix = '\u0001';

const isIndex = (segment: string): boolean => /^\d+$/.test(segment);

type PlainObject = Readonly<Record<string, unknown>>;

const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapMembers = (
  members: PlainObject,
  mapMember: (name: string, value: unknown) => [string, unknown],
): PlainObject => Object.fromEntries(Object.entries(members).map(([name, value]) => mapMember(name, value)));

/** Prefixes a name, except a numeric one, which may also be an array index in a path. */
const escapeName = (name: string): string => (isIndex(name) ? name : namePrefix + name);

/** Prefixes every property name in a value, except numeric ones. */
export function escapeNames(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(escapeNames);
  }
  return isPlainObject(value)
    ? mapMembers(value, (name, member) => [escapeName(name), escapeNames(member)])
    : value;
}

const escapePath = (path: string): string => path.split('.').map(escapeName).join('.');

const isOperator = (name: string): boolean => name.startsWith('$');

const hasOperator = (value: unknown): value is PlainObject =>
  isPlainObject(value) && Object.keys(value).some(isOperator);

/** Prefixes every property name in a filter; operators and numeric names stay unchanged. */
export function escapeFilterNames(filter: PlainObject): Record<string, never> {
  const encoded = mapMembers(filter, (name, operand) => {
    if (!isOperator(name)) {
      return [escapePath(name), escapeCondition(operand)];
    }
    const isList = Array.isArray(operand);
    return [
      name,
      isList ? operand.map((item) => (isPlainObject(item) ? escapeFilterNames(item) : item)) : operand,
    ];
  });
  return encoded as Record<string, never>;
}

/** Prefixes the names in the condition on a field, which is an object of operators, or a value to compare with. */
function escapeCondition(condition: unknown): unknown {
  return hasOperator(condition)
    ? mapMembers(condition, (name, operand) =>
        // A property name next to operators is kept: mingo rejects it.
        isOperator(name) ? [name, escapeOperand(name, operand)] : [escapeName(name), operand],
      )
    : escapeNames(condition);
}

function escapeOperand(operator: string, operand: unknown): unknown {
  if (operator === '$not') {
    return escapeCondition(operand);
  }
  if (operator === '$elemMatch') {
    const isQuery = isPlainObject(operand) && !Object.keys(operand).every(isValueOperator);
    return isQuery ? escapeFilterNames(operand) : escapeCondition(operand);
  }
  if (operator === '$all' && Array.isArray(operand)) {
    return operand.map(escapeCondition);
  }
  return escapeNames(operand);
}

/** Returns true for operators that apply to one value; `$and`, `$or` and `$nor` combine filters. */
const isValueOperator = (name: string): boolean => isOperator(name) && !/^\$(?:and|or|nor)$/.test(name);
