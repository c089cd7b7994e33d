import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { FormName } from '../../contributions.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { renderErrorPage } from '../../platform/webviews.ts';
import type { FormsDeps } from './deps.ts';
import { FormHost } from './formHost.ts';
import { singleRuleFormDefinition, ruleSetFormDefinition } from './ruleFormDefinitions.ts';
import { viewpointFormDefinition } from './viewpointFormDefinition.ts';

/**
 * Opens the form of a document in a panel, or shows there why the document can't be read. The caller must dispose of
 * the form with the panel.
 */
export async function openForm(
  formName: FormName,
  deps: FormsDeps,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): Promise<Disposable> {
  try {
    return await openFormHost(formName, deps, document, panel);
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError)) {
      throw error;
    }
    renderErrorPage(panel.webview, { title: panel.title, message: getUserMessage(error) });
    return { dispose() {} };
  }
}

function openFormHost(
  formName: FormName,
  deps: FormsDeps,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): Promise<Disposable> {
  switch (formName) {
    case 'viewpoint':
      return FormHost.open(deps, document, panel, viewpointFormDefinition);
    case 'rule':
      return FormHost.open(deps, document, panel, singleRuleFormDefinition);
    case 'ruleSet':
      return FormHost.open(deps, document, panel, ruleSetFormDefinition);
    default:
      return assertNever(formName);
  }
}
