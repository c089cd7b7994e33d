import { assertNever } from '../../base/assertNever.ts';
import type {
  CallExpr,
  Expr,
  FromItem,
  OrderItem,
  SqlQuery,
  QueryBody,
  SelectQuery,
  WindowSpec,
} from './tree.ts';

export type SqlNode = Expr | QueryBody;

/**
 * Visits a node and its descendants, parents before children, in text order. Not recursive, so it has no depth limit.
 */
export function walkTree(root: SqlNode, visit: (node: SqlNode) => void): void {
  const stack: SqlNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    visit(node);
    const children = getChildren(node);
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index];
      if (child !== undefined) {
        stack.push(child);
      }
    }
  }
}

/** Returns the children of a node, in text order. */
export function getChildren(node: SqlNode): SqlNode[] {
  if (node.kind === 'select') {
    return getSelectChildren(node);
  }
  if (node.kind === 'set') {
    return [node.left, node.right];
  }
  if (node.kind === 'values') {
    return [...node.rows];
  }
  return node.kind === 'query' ? getQueryChildren(node) : getExprChildren(node);
}

/** Returns the children of an expression; the child of a sub-select is its query. */
export function getExprChildren(node: Expr): SqlNode[] {
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
      return getCaseChildren(node);
    case 'call':
      return getCallChildren(node);
    case 'exists':
    case 'subselect':
      return [node.query];
    case 'paren':
      return [...node.items];
    default:
      return assertNever(node);
  }
}

function getCaseChildren(node: Extract<Expr, { kind: 'case' }>): SqlNode[] {
  const children: SqlNode[] = node.operand === undefined ? [] : [node.operand];
  for (const { condition, result } of node.branches) {
    children.push(condition, result);
  }
  if (node.otherwise !== undefined) {
    children.push(node.otherwise);
  }
  return children;
}

function getCallChildren(node: CallExpr): SqlNode[] {
  const children: SqlNode[] = [...node.args, ...getOrderExprs(node.orderBy)];
  if (node.filter !== undefined) {
    children.push(node.filter);
  }
  if (node.over !== undefined) {
    children.push(...getWindowChildren(node.over));
  }
  return children;
}

export function getWindowChildren(spec: WindowSpec): Expr[] {
  return [...spec.partitionBy, ...getOrderExprs(spec.orderBy)];
}

function getOrderExprs(items: readonly OrderItem[]): Expr[] {
  return items.map((item) => item.expr);
}

function getQueryChildren(node: SqlQuery): SqlNode[] {
  const children: SqlNode[] = [];
  for (const cte of node.ctes) {
    if (cte.query !== undefined) {
      children.push(cte.query);
    }
  }
  if (node.body !== undefined) {
    children.push(node.body);
  }
  return [...children, ...getOrderExprs(node.orderBy), ...node.limits];
}

function getSelectChildren(node: SelectQuery): SqlNode[] {
  const children: SqlNode[] = node.top === undefined ? [] : [node.top];
  children.push(...node.items.map((item) => item.expr));
  pushSources(node.from, children);
  for (const expr of [node.where, ...node.groupBy, node.having, node.qualify]) {
    if (expr !== undefined) {
      children.push(expr);
    }
  }
  for (const { spec } of node.windows) {
    children.push(...getWindowChildren(spec));
  }
  return children;
}

function pushSources(items: readonly FromItem[], children: SqlNode[]): void {
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
