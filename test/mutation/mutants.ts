import { stripTypeScriptTypes } from 'node:module';
import { type Node, parse } from 'acorn';

/** A change of one operator, condition, or boolean in a source file. */
export interface Mutant {
  /** Relative to the project. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The start and end of the expression that contains the changed text. */
  readonly expression: readonly [number, number];
}

const replacements: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
};

/** Iterates over the nodes of a syntax tree. */
function* walk(node: Node): Generator<Node & Readonly<Record<string, unknown>>> {
  const fields = node as Node & Readonly<Record<string, unknown>>;
  yield fields;
  for (const value of Object.values(fields)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && 'type' in child) {
        yield* walk(child as Node);
      }
    }
  }
}

/** Returns all mutants of a file. */
export function findMutants(file: string, source: string): readonly Mutant[] {
  // Types are replaced by spaces, so positions are the same as in the source.
  const code = stripTypeScriptTypes(source);
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  return [...walk(program)].flatMap((node): readonly Mutant[] => {
    const { type, start, end } = node;
    if (type === 'BinaryExpression' || type === 'LogicalExpression') {
      const [left, right] = [node['left'] as Node, node['right'] as Node];
      const operator = String(node['operator']);
      const replacement = replacements[operator];
      const position = code.indexOf(operator, left.end);
      // A `+` that joins texts is not mutated: any test would notice a `-` in its place.
      const isText = operator === '+' && /['"`]/.test(code.slice(left.start, right.end));
      return replacement === undefined || isText || position >= right.start
        ? []
        : [
            {
              file,
              start: position,
              end: position + operator.length,
              replacement,
              expression: [start, end],
            },
          ];
    }
    if (type === 'UnaryExpression' && node['operator'] === '!') {
      return [{ file, start, end: start + 1, replacement: '', expression: [start, end] }];
    }
    if (type === 'IfStatement' || type === 'ConditionalExpression') {
      const test = node['test'] as Node;
      return ['true', 'false'].map((replacement) => ({
        file,
        start: test.start,
        end: test.end,
        replacement,
        expression: [test.start, test.end],
      }));
    }
    if (type === 'Literal' && typeof node['value'] === 'boolean') {
      return [{ file, start, end, replacement: String(!node['value']), expression: [start, end] }];
    }
    return [];
  });
}

/**
 * Instruments a source: returns JavaScript that behaves like the source or like one of its mutants. Each expression with
 * mutants calls `mutantSwitch.isActive` to find out which of them is active.
 * @param mutants the mutants of this file
 * @param firstId the ID of the first mutant; the others have the IDs that follow
 */
export function addSwitches(source: string, mutants: readonly Mutant[], firstId: number): string {
  const code = stripTypeScriptTypes(source);
  const byExpression = Map.groupBy(
    mutants.map((mutant, index) => ({ ...mutant, id: firstId + index })),
    ({ expression: [start, end] }) => `${start} ${end}`,
  );
  // Outer expressions come before the expressions inside them.
  const expressions = [...byExpression.values()].toSorted(
    ([a], [b]) =>
      (a?.expression[0] ?? 0) - (b?.expression[0] ?? 0) || (b?.expression[1] ?? 0) - (a?.expression[1] ?? 0),
  );
  let next = 0;
  const render = (from: number, to: number): string => {
    let text = '';
    let position = from;
    for (let group = expressions[next]; group !== undefined; group = expressions[next]) {
      const [start = 0, end = 0] = group[0]?.expression ?? [];
      if (start >= to) {
        break;
      }
      next += 1;
      const choices = group.map((mutant) => {
        const changed = code.slice(start, mutant.start) + mutant.replacement + code.slice(mutant.end, end);
        return `isMutantActive(${mutant.id}) ? (${changed}) : `;
      });
      text += `${code.slice(position, start)}(${choices.join('')}${render(start, end)})`;
      position = end;
    }
    return text + code.slice(position, to);
  };
  return `const { isActive: isMutantActive } = globalThis.mutantSwitch;${render(0, code.length)}`;
}
