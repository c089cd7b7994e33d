import type { Datamodel } from '../contract/datamodel.ts';
import { getColumnName, getTableName } from '../contract/table.ts';
import type { KnownResources } from './instanceCatalog.ts';
import { getRuleSubject, isSameSubject } from './ruleSubject.ts';

/**
 * Number of known uses of a table or column; no request is sent. Viewpoints are not counted: their lists are loaded
 * without details, so a count would be too low.
 */
export interface Usage {
  readonly relationCount: number;
  readonly ruleCount: number;
}

const equalsIgnoreCase = (a: string | null | undefined, b: string): boolean =>
  a?.toLowerCase() === b.toLowerCase();

/**
 * The uses of a table, or of one of its columns. Names in rules are case-sensitive (rest-api.md, "Data security rule"
 * 2).
 */
export function countUsage(
  resources: KnownResources,
  datamodel: Datamodel,
  { table, column }: { readonly table: string; readonly column: string | undefined },
): Usage {
  const columnIds = new Set(
    (datamodel.datasets ?? [])
      .flatMap(({ schema }) => schema?.tables ?? [])
      .filter((candidate) => equalsIgnoreCase(getTableName(candidate), table))
      .flatMap((candidate) => candidate.columns ?? [])
      .filter((candidate) => column === undefined || equalsIgnoreCase(getColumnName(candidate), column))
      .flatMap(({ oid }) => oid ?? []),
  );
  const relations = (datamodel.relations ?? []).filter(({ columns }) =>
    (columns ?? []).some((relationColumn) => columnIds.has(relationColumn.column)),
  );
  const datamodelSubject = getRuleSubject(datamodel);
  const rules = resources.rules
    .filter(({ subject }) => isSameSubject(subject, datamodelSubject))
    .flatMap(({ rules: all }) => all)
    .filter((rule) => rule.table === table && (column === undefined || rule.column === column));
  return { relationCount: relations.length, ruleCount: rules.length };
}
