import { parse, type Node } from 'acorn';
import { transformSync } from 'esbuild';

/** The texts of a module. */
export interface ModuleTexts {
  /** The English texts that the module translates, each once. */
  readonly texts: readonly string[];
  /** The tables from which it translates texts, such as `titles` in `t(titles[kind])`; see `translatable`. */
  readonly tables: readonly string[];
  /** The calls whose text can't be found in the code, and those whose values don't match its placeholders. */
  readonly problems: readonly string[];
}

/**
 * Finds the texts that a module translates: in calls of `t`, of methods named `t` such as `vscode.l10n.t`, and in tables
 * marked with `translatable`.
 */
export function extractTexts(path: string, source: string): ModuleTexts {
  const texts = new Set<string>();
  const tables = new Set<string>();
  const problems: string[] = [];
  // The transform removes types and JSX, which acorn doesn't know.
  const { code } = transformSync(source, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    target: 'esnext',
  });
  visitNodes(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node) => {
    const name = getCalleeName(node);
    const [text, ...values] = getNodes(node, 'arguments');
    if (text === undefined || (name !== 't' && name !== 'translatable')) {
      return;
    }
    const expression = code.slice(text.start, text.end);
    const found = name === 't' ? getStrings(text) : getPropertyStrings(text);
    if (found === undefined) {
      const [table] = /^[a-zA-Z]+(?=[[(])/.exec(expression) ?? [];
      if (name === 't' && table !== undefined) {
        tables.add(table);
      } else {
        problems.push(`${path}: ${expression} is not a text`);
      }
      return;
    }
    found.forEach((foundText) => texts.add(foundText));
    // Values that are spread are not known here; a text may leave some of them out.
    if (name === 't' && !values.some(({ type }) => type === 'SpreadElement')) {
      const expected = values.map((_value, index) => `{${index}}`);
      problems.push(
        ...found
          .filter((foundText) => getPlaceholders(foundText).join() !== expected.join())
          .map(
            (foundText) =>
              `${path}: "${foundText}" doesn't have one placeholder for each of ${values.length} values`,
          ),
      );
    }
  });
  return { texts: [...texts], tables: [...tables], problems };
}

/** Returns the different placeholders of a text, such as `{0}`, in ascending order. */
export const getPlaceholders = (text: string): readonly string[] =>
  [...new Set(text.match(/\{\d+\}/g))].sort((a, b) => Number(a.slice(1, -1)) - Number(b.slice(1, -1)));

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const getProperty = (node: Node, name: string): unknown => Object.getOwnPropertyDescriptor(node, name)?.value;

function getNode(node: Node, name: string): Node | undefined {
  const value = getProperty(node, name);
  return isNode(value) ? value : undefined;
}

function getNodes(node: Node, name: string): readonly Node[] {
  const value = getProperty(node, name);
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function visitNodes(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) {
        visitNodes(child, visit);
      }
    }
  }
}

/** Returns the name of the called function or method; `undefined` if the node is not a call. */
function getCalleeName(node: Node): unknown {
  const callee = node.type === 'CallExpression' ? getNode(node, 'callee') : undefined;
  const nameNode = callee?.type === 'MemberExpression' ? getNode(callee, 'property') : callee;
  return nameNode === undefined ? undefined : getProperty(nameNode, 'name');
}

/** Returns the text of a literal, or both texts of a condition; undefined if one is computed. */
function getStrings(node: Node): readonly string[] | undefined {
  const value = getProperty(node, 'value');
  if (node.type === 'Literal' && typeof value === 'string') {
    return [value];
  }
  if (node.type === 'TemplateLiteral' && getNodes(node, 'expressions').length === 0) {
    // The transform writes texts that contain both kinds of quotes as templates.
    return getNodes(node, 'quasis').map((part) => Object(getProperty(part, 'value')).cooked);
  }
  const branches = [getNode(node, 'consequent'), getNode(node, 'alternate')];
  return node.type === 'ConditionalExpression' ? joinStrings(branches) : undefined;
}

/** Returns the texts in the properties of an object. */
const getPropertyStrings = (node: Node): readonly string[] | undefined =>
  node.type === 'ObjectExpression'
    ? joinStrings(getNodes(node, 'properties').map((property) => getNode(property, 'value')))
    : undefined;

function joinStrings(nodes: readonly (Node | undefined)[]): readonly string[] | undefined {
  const found = nodes.map((node) => (node === undefined ? undefined : getStrings(node)));
  return found.every((texts) => texts !== undefined) ? found.flat() : undefined;
}
