/** The values of the context keys for which a `when` clause is evaluated. */
export type ContextKeys = Readonly<Record<string, unknown>>;

const tokenPattern = /\s*(&&|\|\||==|!=|=~|!|\(|\)|\/(?:\\.|[^/\\])+\/[a-z]*|[^\s()!=&|]+)/gy;

/**
 * Evaluates a `when` clause of the manifest as the editor does: `&&` has precedence over `||`, and an unknown key is
 * false.
 * @throws Error if the condition uses syntax that is not supported here
 */
export function evaluateWhen(condition: string | undefined, keys: ContextKeys): boolean {
  if (condition === undefined) {
    return true;
  }
  const tokens = [...condition.matchAll(tokenPattern)].map((match) => match[1] ?? '');
  let position = 0;
  const accept = (token: string): boolean => {
    const isNext = tokens[position] === token;
    position += isNext ? 1 : 0;
    return isNext;
  };
  const parseOr = (): boolean => {
    let value = parseAnd();
    while (accept('||')) {
      const right = parseAnd();
      value ||= right;
    }
    return value;
  };
  const parseAnd = (): boolean => {
    let value = parseUnary();
    while (accept('&&')) {
      const right = parseUnary();
      value &&= right;
    }
    return value;
  };
  const parseUnary = (): boolean => {
    if (accept('!')) {
      return !parseUnary();
    }
    if (accept('(')) {
      const value = parseOr();
      if (!accept(')')) {
        throw new Error(`")" expected in ${condition}`);
      }
      return value;
    }
    return parseComparison();
  };
  const parseComparison = (): boolean => {
    const name = tokens[position++] ?? '';
    const value = name === 'true' ? true : name === 'false' ? false : keys[name];
    const operator = ['==', '!=', '=~'].find(accept);
    if (operator === undefined) {
      return Boolean(value);
    }
    const operand = tokens[position++] ?? '';
    if (operator === '=~') {
      const end = operand.lastIndexOf('/');
      return new RegExp(operand.slice(1, end), operand.slice(end + 1)).test(toText(value));
    }
    return (toText(value) === operand.replaceAll("'", '')) === (operator === '==');
  };
  const result = parseOr();
  if (position !== tokens.length) {
    throw new Error(`Unexpected "${tokens[position]}" in ${condition}`);
  }
  return result;
}

/** Returns the text of a context key's value, for comparisons. */
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
