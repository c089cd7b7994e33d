import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditView, ToAudit } from '../../../src/webviews/protocol/audit.ts';
import type { HostedPage } from './pages.ts';
import type { HostStudio } from './studio.ts';
import { deleteFolder, getWorkspaceFolder } from './workspace.ts';

/** Checks the security of the sandbox from its menu, and returns the page. */
export async function checkSecurity(studio: HostStudio): Promise<HostedPage> {
  await studio.chooseFromContextMenu('Sandbox', 'Data Security', 'Check Security');
  return studio.findPage('datamodelStudio.audit', 'Security');
}

/** Waits until the page shows the expected content. */
export async function waitForView(
  page: HostedPage,
  isExpected: (view: AuditView) => boolean,
): Promise<AuditView> {
  return (await page.waitForMessage<ToAudit>('view', ({ view }) => isExpected(view))).view;
}

/** The baseline in the open folder, which is deleted at the end of the block. */
export function useBaselineFile(): { readonly uri: vscode.Uri; read(): Promise<string> } & AsyncDisposable {
  const uri = vscode.Uri.file(join(getWorkspaceFolder(), '.datamodel-studio', 'security-baseline.json'));
  return {
    uri,
    read: () => readFile(uri.fsPath, 'utf8'),
    [Symbol.asyncDispose]: () => deleteFolder(dirname(uri.fsPath)),
  };
}
