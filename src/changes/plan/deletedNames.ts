import type { Datamodel } from '../../contract/datamodel.ts';

/**
 * Returns the names of the tables of a datamodel that an operation deletes, or of which it deletes columns. Until the
 * next build, queries might still show them (docs/platform-facts.md, 1.3), even if they are hidden: they may be so only
 * since the last build, for example, because an apply was abandoned after it had hidden them.
 */
export function findTablesWithDeletions({
  before,
  after,
}: {
  readonly before: Datamodel;
  readonly after: Datamodel;
}): ReadonlySet<string> {
  const remaining = new Set(
    getTables(after).flatMap(({ columns = [] }) => (columns ?? []).map(({ oid }) => oid)),
  );
  return new Set(
    getTables(before).flatMap(({ id, name, columns }) =>
      columns?.some(({ oid }) => !remaining.has(oid)) === true ? [name ?? id ?? ''] : [],
    ),
  );
}

const getTables = ({ datasets }: Datamodel) => (datasets ?? []).flatMap(({ schema }) => schema?.tables ?? []);
