import { type RuleSubject, getRuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import type { Session } from '../../connections/sessions.ts';
import type { Catalog } from '../../sql/language.ts';

/**
 * The tables of a datamodel, with what others have added since it was listed: a column that is not there keeps its rows
 * from being imported. Nothing tells the tables of a cube set.
 * @throws ApiError
 */
export async function loadCurrentTables(
  { catalog }: Pick<Session, 'catalog'>,
  subject: RuleSubject,
): Promise<Catalog | undefined> {
  await catalog.revalidate();
  const named = await catalog.names.find((entry) => isSameSubject(getRuleSubject(entry), subject));
  return named?.catalog;
}
