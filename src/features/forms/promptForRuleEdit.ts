import * as vscode from 'vscode';
import { getRuleDatatype } from '../../contract/terms.ts';
import type { RuleQuestion } from '../../webviews/protocol/formQuestions.ts';
import { getFormPartyKey, readRuleFields, getDocumentRules } from '../../security/form/readRuleFields.ts';
import type { FormParty, NewFormRule, RuleSetFormEdit } from '../../security/form/ruleEdit.ts';
import type { QuestionContext } from './formDefinition.ts';
import { type PickedColumn, pickColumns } from './pickColumns.ts';
import { showWarning } from '../../platform/messages.ts';
import { pickName } from '../../platform/pickName.ts';
import { pickFormDatamodel } from './pickDatamodel.ts';
import { keepOpenOnFocusLoss } from './quickPickOptions.ts';

/**
 * Asks the user for an edit in the form of a rule or rule set; `undefined` if the user canceled, or if the answer does
 * not edit the document.
 */
export async function promptForRuleEdit(
  question: RuleQuestion,
  context: QuestionContext,
): Promise<RuleSetFormEdit | undefined> {
  switch (question.kind) {
    case 'datamodel': {
      // Picking a datamodel does not edit the document; it only determines where names are found.
      const datamodel = await pickFormDatamodel(context.deps, context.source);
      context.useDatamodel(datamodel?.title ?? '');
      return undefined;
    }
    case 'column': {
      if (getFileColumn(context, question.rule) !== undefined) {
        await showWarning(
          vscode.l10n.t(
            'All rules in this file must be on the same column. To change the column, edit all of the rules in the JSON.',
          ),
        );
        return undefined;
      }
      const column = await pickColumn(context);
      return column && { kind: 'rule', rule: question.rule, edit: { kind: 'column', ...column } };
    }
    case 'parties': {
      const { parties } = readRuleFields(getDocumentRules(context.value)[question.rule] ?? null);
      const party = await pickParty(context, parties);
      // A party that the rule already has is not listed, but it can be looked up by its name.
      if (party === undefined || parties.some((other) => getFormPartyKey(other) === getFormPartyKey(party))) {
        return undefined;
      }
      const values = shouldReplaceParties(party, parties)
        ? [party]
        : [...parties.filter(isUserOrGroup), party];
      return { kind: 'rule', rule: question.rule, edit: { kind: 'parties', values } };
    }
    case 'newRule':
      return promptForNewRule(context);
  }
}

async function promptForNewRule(context: QuestionContext): Promise<RuleSetFormEdit | undefined> {
  const column = getFileColumn(context) ?? (await pickColumn(context));
  const party = column && (await pickParty(context, []));
  // "No values" is the safe default for everyone else (rest-api.md, "Kinds of rule" 1), and for any party.
  return (
    party && {
      kind: 'addRule',
      rule: { ...column, ruleKind: 'nothing', members: [], parties: [party] },
    }
  );
}

/**
 * Returns the column that a new or changed rule of a project file must have, since all rules of such a file are on the
 * same column. Returns `undefined` for other documents, and if the file has no other rules.
 * @param ruleIndex the rule that is changed; absent for a new rule
 */
function getFileColumn({ source, value }: QuestionContext, ruleIndex?: number): RuleColumn | undefined {
  const others = getDocumentRules(value)
    .filter((_rule, index) => index !== ruleIndex)
    .map(readRuleFields);
  const rule = source.isInProject ? others.find(({ column }) => column !== '') : undefined;
  return (
    rule && {
      table: rule.table,
      column: rule.column,
      datatype: rule.datatype === 'numeric' ? rule.datatype : 'text',
    }
  );
}

type RuleColumn = Pick<NewFormRule, 'table' | 'column' | 'datatype'>;

const toRuleColumn = ({ table, column }: PickedColumn): RuleColumn => ({
  table,
  column: column.name,
  datatype: getRuleDatatype(column.type) ?? 'text',
});

async function pickColumn({ model, value }: QuestionContext): Promise<RuleColumn | undefined> {
  const usedColumns = new Set(
    getDocumentRules(value)
      .map(readRuleFields)
      .map(({ table, column }) => JSON.stringify([table, column])),
  );
  const pickedColumns = await pickColumns(model, {
    title: vscode.l10n.t('Select Column for Rule'),
    canPickMany: false,
    isUsed: (table, column) => usedColumns.has(JSON.stringify([table, column])),
    // Dates cannot carry rules (rest-api.md, "Data security rule"); an unknown type may.
    isSelectable: ({ type }) => type === undefined || getRuleDatatype(type) !== undefined,
  });
  return pickedColumns?.map(toRuleColumn)[0];
}

async function pickParty(
  { deps, source }: QuestionContext,
  usedParties: readonly FormParty[],
): Promise<FormParty | undefined> {
  const usedKeys = new Set(usedParties.map(getFormPartyKey));
  const kinds = [
    {
      label: vscode.l10n.t('Group…'),
      description: vscode.l10n.t('the members of a group'),
      iconPath: new vscode.ThemeIcon('organization'),
      type: 'group' as const,
    },
    {
      label: vscode.l10n.t('User…'),
      description: vscode.l10n.t('a single user'),
      iconPath: new vscode.ThemeIcon('person'),
      type: 'user' as const,
    },
    {
      label: vscode.l10n.t('Everyone else'),
      description: vscode.l10n.t('everyone without a rule of their own on this column'),
      iconPath: new vscode.ThemeIcon('globe'),
      type: 'default' as const,
    },
  ].filter(({ type }) => type !== 'default' || !usedKeys.has('default'));
  const kind = await vscode.window.showQuickPick(kinds, {
    ...keepOpenOnFocusLoss,
    title: vscode.l10n.t('Select User or Group for Rule'),
    placeHolder: vscode.l10n.t('Select who the rule applies to'),
  });
  if (kind === undefined || kind.type === 'default') {
    return kind === undefined ? undefined : { type: 'default' };
  }
  const { groups, users } = await source.loadNames({ needsGroupIds: true });
  const isGroup = kind.type === 'group';
  const name = await pickName(deps, {
    title: isGroup ? vscode.l10n.t('Group') : vscode.l10n.t('User'),
    placeholder: isGroup
      ? vscode.l10n.t('Group name or ID')
      : vscode.l10n.t('User name, email address, or ID'),
    knownNames: (isGroup ? groups : users).filter(
      ({ id }) => !usedKeys.has(getFormPartyKey({ type: kind.type, id })),
    ),
    // In a project, users and groups are identified by name only, so none has to be looked up.
    ...(source.isInProject ? {} : { party: kind.type }),
    icon: isGroup ? 'organization' : 'person',
    connectionId: source.connectionId,
  });
  return name === undefined ? undefined : { type: kind.type, id: name.id, name: name.name };
}

const isUserOrGroup = ({ type }: FormParty): boolean => type !== 'default';

/** Returns whether a party replaces the others: a default rule has one entry (rest-api.md, "Kinds of rule" 1). */
const shouldReplaceParties = (party: FormParty, existingParties: readonly FormParty[]): boolean =>
  party.type === 'default' || existingParties.length === 0;
