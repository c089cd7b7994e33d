import * as vscode from 'vscode';
import { type ColumnsTarget, formEditors } from '../../contributions.ts';
import { toParsedJson } from '../../json/text/parsedJson.ts';
import { showInformation, showWarning } from '../../platform/messages.ts';
import { editDocument } from '../../webviews/protocol/editDocument.ts';
import { applyViewpointEdit } from '../../viewpoints/form/applyViewpointEdit.ts';
import { createViewpointColumn } from '../../viewpoints/form/createViewpointColumn.ts';
import { readViewpoint } from '../../viewpoints/form/readViewpoint.ts';
import type { NewViewpointColumn } from '../../viewpoints/form/viewpointEdit.ts';
import type { FormsDeps } from './deps.ts';
import { createFormDocument, isReadOnly } from './formDocument.ts';
import { getFormName } from '../../platform/formNames.ts';

/** Adds columns, or all visible columns of tables, that were selected in the Connections view to the open viewpoint. */
export async function addColumnsToViewpoint(
  deps: FormsDeps,
  targets: readonly ColumnsTarget[],
): Promise<void> {
  const uri = findOpenViewpoint();
  if (uri === undefined) {
    await showInformation(vscode.l10n.t('No viewpoint is open. Open a viewpoint to add the columns to it.'));
    return;
  }
  const columns = (await Promise.all(targets.map((target) => loadColumns(deps, target)))).flat();
  const document = await vscode.workspace.openTextDocument(uri);
  const formDocument = createFormDocument(deps.jsonTrees, document, await isReadOnly(document));
  if (toParsedJson(formDocument.json).error !== undefined) {
    await showInformation(vscode.l10n.t("The open viewpoint isn't valid JSON. Fix the errors first."));
    return;
  }
  const isEdited = await editDocument(formDocument, {}, (value) => {
    const index = readViewpoint(value).columns.length;
    return applyViewpointEdit(value, { kind: 'addColumns', insertIndex: index, columns });
  });
  if (!isEdited) {
    await showWarning(
      vscode.l10n.t("Nothing was changed. The document isn't valid JSON or can't be edited."),
    );
  }
}

/** Returns the viewpoint in the active tab of the active editor group, or else of another group. */
function findOpenViewpoint(): vscode.Uri | undefined {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  return [activeTabGroup, ...all].flatMap(({ activeTab }) => getViewpointUri(activeTab) ?? [])[0];
}

function getViewpointUri(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  if (input instanceof vscode.TabInputCustom && input.viewType === formEditors.viewpoint) {
    return input.uri;
  }
  const isText = input instanceof vscode.TabInputText && getFormName(input.uri.path) === 'viewpoint';
  return isText ? input.uri : undefined;
}

async function loadColumns(
  { sessions }: FormsDeps,
  { connectionId, resource, reference }: ColumnsTarget,
): Promise<readonly NewViewpointColumn[]> {
  if (
    connectionId === undefined ||
    reference === undefined ||
    resource === undefined ||
    !('datamodelId' in resource)
  ) {
    return [];
  }
  const { catalog } = await sessions.get(connectionId);
  const namedDatamodel = await catalog.namedDatamodels.get(resource.datamodelId);
  const table = namedDatamodel.catalog.tables.find(({ name }) => name === reference.table);
  const columns = (table?.columns ?? []).filter(({ name, hidden }) =>
    reference.column === undefined ? hidden !== true : name === reference.column,
  );
  return columns.map((column) => createViewpointColumn(reference.table, column));
}
