import type * as vscode from 'vscode';
import type { HistoryTarget } from '../../contributions.ts';
import type { HistoryNode } from './historyTree.ts';

/**
 * Finds the row of an entry. Without an entry, or if the history no longer has it, returns the first row; `undefined`
 * if the history is empty.
 */
export async function findHistoryRow(
  tree: Pick<vscode.TreeDataProvider<HistoryNode>, 'getChildren'>,
  target: HistoryTarget | undefined,
): Promise<HistoryNode | undefined> {
  const rows = (await tree.getChildren()) ?? [];
  const entryId = target?.entryId;
  if (entryId === undefined) {
    return rows[0];
  }
  for (const row of rows) {
    // With several connections, the entries are below them.
    const entries = row.entryId === undefined ? ((await tree.getChildren(row)) ?? []) : [row];
    const found = entries.find((entry) => entry.entryId === entryId);
    if (found !== undefined) {
      return found;
    }
  }
  return rows[0];
}
