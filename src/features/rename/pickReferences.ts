import * as vscode from 'vscode';
import type { PlanSubject, ReferrerKind } from '../../changes/model/plan.ts';
import type { RenamePart } from '../../changes/plan/rename/renameOperation.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { formatRule } from '../../webviews/protocol/ruleFormat.ts';

const t = vscode.l10n.t;

const groupTitles: readonly (readonly [referrerKind: ReferrerKind, title: () => string, icon: string])[] = [
  ['tableExpression', () => t('SQL of custom tables'), 'code'],
  ['columnExpression', () => t('SQL of custom columns'), 'symbol-field'],
  ['rule', () => t('Data security rules'), 'shield'],
  ['viewpoint', () => t('Viewpoints'), 'eye'],
];

interface ReferenceItem extends vscode.QuickPickItem {
  readonly part?: RenamePart;
}

/** Describes the location of a reference; for a rule, adds its parties and access. */
const describeLocation = ({ within, rule }: PlanSubject): string =>
  [within.join(' › '), ...(rule === undefined ? [] : [formatRule(rule, t)])].join(' · ');

/**
 * Lets the user choose which references to an old name are renamed. At first, all are checked but the rules of cube
 * sets that may protect other datamodels under that name.
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
            description: toPlainText(describeLocation(part.subject)),
            iconPath: new vscode.ThemeIcon(icon),
            ...describeNamesakes(part),
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

const describeNamesakes = ({
  otherDatamodelTitles = [],
}: RenamePart): Pick<ReferenceItem, 'detail' | 'picked'> =>
  otherDatamodelTitles.length === 0
    ? { picked: true }
    : {
        picked: false,
        detail: toPlainText(
          t(
            '{0} has this column, too. A renamed rule no longer protects it there.',
            otherDatamodelTitles.join(', '),
          ),
        ),
      };
