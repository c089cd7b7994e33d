import * as vscode from 'vscode';
import type { OperationLocation } from '../../changes/model/operationLocation.ts';
import { createNewRuleId } from '../../catalog/newRuleId.ts';
import {
  type RuleSubject,
  getRuleSubject,
  getSubjectTitle,
  isSameSubject,
} from '../../catalog/ruleSubject.ts';
import { getColumnTypeLabel, getRuleDatatype } from '../../contract/terms.ts';
import { getColumnName, getTableName } from '../../contract/table.ts';
import { runCommand } from '../../platform/commands.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { showInformation } from '../../platform/messages.ts';
import type { TreeTarget } from '../../contributions.ts';
import { findNearest } from '../../platform/treeTarget.ts';
import { createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { pickDatamodelOfNode, pickItem } from './pickResource.ts';
import type { ResourcesDeps } from './deps.ts';

const t = vscode.l10n.t;

interface NamedColumn {
  readonly table: string;
  readonly column: string;
  /** Set for a column of the datamodel; rules may also refer to other columns. */
  readonly isInDatamodel?: true;
}

interface SecuredColumn extends NamedColumn {
  readonly datatype: 'text' | 'numeric';
}

/**
 * Opens the form of a new rule of an extract or live datamodel or of a cube set, after asking for its column if none
 * was passed. The rule is created when the user saves the form and has reviewed the change.
 */
export async function addRule(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const rulesNode = findNearest(node, 'rules');
  const initialColumn = findNearest(node, 'columnRules')?.resource ?? getNodeColumn(node);
  const selection = rulesNode?.resource.subject ?? (await pickSubjectOfNode(deps, node));
  if (selection === undefined) {
    return;
  }
  const connectionId =
    node?.connectionId ?? ('location' in selection ? selection.location.connectionId : undefined);
  if (connectionId === undefined || !(await ensureWritable(deps, connectionId))) {
    return;
  }
  const subject = 'location' in selection ? selection.subject : selection;
  const location = { connectionId, within: [getSubjectTitle(subject)] };
  const column = await pickSecuredColumn(deps, location, subject, initialColumn);
  if (column !== undefined) {
    await runCommand('datamodelStudio.documents.open', {
      ...location,
      resource: { kind: 'rule', subject, ruleId: createNewRuleId(deps.clock.now()) },
      name: t('New Rule'),
      unsavedMembers: { table: column.table, column: column.column, datatype: column.datatype },
    });
  }
}

async function pickSubjectOfNode(
  deps: ResourcesDeps,
  node?: TreeTarget,
): Promise<{ readonly location: OperationLocation; readonly subject: RuleSubject } | undefined> {
  const selection = await pickDatamodelOfNode(deps, t('New Rule'), node);
  return selection && { location: selection.location, subject: getRuleSubject(selection.datamodel) };
}

/** Returns the names of the column that a menu passed. */
function getNodeColumn(node: TreeTarget | undefined): NamedColumn | undefined {
  const [table, column] = [findNearest(node, 'table'), findNearest(node, 'column')];
  return table && column && { table: table.name, column: column.name, isInDatamodel: true };
}

/**
 * Returns the column of the new rule, which must hold text or numbers (rest-api.md, "Data security rule" 3): the passed
 * column, or else the one that the user picks. The columns of a cube set cannot be listed, so the user types its name.
 */
async function pickSecuredColumn(
  deps: ResourcesDeps,
  location: OperationLocation,
  subject: RuleSubject,
  initialColumn: NamedColumn | undefined,
): Promise<SecuredColumn | undefined> {
  const { catalog } = await deps.sessions.get(location.connectionId);
  const datamodel = (await catalog.readable.datamodels()).value.find((candidate) =>
    isSameSubject(getRuleSubject(candidate), subject),
  );
  if (datamodel === undefined) {
    return promptForColumn(subject, initialColumn);
  }
  const columns: (SecuredColumn & { readonly typeName: string })[] = [];
  for (const dataset of await catalog.datasets(datamodel.oid)) {
    for (const table of await catalog.tables(datamodel.oid, dataset.oid)) {
      for (const column of table.columns ?? []) {
        const datatype = getRuleDatatype(column.type);
        if (datatype !== undefined) {
          const typeName = getColumnTypeLabel(column.type);
          columns.push({ table: getTableName(table), column: getColumnName(column), datatype, typeName });
        }
      }
    }
  }
  const matchingColumn = columns.find(
    ({ table, column }) => table === initialColumn?.table && column === initialColumn.column,
  );
  if (initialColumn?.isInDatamodel === true && matchingColumn === undefined) {
    await showInformation(
      t(
        "Can't add a rule to {0}. Only text and numeric columns can have rules.",
        `${initialColumn.table}.${initialColumn.column}`,
      ),
    );
    return undefined;
  }
  return (
    matchingColumn ??
    pickItem(columns, {
      title: t('New Rule in {0}', getSubjectTitle(subject)),
      placeholder: t('Select the column to secure'),
      emptyMessage: t('{0} has no text or numeric columns to secure.', getSubjectTitle(subject)),
      getLabel: ({ table, column }) => `${table}.${column}`,
      getDescription: ({ typeName }) => typeName,
      alwaysAsk: true,
    })
  );
}

function promptForColumn(
  subject: RuleSubject,
  initialColumn: NamedColumn | undefined,
): Promise<SecuredColumn | undefined> {
  const title = t('New Rule in {0}', getSubjectTitle(subject));
  const validateName = (value: string): string | undefined =>
    value.trim() === '' ? t('Enter a name.') : undefined;
  return runWizard<SecuredColumn>(
    [
      createTextStep('table', () => ({
        title,
        prompt: t('Table name (case-sensitive)'),
        validate: validateName,
      })),
      createTextStep('column', () => ({
        title,
        prompt: t('Column name (case-sensitive)'),
        validate: validateName,
      })),
      createChoiceStep<'datatype', SecuredColumn>('datatype', () => ({
        title,
        placeholder: t('Select the data type'),
        items: [
          { label: t('Text'), value: 'text' },
          { label: t('Numbers'), value: 'numeric' },
        ],
      })),
    ],
    { table: initialColumn?.table ?? '', column: initialColumn?.column ?? '', datatype: 'text' },
  );
}
