import type * as vscode from 'vscode';
import type { ResourceTarget } from '../contributions.ts';

/** Returns the options for the editor that shows a resource. */
export const getShowOptions = ({
  keepsTab = false,
  keepsFocus = false,
}: Pick<ResourceTarget, 'keepsTab' | 'keepsFocus'>): vscode.TextDocumentShowOptions => ({
  preview: !keepsTab,
  preserveFocus: keepsFocus,
});
