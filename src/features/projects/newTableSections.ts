import * as vscode from 'vscode';
import type { PlannedAccess } from '../../changes/model/plan.ts';
import type { LocatedItem } from '../../platform/locatedSections.ts';
import { describeItemKind, getItemName } from '../../platform/projects/itemNames.ts';
import { resourceIcons } from '../../platform/resourceIcons.ts';
import type { CreatedTable } from '../../project/access/newTables.ts';
import { getProjectAccess } from '../../project/access/projectAccess.ts';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { restrictsAnyone } from '../../security/ruleEffect.ts';
import type { SeparatedAccess } from './deps.ts';
import { createSections } from './planSections.ts';

const t = vscode.l10n.t;

/**
 * Separates who sees the tables that a plan creates from the access that it changes: no one had access to them before.
 * Tables that rules don't restrict come first.
 */
export function separateNewTables(plan: ProjectPlan, access: PlannedAccess | undefined): SeparatedAccess {
  const { existing, newTables } = getProjectAccess(plan, access, t);
  const unrestricted = newTables.filter(({ effect }) => !restrictsAnyone(effect));
  const restricted = newTables.filter(({ effect }) => effect.restrictsEveryoneElse);
  const partlyRestricted = newTables.filter(
    ({ effect }) => !effect.restrictsEveryoneElse && effect.restrictsNamedParties,
  );
  return {
    existing,
    hasNewTables: newTables.length > 0,
    summary: [
      ...summarizeUnrestricted(unrestricted),
      ...summarize(
        partlyRestricted.length,
        t('Rules restrict who sees 1 new table, but only for some users and groups.'),
        (count) => t('Rules restrict who sees {0} new tables, but only for some users and groups.', count),
      ),
      ...summarize(restricted.length, t('Rules restrict who sees 1 new table.'), (count) =>
        t('Rules restrict who sees {0} new tables.', count),
      ),
    ].join(' '),
    sections: createSections([
      [
        t("New tables that rules don't restrict"),
        'warning',
        unrestricted.map((table) =>
          createTableItem(
            'warning',
            table,
            table.effect.isUncertain
              ? t('everyone with access to the datamodel might see it')
              : t('everyone with access to the datamodel will see it'),
          ),
        ),
      ],
      [
        t('New tables that rules restrict only for some users and groups'),
        'warning',
        partlyRestricted.map((table) =>
          createTableItem(
            'warning',
            table,
            table.effect.isUncertain
              ? t('everyone else with access to the datamodel might see it')
              : t('everyone else with access to the datamodel will see it'),
          ),
        ),
      ],
      [
        t('New tables that rules restrict'),
        'plain',
        restricted.map((table) => createTableItem(resourceIcons.table, table)),
      ],
    ]),
  };
}

function summarizeUnrestricted(tables: readonly CreatedTable[]): readonly string[] {
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
const createTableItem = (
  icon: string,
  { key, restrictions }: CreatedTable,
  visibility?: string,
): LocatedItem => ({
  icon,
  text: getItemName(key),
  detail: [
    describeItemKind(key),
    ...(visibility === undefined ? [] : [visibility]),
    ...restrictions.map(({ text }) => text),
  ].join(' · '),
});
