import type { Datamodel } from '../contract/datamodel.ts';
import { columnName, tableName } from '../contract/table.ts';
import type { Known } from './catalog.ts';

/** How often something of a datamodel is used, as far as is known without asking. */
export interface Usage {
  readonly relations: number;
  readonly rules: number;
  readonly viewpoints: number;
}

const same = (a: string | null | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

/** Where a table, or one column of it, is used. Rules tell names apart by letter case (spec); viewpoints do not. */
export function usageOf(
  known: Known,
  datamodel: Datamodel,
  { table, column }: { readonly table: string; readonly column: string | undefined },
): Usage {
  const ends = new Set(
    (datamodel.datasets ?? [])
      .flatMap(({ schema }) => schema?.tables ?? [])
      .filter((one) => same(tableName(one), table))
      .flatMap((one) => one.columns ?? [])
      .filter((one) => column === undefined || same(columnName(one), column))
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
  const viewpoints = known.viewpoints
    .filter(({ details }) => details?.datasource?.title === datamodel.title)
    .filter(({ details }) =>
      (details?.columns ?? []).some(
        (one) => same(one.table, table) && (column === undefined || same(one.column, column)),
      ),
    );
  return { relations: relations.length, rules: rules.length, viewpoints: viewpoints.length };
}
