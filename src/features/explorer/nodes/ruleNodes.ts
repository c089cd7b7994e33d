import * as vscode from 'vscode';
import { sortedByName } from '../../../catalog/naturalOrder.ts';
import type { RuleSubject } from '../../../catalog/ruleSubject.ts';
import type { Readable } from '../../../contract/readable.ts';
import { type Rule, partyOf } from '../../../contract/rule.ts';
import {
  openLink,
  tooltip,
  type ExplorerModel,
  type ExplorerNode,
  type NodeOfConnection,
  catalogOf,
  nodeIds,
} from './node.ts';
import { EmptyNode, withUnreadable } from './listNodes.ts';

/** The data security rules of a datamodel, by the column that they are on. */
export class RulesNode implements NodeOfConnection {
  readonly id: string;
  readonly parent: NodeOfConnection;
  readonly connectionId: string;
  readonly name: string;
  readonly subject: RuleSubject;
  readonly loads;
  readonly resource;
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel, parent: NodeOfConnection, subject: RuleSubject) {
    this.id = nodeIds.rules(parent.id);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = vscode.l10n.t('Data Security');
    this.subject = subject;
    this.loads = { kind: 'rules', subject } as const;
    this.resource = { kind: 'rules', subject } as const;
    this.#model = model;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('shield');
    item.contextValue = 'rules';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    return ruleColumns(this, await (await catalogOf(this.#model, this)).readable.rules(this.subject));
  }
}

/** A node whose children are the rules of a subject. */
interface NodeOfRules extends NodeOfConnection {
  readonly subject: RuleSubject;
}

/** The rules of a subject as nodes, by `table.column`. */
export async function ruleColumns(
  parent: NodeOfRules,
  { value: rules, ...unread }: Readable<readonly Rule[]>,
): Promise<readonly ExplorerNode[]> {
  if (rules.length === 0 && unread.unreadable.length === 0) {
    return [new EmptyNode(parent, vscode.l10n.t('No rules: everybody sees everything'))];
  }
  const byColumn = [...Map.groupBy(rules, ({ table, column }) => JSON.stringify([table, column])).values()];
  const nodes = byColumn.map((columnRules) => new RuleColumnNode(parent, columnRules));
  return withUnreadable(
    parent,
    unread,
    sortedByName(nodes, ({ name }) => name),
  );
}

/** The rules of one column. */
class RuleColumnNode implements NodeOfRules {
  readonly id: string;
  readonly parent: NodeOfRules;
  readonly connectionId: string;
  readonly subject: RuleSubject;
  readonly name: string;
  readonly resource;
  readonly reference: { readonly table: string; readonly column: string };
  readonly #rules: readonly Rule[];

  constructor(parent: NodeOfRules, rules: readonly Rule[]) {
    const { table, column } = rules[0] ?? { table: '', column: '' };
    this.name = `${table}.${column}`;
    // Not the name: a table "A.B" with a column "C" is another than "A" with "B.C".
    this.id = nodeIds.child(parent.id, JSON.stringify([table, column]));
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.subject = parent.subject;
    this.resource = { kind: 'columnRules', subject: parent.subject, table, column } as const;
    this.reference = { table, column };
    this.#rules = rules;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = String(this.#rules.length);
    item.iconPath = new vscode.ThemeIcon('symbol-field');
    item.contextValue = 'ruleColumn';
    return item;
  }

  tooltip(): vscode.MarkdownString {
    return tooltip(this.name, [[vscode.l10n.t('Rules'), String(this.#rules.length)]]);
  }

  async children(): Promise<readonly ExplorerNode[]> {
    return this.#rules.map((rule, index) => new RuleNode(this, rule, index));
  }
}

/** One rule: who, and which values. */
class RuleNode implements ExplorerNode {
  readonly id: string;
  readonly parent: RuleColumnNode;
  readonly connectionId: string;
  readonly name: string;
  readonly resource;
  readonly reference: { readonly table: string; readonly column: string };
  readonly #rule: Rule;

  /** @param index tells rules apart that carry no `_id` */
  constructor(parent: RuleColumnNode, rule: Rule, index: number) {
    const { subject } = parent;
    this.id = nodeIds.child(parent.id, rule._id ?? index);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.resource = rule._id ? ({ kind: 'rule', subject, ruleId: rule._id } as const) : parent.resource;
    this.reference = parent.reference;
    this.name = partiesOf(rule);
    this.#rule = rule;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name);
    item.description = valuesOf(this.#rule);
    item.iconPath = new vscode.ThemeIcon(iconOf(this.#rule));
    item.contextValue = 'rule';
    item.command = openLink(this);
    return item;
  }

  tooltip(): vscode.MarkdownString {
    return tooltip(this.name, [[vscode.l10n.t('Sees'), valuesOf(this.#rule)]]);
  }
}

function partiesOf(rule: Rule): string {
  const parties = (rule.shares ?? []).map((share) =>
    share.type === 'default'
      ? vscode.l10n.t('Everyone else')
      : (share.partyName ?? partyOf(share) ?? share.type),
  );
  return parties.join(', ') || vscode.l10n.t('Nobody');
}

/** Whom a rule is for: a person, a group, or everyone else. */
function iconOf(rule: Rule): string {
  const types = new Set((rule.shares ?? []).map(({ type }) => type));
  if (types.has('default')) {
    return 'globe';
  }
  return types.has('group') ? 'organization' : 'person';
}

/** What the encoding of a rule means, in words (platform-facts 3.2). */
function valuesOf(rule: Rule): string {
  const members = (rule.members ?? []).join(', ');
  if (rule.allMembers === true) {
    return vscode.l10n.t('everything');
  }
  if (members === '') {
    return vscode.l10n.t('nothing');
  }
  return rule['exclusionary'] === true
    ? vscode.l10n.t('all but {0}', members)
    : vscode.l10n.t('only {0}', members);
}
