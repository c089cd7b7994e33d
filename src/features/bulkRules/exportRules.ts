import * as vscode from 'vscode';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { pickRuleSubject } from '../../platform/pickRuleSubject.ts';
import { formatRuleTable } from '../../security/ruleTable/formatRuleTable.ts';
import { DocumentReader } from '../../changes/model/documentReader.ts';
import type { BulkRulesDeps } from './deps.ts';

const t = vscode.l10n.t;

/** Exports the server's current rules to a CSV file or the clipboard, in the format of the import. */
export async function exportRules(deps: BulkRulesDeps, target: SubjectTarget | undefined): Promise<void> {
  const title = t('Export Rules');
  const pickedTarget = await pickRuleSubject(deps, target, { title });
  if (pickedTarget === undefined) {
    return;
  }
  const { client } = await deps.sessions.get(pickedTarget.connectionId);
  const document = await new DocumentReader(client).readDocument({
    kind: 'rules',
    subject: pickedTarget.subject,
  });
  const rules: readonly unknown[] = Array.isArray(document) ? document : [];
  const name = getSubjectTitle(pickedTarget.subject);
  if (rules.length === 0) {
    await showInformation(t('{0} has no rules.', name));
    return;
  }
  const fileItem = { label: `$(save-as) ${t('Export to File…')}`, description: t('CSV') };
  const clipboardItem = {
    label: `$(clippy) ${t('Copy to Clipboard')}`,
    description: t('for pasting into a spreadsheet'),
  };
  const selectedItem = await vscode.window.showQuickPick([fileItem, clipboardItem], {
    title,
    placeHolder: rules.length === 1 ? t('1 rule of {0}', name) : t('{0} rules of {1}', rules.length, name),
  });
  if (selectedItem === clipboardItem) {
    await vscode.env.clipboard.writeText(formatRuleTable(rules, 'tsv'));
    const message =
      rules.length === 1
        ? t('Copied 1 rule to the clipboard.')
        : t('Copied {0} rules to the clipboard.', rules.length);
    vscode.window.setStatusBarMessage(message, 5000);
  } else if (selectedItem === fileItem) {
    await saveTable(title, name, formatRuleTable(rules));
  }
}

async function saveTable(title: string, name: string, text: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const fileName = `rules-${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80)}.csv`;
  const uri = await vscode.window.showSaveDialog({
    title,
    filters: { CSV: ['csv'] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, fileName) }),
  });
  if (uri !== undefined) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.window.showTextDocument(uri, { preview: false });
  }
}
