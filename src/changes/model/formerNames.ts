import { type Datamodel, getDatamodelType } from '../../contract/datamodel.ts';
import { CatalogNames } from '../../security/catalogNames.ts';
import { type AccessChange, computeAccessDifference } from '../../security/change/accessDifference.ts';
import type { ColumnDifference } from '../../security/change/accessDifferenceRow.ts';
import type { Catalog } from '../../sql/language.ts';
import type { PendingBuild } from './operation.ts';
import type { PlannedAccess } from './plan.ts';

/** The access that is given only until the next build of a datamodel. */
export type GainsUntilBuild = NonNullable<PlannedAccess['subjects'][number]['untilBuild']>;

/** A datamodel before a change, with its names. */
export interface DatamodelBefore {
  readonly datamodel: Datamodel;
  readonly catalog: Catalog;
}

/** The rules of a datamodel or cube set before and after a change. */
interface ChangedRules extends Pick<AccessChange, 'memberships'> {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/**
 * Finds who might gain access until a datamodel is built or published, because rules on names that it doesn't have are
 * deleted or allow more: if its tables or columns were renamed since the last build, queries might still use the former
 * names, where only these rules restrict anything (docs/platform-facts.md, 1.3). The time of a successful build doesn't
 * show that it has the new names: it may have begun before the rename, or used the schema of an earlier build
 * (rest-api.md, "POST /builds body").
 * @returns `undefined` if no one gains access
 */
export function findFormerNameGains(
  { before, after, memberships }: ChangedRules,
  { datamodel, catalog }: DatamodelBefore,
): GainsUntilBuild | undefined {
  const names = new CatalogNames(catalog);
  // Without a catalog, rules count on every name.
  const { rows } = computeAccessDifference({
    before: { rules: before },
    after: { rules: after },
    memberships,
  });
  const gains = rows.filter(
    (row): row is ColumnDifference =>
      row.kind === 'column' && row.effect !== 'loses' && names.isMissing(row.name.table, row.name.column),
  );
  return gains.length === 0 ? undefined : { ...toPendingBuild(datamodel), rows: gains };
}

/**
 * Finds who might gain access through the rules of a cube set, like {@link findFormerNameGains}. The datamodels of a
 * cube set are unknown: a column might have been renamed in each datamodel with the table; if none has the table, it
 * might have been renamed in any.
 */
export function findCubeSetFormerNameGains(
  rules: ChangedRules,
  datamodels: readonly DatamodelBefore[],
): readonly GainsUntilBuild[] {
  const tables = new Set(datamodels.flatMap(({ catalog }) => catalog.tables.map(({ name }) => name)));
  return datamodels.flatMap((model) => {
    const gains = findFormerNameGains(rules, model);
    const ownTables = new Set(model.catalog.tables.map(({ name }) => name));
    const rows = (gains?.rows ?? []).filter(
      (row) => row.kind === 'column' && (ownTables.has(row.name.table) || !tables.has(row.name.table)),
    );
    return gains === undefined || rows.length === 0 ? [] : [{ ...gains, rows }];
  });
}

/** Returns the next build or publication of a datamodel. */
export const toPendingBuild = (datamodel: Datamodel): PendingBuild => ({
  datamodel: datamodel.title,
  isLive: getDatamodelType(datamodel) === 'live',
  ...(isNeverBuilt(datamodel) ? { isNeverBuilt: true } : {}),
});

/**
 * Returns whether an instance reports that a datamodel was never built or published: a time that is null, while one
 * that is absent says nothing. `lastSuccessfulBuildTime` can be null although a build was successful
 * (platform-facts.md, 2.2).
 */
function isNeverBuilt(datamodel: Datamodel): boolean {
  const { lastBuildTime, lastSuccessfulBuildTime, lastPublishTime } = datamodel;
  const time = getDatamodelType(datamodel) === 'live' ? lastPublishTime : lastBuildTime;
  return time === null && ![lastBuildTime, lastSuccessfulBuildTime, lastPublishTime].some(Boolean);
}
