import * as vscode from 'vscode';
import type { OperationLocation } from '../../changes/model/operationLocation.ts';
import type { NamedDatamodel } from '../../catalog/namedDatamodels.ts';
import { createNewRuleId } from '../../catalog/newRuleId.ts';
import {
  type RuleSubject,
  getRuleSubject,
  getSubjectTitle,
  isSameSubject,
} from '../../catalog/ruleSubject.ts';
import { getColumnTypeLabel, getRuleDatatype } from '../../contract/terms.ts';
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

/** A column of the list. The type of a cube set's column is unknown if its datamodels disagree about it. */
interface ListedColumn extends NamedColumn {
  readonly datatype: SecuredColumn['datatype'] | undefined;
  readonly typeName: string;
}

/**
 * Returns the column of the new rule, which must hold text or numbers (rest-api.md, "Data security rule" 3): the passed
 * column, or else the one that the user picks. The columns of a cube set cannot be listed, so the user picks one of all
 * extract datamodels, or types its name.
 */
async function pickSecuredColumn(
  deps: ResourcesDeps,
  location: OperationLocation,
  subject: RuleSubject,
  initialColumn: NamedColumn | undefined,
): Promise<SecuredColumn | undefined> {
  const { namedDatamodels } = (await deps.sessions.get(location.connectionId)).catalog;
  const namedDatamodel = await namedDatamodels.find((candidate) =>
    isSameSubject(getRuleSubject(candidate), subject),
  );
  const isCubeSet = namedDatamodel === undefined;
  const columns = listColumns(namedDatamodel?.catalog ?? (await namedDatamodels.getForCubeSet()), isCubeSet);
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
  if (isCubeSet && initialColumn !== undefined && matchingColumn === undefined) {
    return promptForColumn(subject, initialColumn);
  }
  const pickedColumn = matchingColumn ?? (await pickColumn(columns, subject, isCubeSet));
  return pickedColumn === 'other'
    ? promptForColumn(subject)
    : pickedColumn && (toSecuredColumn(pickedColumn) ?? promptForColumn(subject, pickedColumn));
}

const listColumns = ({ tables }: NamedDatamodel['catalog'], isCubeSet: boolean): readonly ListedColumn[] =>
  tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name: column, type }): readonly ListedColumn[] => {
      const datatype = getRuleDatatype(type);
      return datatype === undefined && !(isCubeSet && type === undefined)
        ? []
        : [{ table, column, datatype, typeName: getColumnTypeLabel(type) }];
    }),
  );

const toSecuredColumn = ({ table, column, datatype }: ListedColumn): SecuredColumn | undefined =>
  datatype && { table, column, datatype };

/** Asks for one of the columns; for a cube set, one that is not listed can be typed. */
function pickColumn(
  columns: readonly ListedColumn[],
  subject: RuleSubject,
  isCubeSet: boolean,
): Promise<ListedColumn | 'other' | undefined> {
  return pickItem<ListedColumn | 'other'>([...columns, ...(isCubeSet ? (['other'] as const) : [])], {
    title: t('New Rule in {0}', getSubjectTitle(subject)),
    placeholder: isCubeSet
      ? t('Select the column to secure, from any extract datamodel')
      : t('Select the column to secure'),
    emptyMessage: t('{0} has no text or numeric columns to secure.', getSubjectTitle(subject)),
    getLabel: (item) => (item === 'other' ? t('Other Column…') : `${item.table}.${item.column}`),
    getDescription: (item) => (item === 'other' ? '' : item.typeName),
    alwaysAsk: true,
  });
}

function promptForColumn(
  subject: RuleSubject,
  initialColumn?: NamedColumn,
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
