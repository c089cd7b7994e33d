import { assertNever } from '../../base/assertNever.ts';
import type { Call, Expr, FromItem, OrderItem, Query, QueryBody, Select, WindowSpec } from './tree.ts';

export type Node = Expr | QueryBody;

/** Visits a node and all below it, parents before children, in order of text; no recursion, so no depth limit. */
export function walk(root: Node, visit: (node: Node) => void): void {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visit(node);
    const children = childrenOf(node);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) {
        stack.push(child);
      }
    }
  }
}

/** The nodes directly below a node, in order of text. */
export function childrenOf(node: Node): Node[] {
  if (node.kind === 'select') {
    return selectChildren(node);
  }
  if (node.kind === 'set') {
    return [node.left, node.right];
  }
  if (node.kind === 'values') {
    return [...node.rows];
  }
  return node.kind === 'query' ? queryChildren(node) : exprChildren(node);
}

/** The nodes directly below an expression; a sub-select is one node, its query. */
export function exprChildren(node: Expr): Node[] {
  switch (node.kind) {
    case 'literal':
    case 'column':
    case 'star':
    case 'word':
    case 'missing':
      return [];
    case 'unary':
    case 'cast':
      return [node.operand];
    case 'binary':
      return node.escape === undefined ? [node.left, node.right] : [node.left, node.right, node.escape];
    case 'between':
      return [node.operand, node.low, node.high];
    case 'in':
      return [node.operand, ...node.list];
    case 'case':
      return caseChildren(node);
    case 'call':
      return callChildren(node);
    case 'exists':
    case 'subselect':
      return [node.query];
    case 'paren':
      return [...node.items];
    default:
      return assertNever(node);
  }
}

function caseChildren(node: Extract<Expr, { kind: 'case' }>): Node[] {
  const children: Node[] = node.operand === undefined ? [] : [node.operand];
  for (const { condition, result } of node.branches) {
    children.push(condition, result);
  }
  if (node.otherwise !== undefined) {
    children.push(node.otherwise);
  }
  return children;
}

function callChildren(node: Call): Node[] {
  const children: Node[] = [...node.args, ...orderExprs(node.orderBy)];
  if (node.filter !== undefined) {
    children.push(node.filter);
  }
  if (node.over !== undefined) {
    children.push(...windowChildren(node.over));
  }
  return children;
}

export function windowChildren(spec: WindowSpec): Expr[] {
  return [...spec.partitionBy, ...orderExprs(spec.orderBy)];
}

function orderExprs(items: readonly OrderItem[]): Expr[] {
  return items.map((item) => item.expr);
}

function queryChildren(node: Query): Node[] {
  const children: Node[] = [];
  for (const cte of node.ctes) {
    if (cte.query !== undefined) {
      children.push(cte.query);
    }
  }
  if (node.body !== undefined) {
    children.push(node.body);
  }
  return [...children, ...orderExprs(node.orderBy), ...node.limits];
}

function selectChildren(node: Select): Node[] {
  const children: Node[] = node.top === undefined ? [] : [node.top];
  children.push(...node.items.map((item) => item.expr));
  pushSources(node.from, children);
  for (const expr of [node.where, ...node.groupBy, node.having, node.qualify]) {
    if (expr !== undefined) {
      children.push(expr);
    }
  }
  for (const { spec } of node.windows) {
    children.push(...windowChildren(spec));
  }
  return children;
}

function pushSources(items: readonly FromItem[], children: Node[]): void {
  for (const { source, on } of items) {
    if (source.kind === 'derived') {
      children.push(source.query);
    } else if (source.kind === 'function') {
      children.push(source.call);
    } else if (source.kind === 'group') {
      pushSources(source.items, children);
    }
    if (on !== undefined) {
      children.push(on);
    }
  }
}
