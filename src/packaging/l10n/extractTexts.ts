import { parse, type Node } from 'acorn';
import { transformSync } from 'esbuild';

/** The texts of a module. */
export interface ModuleTexts {
  /** The English texts that the module translates, each once. */
  readonly texts: readonly string[];
  /** The tables from which it translates texts, such as `titles` in `t(titles[kind])`; see `translatable`. */
  readonly tableNames: readonly string[];
  /** The calls whose text can't be found in the code, and those whose values don't match its placeholders. */
  readonly problems: readonly string[];
}

/**
 * Finds the texts that a module translates: in calls of `t`, of methods named `t` such as `vscode.l10n.t`, and of
 * `createMessage`, and in tables marked with `translatable`.
 */
export function extractTexts(path: string, source: string): ModuleTexts {
  const texts = new Set<string>();
  const tables = new Set<string>();
  const problems: string[] = [];
  const { code, program } = parseModule(path, source);
  visitNodes(program, (node) => {
    const name = getCalleeName(node);
    const [text, ...values] = getNodes(node, 'arguments');
    if (text === undefined || !isTranslating(name)) {
      return;
    }
    const expression = code.slice(text.start, text.end);
    const isTable = name === 'translatable';
    const found = isTable ? getPropertyStrings(text) : getStrings(text);
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
    if (!isTable && !values.some(({ type }) => type === 'SpreadElement')) {
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
  return { texts: [...texts], tableNames: [...tables], problems };
}

function parseModule(path: string, source: string): { readonly code: string; readonly program: Node } {
  // The transform removes types and JSX, which acorn doesn't know.
  const { code } = transformSync(source, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    target: 'esnext',
  });
  return { code, program: parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) };
}

const isTranslating = (name: unknown): boolean =>
  name === 't' || name === 'createMessage' || name === 'translatable';

/**
 * Finds the texts of a module that look like messages to users, and are not translated: sentences with a full stop. The
 * messages of errors that only developers see have none.
 */
export function findUntranslatedTexts(path: string, source: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    const name = getCalleeName(node);
    // Schemas are translated when the editor shows them, with `localize`.
    if (isTranslating(name) || name === 'describe' || name === 'localize') {
      return;
    }
    const text = getText(node);
    if (text !== undefined && /^["{A-Z](?!\.).*\p{L} .*[\p{L}\d")}]\.(?: |$)/su.test(text)) {
      found.push(`${path}: ${text}`);
    }
    getChildren(node).forEach(visit);
  };
  visit(parseModule(path, source).program);
  return found;
}

const sqlStart =
  /^(?:ALTER|CAST|CREATE|DELETE|DROP|INSERT|ORDER BY|PARTITION|PRAGMA|REPLACE|SELECT|UNION|UPDATE|WITH)\b/;

/**
 * Finds the texts of a module that translates nothing, such as one of the command line: literals that are words and not
 * SQL. Values are `{}`. A few words that no one reads are among them, such as headers of HTTP.
 */
export function findEnglishTexts(path: string, source: string): readonly string[] {
  const texts = new Set<string>();
  visitNodes(parseModule(path, source).program, (node) => {
    const text = getText(node)?.trim() ?? '';
    if (/\p{Ll}{2}/u.test(text) && /\S\s+\S|^\p{Lu}\p{Ll}+[.:…]?$/u.test(text) && !sqlStart.test(text)) {
      texts.add(text);
    }
  });
  return [...texts];
}

/** Returns the text of a literal, or that of a template with `{}` for each value. */
function getText(node: Node): string | undefined {
  const value = getProperty(node, 'value');
  return node.type === 'Literal' && typeof value === 'string'
    ? value
    : node.type === 'TemplateLiteral'
      ? getNodes(node, 'quasis')
          .map((part) => Object(getProperty(part, 'value')).cooked)
          .join('{}')
      : undefined;
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
  getChildren(node).forEach((child) => visitNodes(child, visit));
}

const getChildren = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

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
