import { type RuleSubject, getRuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import type { Session } from '../../connections/sessions.ts';
import type { Catalog } from '../../sql/language.ts';

/**
 * Loads the current tables of a datamodel, including those that others have added since it was listed: rows for an
 * unknown column can't be imported. For a cube set, returns the tables that it may contain, so that no name is unknown
 * but data types are known.
 * @throws ApiError
 */
export async function loadCurrentTables(
  { catalog }: Pick<Session, 'catalog'>,
  subject: RuleSubject,
): Promise<Catalog | undefined> {
  await catalog.revalidate();
  const datamodel = await catalog.names.find((entry) => isSameSubject(getRuleSubject(entry), subject));
  return datamodel === undefined && subject.kind === 'extract'
    ? { ...(await catalog.names.getForCubeSet()), complete: false }
    : datamodel?.catalog;
}

/**
 * Returns whether rules are those of a datamodel; others are those of a cube set.
 * @throws ApiError
 */
export const isDatamodel = async (
  { catalog }: Pick<Session, 'catalog'>,
  subject: RuleSubject,
): Promise<boolean> =>
  subject.kind === 'live' ||
  (await catalog.readable.datamodels()).value.some((entry) => isSameSubject(getRuleSubject(entry), subject));
