import type { Catalog } from '../../sql/language.ts';
import { groupRulesByColumn, type ColumnRuleIndex } from '../columnAccess.ts';
import { getPartyAccess } from '../effectiveAccess.ts';
import { toArray, isObject, isText, getSharePartyId, readRules } from '../readRule.ts';
import { getTableAccess } from '../tableAccess.ts';
import type { AuditFinding } from './auditFinding.ts';

/** The sharing of a viewpoint on the datamodel. */
export interface SharedViewpoint {
  readonly id: string;
  readonly name: string;
  /** Groups by name or by ID (rest-api.md, "ViewpointVisibility"). */
  readonly groups: readonly string[];
  /** The tables of its columns. */
  readonly tables: readonly string[];
}

/**
 * Finds viewpoints shared with a group whose rules hide every row of one of their tables.
 * @param known the tables; if they are unknown, as for a cube set, only rules on a viewpoint's own tables count
 */
export function auditViewpoints(
  viewpoints: readonly SharedViewpoint[],
  rules: readonly unknown[],
  known: Catalog | undefined,
): readonly AuditFinding[] {
  const catalog = known ?? createViewpointCatalog(viewpoints);
  const ids = getGroupIdsByName(rules);
  const columns = groupRulesByColumn(readRules(rules));
  const hidden = new Map<string, ReadonlySet<string>>();
  const getHiddenTables = (groupId: string): ReadonlySet<string> => {
    const tables = hidden.get(groupId) ?? findEmptyTables(columns, catalog, groupId);
    hidden.set(groupId, tables);
    return tables;
  };
  return viewpoints.flatMap(({ id, name, groups, tables }) =>
    groups.flatMap((group): AuditFinding[] => {
      const none = getHiddenTables(ids.get(group) ?? group);
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

/** The tables that viewpoints name; their columns and relations are unknown. */
const createViewpointCatalog = (viewpoints: readonly SharedViewpoint[]): Catalog => ({
  complete: false,
  tables: [...new Set(viewpoints.flatMap(({ tables }) => tables))].map((name) => ({ name, columns: [] })),
});

function findEmptyTables(
  columns: readonly ColumnRuleIndex[],
  catalog: Catalog,
  groupId: string,
): ReadonlySet<string> {
  const access = getPartyAccess(columns, { groupIds: [groupId] });
  const tables = getTableAccess(access, catalog).filter(({ verdict }) => verdict === 'none');
  return new Set(tables.map(({ table }) => table));
}

/** Group IDs by the group names in the server's responses. */
function getGroupIdsByName(rules: readonly unknown[]): ReadonlyMap<string, string> {
  const shares = toArray(rules).flatMap((rule) => toArray(isObject(rule) ? rule['shares'] : []));
  return new Map(
    shares.flatMap((share) => {
      const id = isObject(share) ? getSharePartyId(share) : undefined;
      const name = isObject(share) && share['type'] === 'group' ? share['partyName'] : undefined;
      return id !== undefined && isText(name) ? [[name, id] as const] : [];
    }),
  );
}
