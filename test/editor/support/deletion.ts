import type { Studio } from './studio.ts';
import type { TextMatcher } from './text.ts';

export type TreeItemPath = readonly [TextMatcher, ...TextMatcher[]];

/** Deletes the item of a row through its plan; by its context menu, or by selecting it and using the palette. */
export async function deleteFromTree(
  studio: Studio,
  path: TreeItemPath,
  by: 'menu' | 'palette' = 'menu',
): Promise<void> {
  if (by === 'menu') {
    await studio.contextMenu(path, 'Delete…');
  } else {
    await studio.tree.click(path);
    await studio.runCommand('Datamodel Studio: Delete…');
  }
  const apply = studio.webview().getByRole('button', { name: /^Apply/ });
  await apply.click();
  await apply.waitFor({ state: 'hidden' });
  await studio.treeItemGone(path);
}

/** Undoes a deletion. Most items are restored with another ID, which a dialog asks to confirm. */
export async function undoDeletion(
  studio: Studio,
  deleted: string,
  { isReported } = { isReported: true },
): Promise<void> {
  await studio.runCommand('Datamodel Studio: Undo Last Change');
  if (isReported) {
    await studio.dialogAction('Bring Back');
  }
  await studio.statusBar(`Undone: Deleted ${deleted}`);
}
