import * as vscode from 'vscode';
import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { type ColumnsProblem, parseColumns } from '../../changes/operations/columnsInput.ts';
import { createDatasetCreationOperation } from '../../changes/model/datasetWrites.ts';
import {
  type ColumnInput,
  createBaseTableCreationOperation,
  createCustomColumnCreationOperation,
  createCustomTableCreationOperation,
} from '../../changes/operations/tableActions.ts';
import { columnTypes } from '../../contract/terms.ts';
import { getColumnName, getTableName } from '../../contract/table.ts';
import { type TreeTarget, schemes } from '../../contributions.ts';
import { readDocumentAddress } from '../../documents/documentAddress.ts';
import { createChoiceStep, createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { type DatasetSelection, pickDatamodelOfNode, pickDataset, pickTable } from './pickResource.ts';
import { createAndReveal } from './createResource.ts';
import type { ResourcesDeps } from './deps.ts';
import { createNameValidator } from './names.ts';
import { fetchTableDocument } from './fetchTableDocument.ts';

const t = vscode.l10n.t;

/** Asks for the source table, a name and the columns, and creates a base table. */
export async function addTable(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const selection = await pickDataset(deps, t('New Table'), node, ({ type }) => type !== 'custom');
  if (selection === undefined) {
    return;
  }
  const { location, datasetIds, datamodel } = selection;
  const names = await loadTableNames(deps, selection);
  const title = t('New Table in {0}', datamodel.title);
  const form = await runWizard<{ id: string; name: string; columns: string }>(
    [
      createTextStep('id', () => ({
        title,
        prompt: t('Name of the table in the source (for files, the file name)'),
        validate: (value) => (value.trim() === '' ? t('Enter a name.') : undefined),
      })),
      createTextStep('name', ({ id, name }) => ({
        title,
        prompt: t('Name of the table in the datamodel'),
        value: name || id.replace(/\.\w{1,5}$/, ''),
        validate: createNameValidator(names),
      })),
      createTextStep('columns', () => ({
        title,
        prompt: t('Columns and their types, separated by commas (you can add more later in the document)'),
        placeholder: vscode.l10n.t('Order Id integer, Customer text, Day date'),
        validate: (value) => {
          const columns = parseColumns(value);
          return 'code' in columns ? describeColumnsProblem(columns) : undefined;
        },
      })),
    ],
    { id: '', name: '', columns: '' },
  );
  const columns = form && parseColumns(form.columns);
  if (form !== undefined && columns !== undefined && !('code' in columns)) {
    await createAndReveal(
      deps,
      createBaseTableCreationOperation(location, datasetIds, { ...form, columns }),
      (tableId) => ({
        kind: 'table',
        ...datasetIds,
        tableId,
      }),
    );
  }
}

/**
 * Asks for a name and the SQL, and creates a custom table in the custom dataset, which is created if there is none.
 */
export async function addCustomTable(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const selection = await pickDatamodelOfNode(deps, t('New Custom Table'), node);
  if (selection === undefined) {
    return;
  }
  const { location, datamodel } = selection;
  const title = t('New Custom Table in {0}', datamodel.title);
  const names = await loadTableNames(deps, selection);
  const form = await runWizard<{ name: string; expression: string }>(
    [
      createTextStep('name', () => ({
        title,
        prompt: t('Name of the table'),
        validate: createNameValidator(names),
      })),
      createTextStep('expression', () => ({
        title,
        prompt: t('SQL of the table (you can complete it in the editor)'),
        value: 'SELECT ',
        validate: (value) => (value.trim() === '' ? t('Enter an expression.') : undefined),
      })),
    ],
    { name: '', expression: '' },
  );
  if (form === undefined) {
    return;
  }
  const { catalog } = await deps.sessions.get(location.connectionId);
  const customDataset = (await catalog.datasets(datamodel.oid)).find(({ type }) => type === 'custom');
  const datasetId =
    customDataset?.oid ??
    (await createAndReveal(
      deps,
      createDatasetCreationOperation(location, datamodel.oid, { name: t('Custom tables'), type: 'custom' }),
      (id) => ({ kind: 'dataset', datamodelId: datamodel.oid, datasetId: id }),
      { open: false },
    ));
  if (datasetId !== undefined) {
    const datasetIds = { datamodelId: datamodel.oid, datasetId };
    const createdId = await createAndReveal(
      deps,
      createCustomTableCreationOperation(location, datasetIds, form),
      (tableId) => ({ kind: 'table', ...datasetIds, tableId }),
      { open: (tableId) => ({ kind: 'tableExpression', ...datasetIds, tableId }) },
    );
    if (createdId !== undefined) {
      moveCaretToEnd(location.connectionId, createdId);
    }
  }
}

/**
 * Moves the caret to the end of the expression that was just opened; VS Code may report its editor as active only
 * later.
 */
function moveCaretToEnd(connectionId: string, tableId: string): void {
  const editor = vscode.window.visibleTextEditors.find(({ document: { uri } }) => {
    const shown = uri.scheme === schemes.document ? readDocumentAddress(uri) : undefined;
    return (
      shown?.connectionId === connectionId &&
      shown.resource.kind === 'tableExpression' &&
      shown.resource.tableId === tableId
    );
  });
  if (editor !== undefined) {
    const { end } = editor.document.lineAt(editor.document.lineCount - 1).range;
    editor.selection = new vscode.Selection(end, end);
  }
}

/** Codes of column types (platform-facts.md, 2.3). */
const textTypeCode = 18;
const legacyTimestampTypeCode = 19;

/** Asks for a name, a type and the SQL, adds a custom column to a table, and opens its SQL, which is checked there. */
export async function addCustomColumn(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const selection = await pickTable(deps, t('New Custom Column'), node);
  if (selection === undefined) {
    return;
  }
  const { location, tableIds, table } = selection;
  const title = t('New Custom Column in {0}', getTableName(table));
  const names = (table.columns ?? []).map(getColumnName);
  const form = await runWizard<ColumnInput & { expression: string }>(
    [
      createTextStep('name', () => ({
        title,
        prompt: t('Name of the column'),
        validate: createNameValidator(names),
      })),
      createChoiceStep('type', () => ({
        title,
        placeholder: t('Select the data type'),
        items: columnTypes
          .filter(({ code }) => code !== legacyTimestampTypeCode)
          .map(({ name, group, code }) => ({ label: name, description: group, value: code })),
      })),
      createTextStep('expression', () => ({
        title,
        prompt: t('SQL expression that uses columns of the table'),
        placeholder: "[First Name] + ' ' + [Last Name]",
        validate: (value) => (value.trim() === '' ? t('Enter an expression.') : undefined),
      })),
    ],
    { name: '', type: textTypeCode, expression: '' },
  );
  if (form !== undefined) {
    // Read it only now: the columns that are sent replace the stored ones (rest-api.md, "Datamodel API" 2).
    const document = await fetchTableDocument(deps, location.connectionId, tableIds);
    await createAndReveal(
      deps,
      createCustomColumnCreationOperation(location, tableIds, document, form),
      (columnId) => ({ kind: 'column', ...tableIds, columnId }),
      {
        // The response is the table.
        getId: (response) => findColumnId(response, form.name),
        open: (columnId) => ({ kind: 'columnExpression', ...tableIds, columnId }),
      },
    );
  }
}

function findColumnId(table: JsonValue | undefined, name: string): string | undefined {
  const columns = isJsonObject(table) ? table['columns'] : undefined;
  const oid = (Array.isArray(columns) ? (columns as readonly JsonValue[]) : [])
    .filter(isJsonObject)
    .find((column) => column['name'] === name)?.['oid'];
  return typeof oid === 'string' ? oid : undefined;
}

async function loadTableNames(
  deps: ResourcesDeps,
  { location, datamodel }: Pick<DatasetSelection, 'location' | 'datamodel'>,
): Promise<string[]> {
  const { catalog } = await deps.sessions.get(location.connectionId);
  const datasets = await catalog.datasets(datamodel.oid);
  const tables = await Promise.all(datasets.map(({ oid }) => catalog.tables(datamodel.oid, oid)));
  return tables.flat().map(getTableName);
}

function describeColumnsProblem({ code, entry }: ColumnsProblem): string {
  switch (code) {
    case 'no-name':
      return t('{0} has no name. Enter the name first, then the type.', entry);
    case 'no-type':
      return t('{0} has no type. Enter the type after the name, for example, integer, text, or date.', entry);
    case 'unknown-type':
      return t("{0} doesn't end with a known type. Enter a type such as integer, text, or date.", entry);
    case 'duplicate':
      return t('{0} is listed twice.', entry);
  }
}
