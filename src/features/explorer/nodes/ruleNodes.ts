import * as vscode from 'vscode';
import { type RuleSubject, ruleSubjectOf } from '../../../catalog/ruleSubject.ts';
import type { Datamodel } from '../../../contract/datamodel.ts';
import { type Rule, partyOf } from '../../../contract/rule.ts';
import { tooltip } from '../tooltip.ts';
import { EmptyNode } from './messageNode.ts';
import type { ExplorerModel, ExplorerNode, NodeOfDatamodel } from './node.ts';

/** The data security rules of a datamodel, by the column that they are on. */
export class RulesNode implements ExplorerNode {
  readonly id: string;
  readonly parent: NodeOfDatamodel;
  readonly #model: ExplorerModel;
  readonly #subject: RuleSubject;

  constructor(model: ExplorerModel, parent: NodeOfDatamodel, datamodel: Datamodel) {
    this.id = `${parent.id}/rules`;
    this.parent = parent;
    this.#model = model;
    this.#subject = ruleSubjectOf(datamodel);
  }

  item(): vscode.TreeItem {
    const label = vscode.l10n.t('Data Security');
    const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
    item.iconPath = new vscode.ThemeIcon('shield');
    item.contextValue = 'rules';
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    const rules = await catalog.rules(this.#subject);
    if (rules.length === 0) {
      return [new EmptyNode(this, vscode.l10n.t('No rules: everybody sees everything'))];
    }
    const byColumn = Map.groupBy(rules, ({ table, column }) => `${table}.${column}`);
    return [...byColumn]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, columnRules]) => new RuleColumnNode(this, name, columnRules));
  }

  async reload(): Promise<void> {
    const { catalog } = await this.#model.sessions.get(this.parent.connectionId);
    catalog.invalidate({ kind: 'rules', subject: this.#subject });
  }
}

/** The rules of one column. */
class RuleColumnNode implements ExplorerNode {
  readonly id: string;
  readonly parent: RulesNode;
  readonly #name: string;
  readonly #rules: readonly Rule[];

  constructor(parent: RulesNode, name: string, rules: readonly Rule[]) {
    this.id = `${parent.id}/${name}`;
    this.parent = parent;
    this.#name = name;
    this.#rules = rules;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#name, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = String(this.#rules.length);
    item.iconPath = new vscode.ThemeIcon('symbol-field');
    item.contextValue = 'ruleColumn';
    item.tooltip = tooltip(this.#name, [[vscode.l10n.t('Rules'), String(this.#rules.length)]]);
    return item;
  }

  async children(): Promise<readonly ExplorerNode[]> {
    return this.#rules.map((rule, index) => new RuleNode(this, rule, index));
  }

  async reload(): Promise<void> {
    await this.parent.reload();
  }
}

/** One rule: who, and which values. */
class RuleNode implements ExplorerNode {
  readonly id: string;
  readonly parent: RuleColumnNode;
  readonly #rule: Rule;

  /** @param index tells rules apart that carry no `_id` */
  constructor(parent: RuleColumnNode, rule: Rule, index: number) {
    this.id = `${parent.id}/${rule._id ?? index}`;
    this.parent = parent;
    this.#rule = rule;
  }

  item(): vscode.TreeItem {
    const parties = (this.#rule.shares ?? []).map((share) =>
      share.type === 'default'
        ? vscode.l10n.t('Everyone else')
        : (share.partyName ?? partyOf(share) ?? share.type),
    );
    const label = parties.join(', ') || vscode.l10n.t('Nobody');
    const values = valuesOf(this.#rule);
    const item = new vscode.TreeItem(label);
    item.description = values;
    item.iconPath = new vscode.ThemeIcon(iconOf(this.#rule));
    item.contextValue = 'rule';
    item.tooltip = tooltip(label, [[vscode.l10n.t('Sees'), values]]);
    return item;
  }
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
