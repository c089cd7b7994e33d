import type { Datamodel } from '../contract/datamodel.ts';
import { getColumnName, getTableName } from '../contract/table.ts';
import type { KnownResources } from './instanceCatalog.ts';

/**
 * How often something of a datamodel is used, as far as is known without asking. Viewpoints are not counted: lists of
 * them are asked for without their details, and a count of none would be an invention.
 */
export interface Usage {
  readonly relations: number;
  readonly rules: number;
}

const equalsIgnoreCase = (a: string | null | undefined, b: string): boolean =>
  a?.toLowerCase() === b.toLowerCase();

/** Where a table, or one column of it, is used. Rules tell names apart by letter case (spec). */
export function countUsage(
  known: KnownResources,
  datamodel: Datamodel,
  { table, column }: { readonly table: string; readonly column: string | undefined },
): Usage {
  const ends = new Set(
    (datamodel.datasets ?? [])
      .flatMap(({ schema }) => schema?.tables ?? [])
      .filter((one) => equalsIgnoreCase(getTableName(one), table))
      .flatMap((one) => one.columns ?? [])
      .filter((one) => column === undefined || equalsIgnoreCase(getColumnName(one), column))
      .flatMap(({ oid }) => oid ?? []),
  );
  const relations = (datamodel.relations ?? []).filter(({ columns }) =>
    (columns ?? []).some((end) => ends.has(end.column)),
  );
  const rules = known.rules
    .filter(
      ({ subject }) => (subject.kind === 'live' ? subject.title : subject.elasticube) === datamodel.title,
    )
    .flatMap(({ rules: all }) => all)
    .filter((rule) => rule.table === table && (column === undefined || rule.column === column));
  return { relations: relations.length, rules: rules.length };
}
