import type { Catalog } from '../../sql/language.ts';
import { groupRulesByColumn, type ColumnRuleIndex } from '../columnAccess.ts';
import { getPartyAccess } from '../effectiveAccess.ts';
import { readArray, isObject, isNonEmptyString, getSharePartyId, readRules } from '../readRules.ts';
import { getTableAccess } from '../tableAccess.ts';
import type { AuditFinding } from './auditFinding.ts';

/** A viewpoint on the datamodel and the groups that it is shared with. */
export interface AuditedViewpoint {
  readonly id: string;
  readonly name: string;
  /** Groups by name or by ID (rest-api.md, "ViewpointVisibility"). */
  readonly groups: readonly string[];
  /** The names of the tables that its columns belong to. */
  readonly tables: readonly string[];
}

/**
 * Finds viewpoints shared with a group whose rules hide every row of one of their tables.
 * @param datamodelCatalog `undefined` if the tables are unknown, as for a cube set: then only rules on a viewpoint's
 *   own tables are considered
 */
export function auditViewpoints(
  viewpoints: readonly AuditedViewpoint[],
  rules: readonly unknown[],
  datamodelCatalog: Catalog | undefined,
): readonly AuditFinding[] {
  const catalog = datamodelCatalog ?? createViewpointCatalog(viewpoints);
  const groupIdsByName = getGroupIdsByName(rules);
  const columnRules = groupRulesByColumn(readRules(rules));
  const hiddenTablesByGroup = new Map<string, ReadonlySet<string>>();
  const getHiddenTables = (groupId: string): ReadonlySet<string> => {
    const tables = hiddenTablesByGroup.get(groupId) ?? findHiddenTables(columnRules, catalog, groupId);
    hiddenTablesByGroup.set(groupId, tables);
    return tables;
  };
  return viewpoints.flatMap(({ id, name, groups, tables }) =>
    groups.flatMap((group): AuditFinding[] => {
      const hiddenTables = getHiddenTables(groupIdsByName.get(group) ?? group);
      const table = tables.find((candidate) => hiddenTables.has(candidate));
      return table === undefined
        ? []
        : [
            {
              code: 'viewpoint-sees-nothing',
              severity: 'warning',
              args: [name, group, table],
              viewpointId: id,
            },
          ];
    }),
  );
}

/** Creates a catalog of the tables that viewpoints use; their columns and relations are unknown. */
const createViewpointCatalog = (viewpoints: readonly AuditedViewpoint[]): Catalog => ({
  complete: false,
  tables: [...new Set(viewpoints.flatMap(({ tables }) => tables))].map((name) => ({ name, columns: [] })),
});

function findHiddenTables(
  columnRules: readonly ColumnRuleIndex[],
  catalog: Catalog,
  groupId: string,
): ReadonlySet<string> {
  const access = getPartyAccess(columnRules, { groupIds: [groupId] });
  const tables = getTableAccess(access, catalog).filter(({ verdict }) => verdict === 'none');
  return new Set(tables.map(({ table }) => table));
}

/** Returns group IDs by group name, from the names in the server's rules. */
function getGroupIdsByName(rules: readonly unknown[]): ReadonlyMap<string, string> {
  const shares = readArray(rules).flatMap((rule) => readArray(isObject(rule) ? rule['shares'] : []));
  return new Map(
    shares.flatMap((share) => {
      const id = isObject(share) ? getSharePartyId(share) : undefined;
      const name = isObject(share) && share['type'] === 'group' ? share['partyName'] : undefined;
      return id !== undefined && isNonEmptyString(name) ? [[name, id] as const] : [];
    }),
  );
}
