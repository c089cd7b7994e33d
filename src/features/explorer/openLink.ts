import * as vscode from 'vscode';
import { commandLink } from '../../platform/commands.ts';
import type { ExplorerNode } from './nodes/node.ts';

/** What a click on a node, or Enter, does: shows its resource. */
export const openLink = (node: ExplorerNode): vscode.Command =>
  commandLink('datamodelStudio.explorer.open', vscode.l10n.t('Open'), node);
