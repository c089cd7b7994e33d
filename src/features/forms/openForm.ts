import type * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { FormName } from '../../contributions.ts';
import type { FormsDeps } from './deps.ts';
import { FormHost } from './formHost.ts';
import { singleRuleFormDefinition, ruleSetFormDefinition } from './ruleDefinition.ts';
import { viewpointDefinition } from './viewpointDefinition.ts';

/** Opens the form of a document in a panel. The caller must dispose of it with the panel. */
export function openForm(
  formName: FormName,
  deps: FormsDeps,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): Promise<Disposable> {
  switch (formName) {
    case 'viewpoint':
      return FormHost.open(deps, document, panel, viewpointDefinition);
    case 'rule':
      return FormHost.open(deps, document, panel, singleRuleFormDefinition);
    case 'ruleSet':
      return FormHost.open(deps, document, panel, ruleSetFormDefinition);
    default:
      return assertNever(formName);
  }
}
