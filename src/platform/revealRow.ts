import * as vscode from 'vscode';

const maxAttempts = 5;

/**
 * Reveals a row of a tree and gives it the focus. While the editor reloads the rows of the tree, it can't reveal any of
 * them, so this is tried several times. If the row can't be revealed at all, the view gets the focus.
 * @param findRow returns the row; `undefined` if there is none
 * @returns whether there is such a row; if not, nothing has changed
 */
export async function revealRow<Node>(
  view: vscode.TreeView<Node>,
  viewId: string,
  findRow: () => Promise<Node | undefined>,
  { select }: { readonly select: boolean },
): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const row = await findRow();
    if (row === undefined) {
      return false;
    }
    try {
      await view.reveal(row, { select, focus: true });
      return true;
    } catch {
      // The editor is reloading the row.
    }
  }
  await vscode.commands.executeCommand(`${viewId}.focus`);
  return true;
}
