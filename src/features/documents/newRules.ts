import * as vscode from 'vscode';
import { isNewRuleId } from '../../catalog/newRuleId.ts';
import {
  type DocumentIdentity,
  getContainerNames,
  readDocumentPath,
} from '../../documents/documentAddress.ts';
import type { EveryoneElseDecision } from '../../documents/kinds/documentKind.ts';
import type { DocumentRefusedError } from '../../documents/refusals.ts';
import type { SaveIntent } from '../../documents/saveIntent.ts';
import { runCommand } from '../../platform/commands.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getDocumentTabs } from './openDocuments.ts';

const t = vscode.l10n.t;

/** Returns whether the path belongs to a rule that does not exist on the server yet; saving creates it. */
export function isNewRulePath(path: string): boolean {
  const resource = readDocumentPath(path)?.resource;
  return resource?.kind === 'rule' && isNewRuleId(resource.ruleId);
}

/** Asks what everyone else sees in the column of a new rule, if the column has no rule for everyone else yet. */
export async function promptForEveryoneElseDecision({
  createdName,
}: DocumentRefusedError): Promise<SaveIntent | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly decision: EveryoneElseDecision })[] = [
    { label: t('No values'), decision: 'nothing' },
    { label: t('All values'), decision: 'everything' },
    { label: t('No rule'), description: t('their access is uncertain'), decision: 'none' },
  ];
  const item = await vscode.window.showQuickPick(items, {
    title: t('Rule for Everyone Else'),
    placeHolder: t(
      '{0} has no rule for everyone else. Select the values they can see.',
      toPlainText(createdName),
    ),
    // The page of the form may take the focus back.
    ignoreFocusOut: true,
  });
  return item && { everyoneElse: item.decision };
}

/** Shows a rule that a save has created, in the Connections view and in place of the document of the new rule. */
export async function showCreatedRule(
  uri: vscode.Uri,
  path: string,
  created: { readonly identity: DocumentIdentity; readonly name: string },
): Promise<void> {
  const target = { ...created.identity, name: created.name, within: getContainerNames(path) };
  await runCommand('datamodelStudio.explorer.reveal', target);
  const tabs = getDocumentTabs().filter((tab) => tab.uri.toString() === uri.toString());
  await runCommand('datamodelStudio.documents.open', target);
  await vscode.window.tabGroups.close(tabs.map(({ tab }) => tab));
}
