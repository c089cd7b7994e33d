import type { Catalog } from '../../sql/language.ts';
import { rulesByColumn, type RulesOfColumn } from '../columnAccess.ts';
import { accessIn } from '../effectiveAccess.ts';
import { asList, isObject, isText, partyIdOf, readRules } from '../readRule.ts';
import { accessOfTables } from '../tableAccess.ts';
import type { AuditFinding } from './auditFinding.ts';

/** A viewpoint on the datamodel, as far as it is shared. */
export interface SharedViewpoint {
  readonly id: string;
  readonly name: string;
  /** Groups by name or by id (spec, "ViewpointVisibility"). */
  readonly groups: readonly string[];
  /** The tables of its columns. */
  readonly tables: readonly string[];
}

/**
 * Viewpoints that are shared with a group of which rules hide every row of one of their tables.
 * @param known the tables; where nothing tells them, as of a cube set, only rules on a viewpoint's own tables count
 */
export function auditViewpoints(
  viewpoints: readonly SharedViewpoint[],
  rules: readonly unknown[],
  known: Catalog | undefined,
): readonly AuditFinding[] {
  const catalog = known ?? tablesOf(viewpoints);
  const ids = groupIdsByName(rules);
  const columns = rulesByColumn(readRules(rules));
  const hidden = new Map<string, ReadonlySet<string>>();
  const hiddenFrom = (groupId: string): ReadonlySet<string> => {
    const tables = hidden.get(groupId) ?? emptyTables(columns, catalog, groupId);
    hidden.set(groupId, tables);
    return tables;
  };
  return viewpoints.flatMap(({ id, name, groups, tables }) =>
    groups.flatMap((group): AuditFinding[] => {
      const none = hiddenFrom(ids.get(group) ?? group);
      const table = tables.find((each) => none.has(each));
      return table === undefined
        ? []
        : [
            {
              code: 'viewpoint-sees-nothing',
              severity: 'warning',
              args: [name, group, table],
              message: `Viewpoint "${name}" is shared with group "${group}", which sees no row of "${table}"`,
              viewpointId: id,
            },
          ];
    }),
  );
}

/** The tables that viewpoints name; of their columns and relations nothing is known. */
const tablesOf = (viewpoints: readonly SharedViewpoint[]): Catalog => ({
  complete: false,
  tables: [...new Set(viewpoints.flatMap(({ tables }) => tables))].map((name) => ({ name, columns: [] })),
});

function emptyTables(
  columns: readonly RulesOfColumn[],
  catalog: Catalog,
  groupId: string,
): ReadonlySet<string> {
  const access = accessIn(columns, { groupIds: [groupId] });
  const tables = accessOfTables(access, catalog).filter(({ verdict }) => verdict === 'none');
  return new Set(tables.map(({ table }) => table));
}

/** What the server's answers call groups. */
function groupIdsByName(rules: readonly unknown[]): ReadonlyMap<string, string> {
  const shares = asList(rules).flatMap((rule) => asList(isObject(rule) ? rule['shares'] : []));
  return new Map(
    shares.flatMap((share) => {
      const id = isObject(share) ? partyIdOf(share) : undefined;
      const name = isObject(share) && share['type'] === 'group' ? share['partyName'] : undefined;
      return id !== undefined && isText(name) ? [[name, id] as const] : [];
    }),
  );
}
