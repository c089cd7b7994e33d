import * as vscode from 'vscode';
import { decodeText } from '../../base/decodeText.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { ensureWritable } from '../../platform/ensureWritable.ts';
import { pickRuleSubject } from '../../platform/pickRuleSubject.ts';
import { type ParsedRuleTable, parseRuleTable } from '../../security/ruleTable/parseRuleTable.ts';
import { maxRuleFileBytes, readRuleFile } from '../../security/ruleTable/readRuleFile.ts';
import type { BulkRulesDeps } from './deps.ts';
import { RuleChangePanel } from './ruleChangePanel.ts';

const t = vscode.l10n.t;

interface RuleTableSource {
  readonly name: string;
  /** Reads a file again on each call, since the user may have corrected it in the meantime. */
  readonly read: () => Promise<ParsedRuleTable>;
  /** Opens the text that is read. */
  readonly openText: () => Promise<vscode.TextDocument>;
}

/** Asks for a table of rules, and opens a page that previews the change. */
export async function importRules(deps: BulkRulesDeps, target: SubjectTarget | undefined): Promise<void> {
  const title = t('Import Rules');
  const pickedTarget = await pickRuleSubject(deps, target, { title });
  if (pickedTarget === undefined || !(await ensureWritable(deps, pickedTarget.connectionId))) {
    return;
  }
  const tableSource = await promptForTable(title);
  if (tableSource === undefined) {
    return;
  }
  const targetTitle = getSubjectTitle(pickedTarget.subject);
  RuleChangePanel.open(deps, pickedTarget, {
    title: t('Import rules into {0}', targetTitle),
    tabTitle: t('{0} into {1}', tableSource.name, targetTitle),
    sourceName: tableSource.name,
    choices: { mode: 'columns', columns: {}, rewritesExclusions: false },
    readRules: async () => ({ ...(await tableSource.read()), warnings: [] }),
    openText: tableSource.openText,
  });
}

async function promptForTable(title: string): Promise<RuleTableSource | undefined> {
  const fileItem = { label: `$(go-to-file) ${t('Import from File…')}`, description: t('CSV or TSV') };
  const clipboardItem = {
    label: `$(clippy) ${t('Import from Clipboard')}`,
    description: t('spreadsheet rows'),
  };
  const selectedItem = await vscode.window.showQuickPick([fileItem, clipboardItem], {
    title,
    placeHolder: t('One row per value and user or group: table, column, value, party type, party'),
  });
  if (selectedItem === fileItem) {
    return promptForFile(title);
  }
  if (selectedItem === undefined) {
    return undefined;
  }
  // Read only now: a browser asks the user for permission to read the clipboard.
  return createClipboardSource(await vscode.env.clipboard.readText());
}

/**
 * Creates the source for the rows of the clipboard. Once they are open as an untitled document, that document is read.
 */
function createClipboardSource(content: string): RuleTableSource {
  let document: vscode.TextDocument | undefined;
  const getOpenDocument = (): vscode.TextDocument | undefined =>
    document?.isClosed === true ? undefined : document;
  let text = content;
  return {
    name: t('clipboard'),
    read: async () => {
      text = getOpenDocument()?.getText() ?? text;
      return parseRuleTable(text);
    },
    openText: async () => {
      document = getOpenDocument() ?? (await vscode.workspace.openTextDocument({ content: text }));
      return document;
    },
  };
}

async function promptForFile(title: string): Promise<RuleTableSource | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [uri] =
    (await vscode.window.showOpenDialog({
      title,
      openLabel: t('Import'),
      canSelectMany: false,
      filters: { [t('Tables')]: ['csv', 'tsv', 'txt'] },
      ...(folder === undefined ? {} : { defaultUri: folder }),
    })) ?? [];
  if (uri === undefined) {
    return undefined;
  }
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const readTable = async (): Promise<ParsedRuleTable> => {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxRuleFileBytes) {
      throw new Error(
        t('{0} is too large. The maximum size is {1} MB.', name, maxRuleFileBytes / 1024 / 1024),
      );
    }
    return readRuleFile(await vscode.workspace.fs.readFile(uri));
  };
  return {
    name,
    read: readTable,
    openText: async () => {
      const { encoding } = decodeText(await vscode.workspace.fs.readFile(uri));
      return encoding === 'Windows-1252'
        ? vscode.workspace.openTextDocument(uri, { encoding: 'windows1252' })
        : vscode.workspace.openTextDocument(uri);
    },
  };
}
