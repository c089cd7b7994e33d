/**
 * Names of stored objects as mingo may see them. It reads and copies by assignment, to which `__proto__`, `constructor`
 * and all else that every object inherits are no names like any other. So every name gets a mark, in objects as in
 * filters, before mingo sees it; what it compares then is what was written.
 */
const nameMark = '\u0001';

const isIndex = (segment: string): boolean => /^\d+$/.test(segment);

type FilterMembers = Readonly<Record<string, unknown>>;

const isFilterMembers = (value: unknown): value is FilterMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapMembers = (
  members: FilterMembers,
  map: (name: string, value: unknown) => [string, unknown],
): FilterMembers => Object.fromEntries(Object.entries(members).map(([name, value]) => map(name, value)));

/** A numeric name is left alone: it is the place in a list as well. */
const encodeName = (name: string): string => (isIndex(name) ? name : nameMark + name);

/** A value with every name in it marked. */
export function encodeNames(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(encodeNames);
  }
  return isFilterMembers(value)
    ? mapMembers(value, (name, member) => [encodeName(name), encodeNames(member)])
    : value;
}

const encodePath = (path: string): string => path.split('.').map(encodeName).join('.');

const isOperator = (name: string): boolean => name.startsWith('$');

const hasOperator = (value: unknown): value is FilterMembers =>
  isFilterMembers(value) && Object.keys(value).some(isOperator);

/** A filter with every name in it marked, and its operators as they were. */
export function encodeFilter(filter: FilterMembers): Record<string, never> {
  const encoded = mapMembers(filter, (name, operand) => {
    if (!isOperator(name)) {
      return [encodePath(name), encodeCondition(operand)];
    }
    const isList = Array.isArray(operand);
    return [
      name,
      isList ? operand.map((part) => (isFilterMembers(part) ? encodeFilter(part) : part)) : operand,
    ];
  });
  return encoded as Record<string, never>;
}

/** What a field is held against: operators, or a value. */
function encodeCondition(condition: unknown): unknown {
  return hasOperator(condition)
    ? mapMembers(condition, (name, operand) =>
        // A name beside operators is none that mingo knows, whatever it is.
        isOperator(name) ? [name, encodeOperand(name, operand)] : [encodeName(name), operand],
      )
    : encodeNames(condition);
}

function encodeOperand(operator: string, operand: unknown): unknown {
  if (operator === '$not') {
    return encodeCondition(operand);
  }
  if (operator === '$elemMatch') {
    const isQuery = isFilterMembers(operand) && !Object.keys(operand).every(isValueOperator);
    return isQuery ? encodeFilter(operand) : encodeCondition(operand);
  }
  if (operator === '$all' && Array.isArray(operand)) {
    return operand.map(encodeCondition);
  }
  return encodeNames(operand);
}

/** `$and`, `$or` and `$nor` join filters; every other operator is about one value. */
const isValueOperator = (name: string): boolean => isOperator(name) && !/^\$(?:and|or|nor)$/.test(name);
