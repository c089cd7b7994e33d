import * as vscode from 'vscode';
import { sortByText } from '../../base/sortByText.ts';
import type { UnrestorableItem } from '../../changes/journal/unrestorableItems.ts';

const t = vscode.l10n.t;

/** Says what a rollback has not restored, and how that affects which rows users see. */
export function describeUnrestorable(items: readonly UnrestorableItem[]): readonly string[] {
  const broken = items.filter(({ code }) => code === 'broken');
  const unshared = items.filter(({ code }) => code === 'sharing');
  const waitingForBuild = items.filter(({ code }) => code !== 'broken' && code !== 'sharing');
  return [
    ...(broken.length === 0
      ? []
      : [
          broken.length === 1
            ? t("1 relation can't be restored because one of its columns had already been deleted.")
            : t(
                "{0} relations can't be restored because each of them had already lost a column.",
                broken.length,
              ),
        ]),
    ...(unshared.length === 0
      ? []
      : [
          t(
            'Not restored, because sharing requires an app and a user or group: the sharing of {0}.',
            listNames(unshared),
          ),
        ]),
    ...(waitingForBuild.length === 0
      ? []
      : [
          waitingForBuild.every(isColumn)
            ? t(
                'Not restored, because a build must create columns first: {0}. Build the datamodel, and then restore them.',
                listNames(waitingForBuild),
              )
            : t(
                "Not restored, because a build must create columns first: {0}. Until a relation exists, rules on one of its tables don't restrict the other, so more rows might be visible. Build the datamodel and restore them before you share it.",
                listNames(waitingForBuild),
              ),
        ]),
  ];
}

const isColumn = ({ code }: UnrestorableItem): boolean => code === 'column-settings';

const listNames = (items: readonly UnrestorableItem[]): string => {
  const names = items.map((item) => (isColumn(item) ? t('settings of {0}', item.name) : item.name));
  return sortByText([...new Set(names)], (name) => name).join(', ');
};
