import * as vscode from 'vscode';
import type { ReferrerKind } from '../../changes/model/plan.ts';
import type { RenamePart } from '../../changes/plan/rename/renameOperation.ts';
import { toPlainText } from '../../platform/serverText.ts';

const t = vscode.l10n.t;

const groupTitles: readonly (readonly [by: ReferrerKind, title: () => string, icon: string])[] = [
  ['tableExpression', () => t('SQL of custom tables'), 'code'],
  ['columnExpression', () => t('SQL of custom columns'), 'symbol-field'],
  ['rule', () => t('Data security rules'), 'shield'],
  ['viewpoint', () => t('Viewpoints'), 'eye'],
];

interface ReferenceItem extends vscode.QuickPickItem {
  readonly part?: RenamePart;
}

/**
 * Lets the user choose which references to an old name are renamed; all are checked at first.
 * @returns the keys of the parts that keep the old name; `undefined` if the user canceled
 */
export async function pickReferences(
  title: string,
  parts: readonly RenamePart[],
): Promise<ReadonlySet<string> | undefined> {
  const items = groupTitles.flatMap(([referrerKind, getGroupTitle, icon]): readonly ReferenceItem[] => {
    const groupParts = parts.filter((part) => part.referrerKind === referrerKind);
    return groupParts.length === 0
      ? []
      : [
          { label: getGroupTitle(), kind: vscode.QuickPickItemKind.Separator },
          ...groupParts.map((part) => ({
            label: toPlainText(part.subject.name),
            description: toPlainText(part.subject.within.join(' › ')),
            iconPath: new vscode.ThemeIcon(icon),
            picked: true,
            part,
          })),
        ];
  });
  const pickedItems = await vscode.window.showQuickPick(items, {
    title,
    placeHolder:
      parts.length === 1
        ? t('One place follows the new name. If you leave it out, it stops working.')
        : t('{0} places follow the new name. What you leave out stops working.', parts.length),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  if (pickedItems === undefined) {
    return undefined;
  }
  const pickedKeys = new Set(pickedItems.flatMap(({ part }) => part?.key ?? []));
  return new Set(parts.map(({ key }) => key).filter((key) => !pickedKeys.has(key)));
}
