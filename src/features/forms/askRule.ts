import * as vscode from 'vscode';
import { ruleDatatype } from '../../contract/terms.ts';
import type { RuleQuestion } from '../../webviews/protocol/formQuestions.ts';
import { partyKey, readRuleFields, rulesOf } from '../../security/form/readRuleFields.ts';
import type { RuleParty, RuleSetEdit } from '../../security/form/ruleEdit.ts';
import type { AskContext } from './definition.ts';
import { identifiable, knownNames, learnPeople } from '../../connections/knownNames.ts';
import { type PickedColumn, pickColumns } from './pickColumns.ts';
import { pickDatamodel } from './pickDatamodel.ts';
import { pickNames } from './pickNames.ts';
import { staysOpen } from './staysOpen.ts';

/** Lets a person choose what the form of rules asks for. */
export async function askRule(question: RuleQuestion, context: AskContext): Promise<RuleSetEdit | undefined> {
  switch (question.kind) {
    case 'datamodel': {
      // The address of a rule is that of the datamodel that it is in; a choice only tells where names are found.
      const datamodel = await pickDatamodel(context.deps, context.connectionId);
      context.useDatamodel(datamodel?.title ?? '');
      return undefined;
    }
    case 'column': {
      const picked = await askColumn(context);
      return picked === undefined
        ? undefined
        : { kind: 'rule', rule: question.rule, edit: { kind: 'column', ...namesOf(picked) } };
    }
    case 'parties': {
      const { parties } = readRuleFields(rulesOf(context.value)[question.rule] ?? null);
      const party = await askParty(context, parties);
      if (party === undefined) {
        return undefined;
      }
      const values = isDefaultWith(party, parties) ? [party] : [...parties.filter(isNamed), party];
      return { kind: 'rule', rule: question.rule, edit: { kind: 'parties', values } };
    }
    case 'newRule':
      return askNewRule(question, context);
  }
}

async function askNewRule(
  question: Extract<RuleQuestion, { kind: 'newRule' }>,
  context: AskContext,
): Promise<RuleSetEdit | undefined> {
  const column = question.table === undefined ? await askColumn(context) : columnNamed(question, context);
  if (column === undefined) {
    return undefined;
  }
  const party = question.party ?? (await askParty(context, []));
  if (party === undefined) {
    return undefined;
  }
  // Nothing is the safe beginning for everybody else (spec, "Default rule"), and for anybody.
  return {
    kind: 'addRule',
    rule: { ...namesOf(column), ruleKind: 'nothing', members: [], parties: [party] },
  };
}

function columnNamed(
  { table = '', column = '' }: Extract<RuleQuestion, { kind: 'newRule' }>,
  { model, value }: AskContext,
): PickedColumn {
  const known =
    model.state === 'ready'
      ? model.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)
      : undefined;
  const sibling = rulesOf(value)
    .map(readRuleFields)
    .find((rule) => rule.table === table && rule.column === column);
  // A column that the datamodel is not known to have is typed as the other rules type it.
  return { table, column: known ?? { name: column, type: sibling?.datatype === 'numeric' ? 40 : 18 } };
}

const namesOf = ({ table, column }: PickedColumn) => ({
  table,
  column: column.name,
  datatype: ruleDatatype(column.type) ?? 'text',
});

async function askColumn({ model, value }: AskContext): Promise<PickedColumn | undefined> {
  const used = new Set(
    rulesOf(value)
      .map(readRuleFields)
      .map(({ table, column }) => JSON.stringify([table, column])),
  );
  const picked = await pickColumns(model, {
    title: vscode.l10n.t('Column of the Rule'),
    isMany: false,
    isUsed: (table, column) => used.has(JSON.stringify([table, column])),
    // Dates cannot carry rules (spec, "Data security rule"); a type that is not known may.
    fits: ({ type }) => type === undefined || ruleDatatype(type) !== undefined,
  });
  return picked?.[0];
}

async function askParty(
  { deps, connectionId }: AskContext,
  taken: readonly RuleParty[],
): Promise<RuleParty | undefined> {
  const keys = new Set(taken.map(partyKey));
  const kinds = [
    {
      label: vscode.l10n.t('Group…'),
      description: vscode.l10n.t('the members of a group'),
      iconPath: new vscode.ThemeIcon('organization'),
      type: 'group' as const,
    },
    {
      label: vscode.l10n.t('User…'),
      description: vscode.l10n.t('one person'),
      iconPath: new vscode.ThemeIcon('person'),
      type: 'user' as const,
    },
    {
      label: vscode.l10n.t('Everybody else'),
      description: vscode.l10n.t('whoever no other rule on this column names'),
      iconPath: new vscode.ThemeIcon('globe'),
      type: 'default' as const,
    },
  ].filter(({ type }) => type !== 'default' || !keys.has('default'));
  const kind = await vscode.window.showQuickPick(kinds, {
    ...staysOpen,
    title: vscode.l10n.t('Party of the Rule'),
    placeHolder: vscode.l10n.t('Whom the rule is for'),
  });
  if (kind === undefined || kind.type === 'default') {
    return kind === undefined ? undefined : { type: 'default' };
  }
  await learnPeople(deps, connectionId);
  const { groups, users } = knownNames(deps, connectionId);
  const isGroup = kind.type === 'group';
  const name = await pickNames(deps, {
    title: isGroup ? vscode.l10n.t('Group') : vscode.l10n.t('User'),
    placeholder: isGroup
      ? vscode.l10n.t('A group: name or ID')
      : vscode.l10n.t('A user: name, e-mail address or ID'),
    known: identifiable(isGroup ? groups : users).filter(
      ({ id }) => !keys.has(partyKey({ type: kind.type, id })),
    ),
    party: kind.type,
    icon: isGroup ? 'organization' : 'person',
    connectionId,
  });
  return name === undefined ? undefined : { type: kind.type, id: name.id, name: name.name };
}

const isNamed = ({ type }: RuleParty): boolean => type !== 'default';

/** The default party stands alone: a default rule has one entry (spec, "Default rule"). */
const isDefaultWith = (party: RuleParty, others: readonly RuleParty[]): boolean =>
  party.type === 'default' || others.length === 0;
