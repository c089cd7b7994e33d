import * as vscode from 'vscode';
import type { PlanSubject, ReferrerKind } from '../../changes/model/plan.ts';
import type { RenameReference } from '../../changes/plan/rename/renameOperation.ts';
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
  /** Absent for a separator. */
  readonly key?: string;
}

/** A workspace file that uses an old name. Like a {@link RenameReference}, the user can exclude it from the rename. */
export interface ReferringFile {
  readonly key: string;
  readonly name: string;
  readonly detail: string;
}

const getFilesTitle = (): string => t('SQL files in the workspace');

/** Describes the location of a reference; for a rule, adds its parties and access. */
const describeLocation = ({ within, rule }: PlanSubject): string =>
  [within.join(' › '), ...(rule === undefined ? [] : [formatRule(rule, t)])].join(' · ');

/**
 * Lets the user choose which references to an old name are renamed. Initially, all are checked except rules of cube
 * sets that may also protect a column of this name in other datamodels.
 * @param files files of the workspace with references
 * @returns the keys of the references and files that keep the old name; `undefined` if the user canceled
 */
export async function askForExcludedReferences(
  title: string,
  references: readonly RenameReference[],
  files: readonly ReferringFile[] = [],
): Promise<ReadonlySet<string> | undefined> {
  const items = groupTitles.flatMap(([referrerKind, getGroupTitle, icon]): readonly ReferenceItem[] => {
    const groupReferences = references.filter((reference) => reference.referrerKind === referrerKind);
    return groupReferences.length === 0
      ? []
      : [
          { label: getGroupTitle(), kind: vscode.QuickPickItemKind.Separator },
          ...groupReferences.map((reference) => ({
            label: toPlainText(reference.subject.name),
            description: toPlainText(describeLocation(reference.subject)),
            iconPath: new vscode.ThemeIcon(icon),
            ...describeOtherDatamodels(reference),
            key: reference.key,
          })),
        ];
  });
  if (files.length > 0) {
    items.push({ label: getFilesTitle(), kind: vscode.QuickPickItemKind.Separator });
  }
  items.push(
    ...files.map(({ key, name, detail }) => ({
      label: toPlainText(name),
      description: detail,
      iconPath: new vscode.ThemeIcon('file'),
      picked: true,
      key,
    })),
  );
  const keys = [...references, ...files].map(({ key }) => key);
  const pickedItems = await vscode.window.showQuickPick(items, {
    title,
    placeHolder:
      keys.length === 1
        ? t('1 reference will be updated. If unselected, it will break.')
        : t('{0} references will be updated. Unselected ones will break.', keys.length),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  if (pickedItems === undefined) {
    return undefined;
  }
  const pickedKeys = new Set(pickedItems.flatMap(({ key }) => key ?? []));
  return new Set(keys.filter((key) => !pickedKeys.has(key)));
}

const describeOtherDatamodels = ({
  otherDatamodelTitles = [],
}: RenameReference): Pick<ReferenceItem, 'detail' | 'picked'> =>
  otherDatamodelTitles.length === 0
    ? { picked: true }
    : {
        picked: false,
        detail: toPlainText(
          t(
            'This column is also in: {0}. If you update the rule, it no longer protects the column there.',
            otherDatamodelTitles.join(', '),
          ),
        ),
      };
