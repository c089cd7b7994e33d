import { type RuleSubject, getRuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import type { Session } from '../../connections/sessions.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import type { Catalog as TableCatalog } from '../../sql/language.ts';

/**
 * Loads the current tables of a datamodel. Reads them again, since rows for a column that another user has just added
 * would be rejected as unknown. The datamodels of a cube set are unknown: for a cube set, returns all tables that it
 * may contain, marked as incomplete. They provide data types, but a name that is missing is not an error. Returns no
 * tables for a live datamodel that the instance doesn't list.
 * @throws ApiError
 */
export async function loadCurrentTables(
  { catalog }: Pick<Session, 'catalog'>,
  subject: RuleSubject,
): Promise<CurrentTables> {
  await catalog.revalidate();
  const named = await catalog.namedDatamodels.find((entry) => isSameSubject(getRuleSubject(entry), subject));
  return named === undefined && subject.kind === 'extract'
    ? { catalog: { ...(await catalog.namedDatamodels.getForCubeSet()), complete: false } }
    : { datamodel: named?.datamodel, catalog: named?.catalog };
}

/** The tables that rules apply to, if they are known. */
export interface CurrentTables {
  /** Absent for a cube set. */
  readonly datamodel?: Datamodel | undefined;
  readonly catalog: TableCatalog | undefined;
}

/**
 * Returns whether a rule subject is a datamodel rather than a cube set.
 * @throws ApiError
 */
export const isDatamodelSubject = async (
  { catalog }: Pick<Session, 'catalog'>,
  subject: RuleSubject,
): Promise<boolean> =>
  subject.kind === 'live' ||
  (await catalog.partial.datamodels()).value.some((entry) => isSameSubject(getRuleSubject(entry), subject));
