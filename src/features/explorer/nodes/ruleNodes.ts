import * as vscode from 'vscode';
import type { NameFilter } from '../../../catalog/nameFilter.ts';
import { sortByName } from '../../../catalog/naturalOrder.ts';
import type { RuleSubject } from '../../../catalog/ruleSubject.ts';
import type { PartialResult } from '../../../contract/partialResult.ts';
import { type Rule, getPartyId } from '../../../contract/rule.ts';
import { formatValues } from '../../../security/values/formatValues.ts';
import {
  createOpenCommand,
  createTooltip,
  type ExplorerNodeDeps,
  type ExplorerNode,
  type ConnectionChildNode,
  getCatalog,
  nodeIds,
} from './node.ts';
import { NoteNode, addUnreadableNode, filterList } from './listNodes.ts';

/** The data security rules of a datamodel, grouped by column. */
export class RulesNode implements ConnectionChildNode {
  readonly id: string;
  readonly parent: ConnectionChildNode;
  readonly connectionId: string;
  readonly name: string;
  readonly subject: RuleSubject;
  readonly catalogPart;
  readonly resource;
  readonly #deps: ExplorerNodeDeps;

  constructor(deps: ExplorerNodeDeps, parent: ConnectionChildNode, subject: RuleSubject) {
    this.id = nodeIds.rules(parent.id);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.name = vscode.l10n.t('Data Security');
    this.subject = subject;
    this.catalogPart = { kind: 'rules', subject } as const;
    this.resource = { kind: 'rules', subject } as const;
    this.#deps = deps;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('shield');
    item.contextValue = 'rules';
    return item;
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    return createRuleColumnNodes(
      this,
      await (await getCatalog(this.#deps, this)).partial.rules(this.subject),
      {
        filter: this.#deps.filter.nameFilter,
        emptyText: vscode.l10n.t('No rules: everyone sees all values'),
      },
    );
  }
}

/** A node whose children are rules of a subject: all of them, or those of one column. */
interface RulesParentNode extends ConnectionChildNode {
  readonly subject: RuleSubject;
}

/**
 * Creates a node for each column with rules, sorted by `table.column`.
 * @param emptyText the text to show without rules
 */
export async function createRuleColumnNodes(
  parent: RulesParentNode,
  { value: rules, ...incompleteness }: PartialResult<readonly Rule[]>,
  { filter, emptyText }: { readonly filter: NameFilter; readonly emptyText: string },
): Promise<readonly ExplorerNode[]> {
  if (rules.length === 0 && incompleteness.unreadable.length === 0) {
    return [new NoteNode(parent, emptyText)];
  }
  const rulesByColumn = [
    ...Map.groupBy(rules, ({ table, column }) => JSON.stringify([table, column])).values(),
  ];
  const nodes = rulesByColumn.map((columnRules) => new RuleColumnNode(parent, columnRules));
  const { matches, notes } = filterList(parent, filter, nodes, ({ name }) => name);
  return addUnreadableNode(parent, incompleteness, [...sortByName(matches, ({ name }) => name), ...notes]);
}

/** The rules of one column. */
class RuleColumnNode implements RulesParentNode {
  readonly id: string;
  readonly parent: RulesParentNode;
  readonly connectionId: string;
  readonly subject: RuleSubject;
  readonly name: string;
  readonly resource;
  readonly reference: { readonly table: string; readonly column: string };
  readonly #rules: readonly Rule[];

  constructor(parent: RulesParentNode, rules: readonly Rule[]) {
    const { table, column } = rules[0] ?? { table: '', column: '' };
    this.name = `${table}.${column}`;
    // The name would be ambiguous: a table "A.B" with a column "C" is not the same as "A" with "B.C".
    this.id = nodeIds.child(parent.id, JSON.stringify([table, column]));
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.subject = parent.subject;
    this.resource = { kind: 'columnRules', subject: parent.subject, table, column } as const;
    this.reference = { table, column };
    this.#rules = rules;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = String(this.#rules.length);
    item.iconPath = new vscode.ThemeIcon('symbol-field');
    item.contextValue = 'ruleColumn';
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    return createTooltip(this.name, [[vscode.l10n.t('Rules'), String(this.#rules.length)]]);
  }

  async getChildren(): Promise<readonly ExplorerNode[]> {
    return this.#rules.map((rule, index) => new RuleNode(this, rule, index));
  }
}

/** A rule, with its parties and the values that they see. */
class RuleNode implements ExplorerNode {
  readonly id: string;
  readonly parent: RuleColumnNode;
  readonly connectionId: string;
  readonly name: string;
  readonly resource;
  readonly reference: { readonly table: string; readonly column: string };
  readonly #rule: Rule;

  /** @param index distinguishes rules that carry no `_id` */
  constructor(parent: RuleColumnNode, rule: Rule, index: number) {
    const { subject } = parent;
    this.id = nodeIds.child(parent.id, rule._id ?? index);
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.resource = rule._id ? ({ kind: 'rule', subject, ruleId: rule._id } as const) : parent.resource;
    this.reference = parent.reference;
    this.name = describeParties(rule);
    this.#rule = rule;
  }

  getTreeItem(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.name);
    item.description = describeValues(this.#rule);
    item.iconPath = new vscode.ThemeIcon(getIcon(this.#rule));
    item.contextValue = 'rule';
    item.command = createOpenCommand(this);
    return item;
  }

  getTooltip(): vscode.MarkdownString {
    return createTooltip(this.name, [[vscode.l10n.t('Sees'), describeValues(this.#rule)]]);
  }
}

function describeParties(rule: Rule): string {
  const parties = (rule.shares ?? []).map((share) =>
    share.type === 'default'
      ? vscode.l10n.t('Everyone else')
      : (share.partyName ?? getPartyId(share) ?? share.type),
  );
  return parties.join(', ') || vscode.l10n.t('No one');
}

/** Returns the icon for the party of a rule: a user, a group, or everyone else. */
function getIcon(rule: Rule): string {
  const types = new Set((rule.shares ?? []).map(({ type }) => type));
  if (types.has('default')) {
    return 'globe';
  }
  return types.has('group') ? 'organization' : 'person';
}

/** Describes the values that the parties of a rule see (platform-facts.md, 3.2). */
function describeValues(rule: Rule): string {
  const members = formatValues((rule.members ?? []).map(String));
  if (rule.allMembers === true) {
    return vscode.l10n.t('all values');
  }
  if (members === '') {
    return vscode.l10n.t('no values');
  }
  return rule['exclusionary'] === true
    ? vscode.l10n.t('all but {0}', members)
    : vscode.l10n.t('only {0}', members);
}
