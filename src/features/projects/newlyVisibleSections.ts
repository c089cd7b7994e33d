import * as vscode from 'vscode';
import type { PlannedAccess } from '../../changes/model/plan.ts';
import type { LocatedItem } from '../../platform/locatedSections.ts';
import { describeItemKind, getItemName } from '../../platform/projects/itemNames.ts';
import { resourceIcons } from '../../platform/resourceIcons.ts';
import type { ChangedViewpoint, NewlyVisiblePart } from '../../project/access/newlyVisible.ts';
import { getProjectAccess } from '../../project/access/projectAccess.ts';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import {
  describeChangedViewpoint,
  describeNewlyVisible,
  describeVisibility,
  getVisibleName,
  limitRules,
  summarizeNewlyVisible,
} from '../../project/access/newlyVisibleTexts.ts';
import { restrictsAnyone } from '../../security/ruleEffect.ts';
import type { SeparatedAccess } from './deps.ts';
import { type SectionContent, createSections } from './planSections.ts';

const t = vscode.l10n.t;

/**
 * Separates who sees what a plan makes visible from changes of the access to what is already visible: what becomes
 * visible has no previous access to compare with. Tables that rules don't restrict come first.
 */
export function separateNewlyVisible(plan: ProjectPlan, access: PlannedAccess | undefined): SeparatedAccess {
  const { existing, isPartlyUnknown, newlyVisible, deferredRulesCount } = getProjectAccess(plan, access, t);
  const { newTables, inExistingTables, viewpoints } = newlyVisible;
  const unrestricted = newTables.filter(({ effect }) => !restrictsAnyone(effect));
  const restricted = newTables.filter(({ effect }) => effect.restrictsEveryoneElse);
  const partlyRestricted = newTables.filter(
    ({ effect }) => !effect.restrictsEveryoneElse && effect.restrictsNamedParties,
  );
  return {
    changedAccess: existing,
    isPartlyUnknown,
    newlyVisible: [
      ...summarizeUnrestricted(unrestricted),
      ...summarize(
        partlyRestricted.length,
        t('Rules restrict who sees 1 new table, but only for some users and groups.'),
        (count) => t('Rules restrict who sees {0} new tables, but only for some users and groups.', count),
      ),
      ...summarize(restricted.length, t('Rules restrict who sees 1 new table.'), (count) =>
        t('Rules restrict who sees {0} new tables.', count),
      ),
      ...summarize(deferredRulesCount, t("1 new table has rules that aren't in this apply."), (count) =>
        t("{0} new tables have rules that aren't in this apply.", count),
      ),
      ...summarizeNewlyVisible(newlyVisible, t),
    ],
    sections: createSections([
      [
        t("New tables that rules don't restrict"),
        'warning',
        unrestricted.map((table) => createTableItem('warning', table, describeVisibility(table.effect, t))),
      ],
      [
        t('New tables that rules restrict only for some users and groups'),
        'warning',
        partlyRestricted.map((table) =>
          createTableItem('warning', table, describeVisibility(table.effect, t)),
        ),
      ],
      [
        t('New tables that rules restrict'),
        'plain',
        restricted.map((table) => createTableItem(resourceIcons.table, table)),
      ],
      ...createNewlyVisibleSections(inExistingTables, viewpoints),
    ]),
  };
}

function summarizeUnrestricted(tables: readonly NewlyVisiblePart[]): readonly string[] {
  const [uncertain, certain] = [true, false].map(
    (isUncertain) => tables.filter(({ effect }) => effect.isUncertain === isUncertain).length,
  );
  return [
    ...summarize(
      certain ?? 0,
      t('1 new table will be visible to everyone with access to its datamodel.'),
      (count) => t('{0} new tables will be visible to everyone with access to their datamodel.', count),
    ),
    ...summarize(
      uncertain ?? 0,
      t('1 new table might be visible to everyone with access to its datamodel.'),
      (count) => t('{0} new tables might be visible to everyone with access to their datamodel.', count),
    ),
  ];
}

const summarize = (count: number, one: string, formatMany: (count: number) => string): readonly string[] =>
  count === 0 ? [] : [count === 1 ? one : formatMany(count)];

/** Describes who sees a table: what its rules grant, and who isn't restricted by them. */
const createTableItem = (icon: string, table: NewlyVisiblePart, visibility?: string): LocatedItem => ({
  icon,
  text: getItemName(table.key),
  detail: [
    describeItemKind(table.key),
    ...(visibility === undefined ? [] : [visibility]),
    ...formatRestrictions(table),
  ].join(' · '),
});

const formatRestrictions = ({ restrictions }: NewlyVisiblePart): readonly string[] =>
  limitRules(
    restrictions.map(({ text }) => text),
    t,
  );

/** Lists what becomes visible in existing tables, and what viewpoints might show. */
const createNewlyVisibleSections = (
  inExistingTables: readonly NewlyVisiblePart[],
  viewpoints: readonly ChangedViewpoint[],
): readonly SectionContent[] => {
  const isRestricted = ({ effect }: NewlyVisiblePart): boolean => effect.restrictsEveryoneElse;
  const unrestrictedParts = inExistingTables.filter((visible) => !isRestricted(visible));
  return [
    [
      t('Newly visible'),
      'warning',
      [
        ...unrestrictedParts.map((visible) => createVisibleItem('warning', visible)),
        ...viewpoints.map((viewpoint) => ({
          icon: 'warning',
          text: getItemName(viewpoint.key),
          detail: [describeItemKind(viewpoint.key), describeChangedViewpoint(viewpoint, t)].join(' · '),
        })),
      ],
    ],
    [
      t('Newly visible in the rows that rules allow'),
      'plain',
      inExistingTables
        .filter(isRestricted)
        .map((visible) =>
          createVisibleItem(
            visible.column === undefined ? resourceIcons.table : resourceIcons.column,
            visible,
          ),
        ),
    ],
  ];
};

const createVisibleItem = (icon: string, visible: NewlyVisiblePart): LocatedItem => ({
  icon,
  text: getVisibleName(visible),
  detail: [
    visible.column === undefined
      ? describeItemKind(visible.key)
      : t('Column of a table in {0}', visible.key.datamodel),
    ...describeNewlyVisible(visible, t),
    ...formatRestrictions(visible),
  ].join(' · '),
});
