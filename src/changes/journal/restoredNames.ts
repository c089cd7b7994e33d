import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { isCubeSetRuleSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import { getText } from '../model/jsonMembers.ts';
import {
  getDatamodelKey,
  findTableDocuments,
  readTableNames,
  type RuleColumn,
} from '../rules/nameEffects.ts';
import {
  fulfills,
  getScopeKey,
  type ParsedRuleDocument,
  parseRuleDocuments,
} from '../rules/parsedRuleDocument.ts';
import type { RuleReversal } from '../rules/ruleReversal.ts';
import { getRuleColumnKey, type RuleChoices } from './changedColumns.ts';
import type { HistoryEntry } from './entry.ts';

/** The names that an undo gives back, as far as the rules of a datamodel or cube set are on them. */
export interface RestoredNames {
  /**
   * Returns whether the undo gives back the name of a column that the rules are on: `possibly` also if it isn't known
   * whether they apply to its datamodel, such as for a cube set, whose datamodels no request returns.
   */
  readonly has: (column: TableColumn, certainty: 'certainly' | 'possibly') => boolean;
  /** The IDs of the datamodels that the names are in, if the rules certainly apply to these; otherwise none. */
  readonly datamodels: readonly string[];
}

/** The table and the column of a rule. */
interface TableColumn {
  readonly table?: unknown;
  readonly column?: unknown;
}

/**
 * Creates a function that returns the names that the undo of an entry gives back: the entry has renamed or deleted the
 * column, its table, or its dataset, and the name doesn't exist now.
 */
export function createRestoredNamesLookup(
  entry: HistoryEntry,
  currentDocuments: CurrentDocuments,
): (subject: RuleSubject) => RestoredNames {
  const current = new Map(currentDocuments.map(({ ref, document }) => [getRefKey(ref), document]));
  const currentTables = new Map(
    currentDocuments.map(({ ref, document }) => [ref.kind === 'table' ? ref.tableId : '', document]),
  );
  const returned = new Map<string, Set<string>>();
  for (const [index, write] of entry.operation.writes.entries()) {
    const { endpoint, target } = write;
    const isUndone =
      target !== undefined &&
      entry.writeStates[index]?.state === 'done' &&
      (endpoint === 'tables.update' ||
        endpoint === 'tables.delete' ||
        (endpoint === 'datasets.delete' && current.get(getRefKey(target)) === undefined));
    const key = getDatamodelKey(write, index);
    for (const table of isUndone ? findTableDocuments(target, entry.before) : []) {
      const columns = returned.get(key) ?? new Set();
      findReturnedNames(table, currentTables.get(getText(table['oid']))).forEach((column) =>
        columns.add(column),
      );
      returned.set(key, columns);
    }
  }
  const datamodelsBySubject = new Map(
    entry.before.flatMap(({ ref, datamodels }) =>
      'subject' in ref && datamodels !== undefined
        ? [[JSON.stringify(ref.subject), datamodels] as const]
        : [],
    ),
  );
  return (subject) => {
    const datamodels = datamodelsBySubject.get(JSON.stringify(subject));
    const isCertain = datamodels !== undefined && !isCubeSetRuleSubject(subject);
    const keys = datamodels ?? [...returned.keys()];
    return {
      datamodels: isCertain ? keys.filter((key) => returned.has(key)) : [],
      has: ({ table, column }, certainty) =>
        (isCertain || certainty === 'possibly') &&
        keys.some((key) => returned.get(key)?.has(JSON.stringify([table, column])) === true),
    };
  };
}

/** Returns the names of a table that don't exist now. */
function findReturnedNames(earlierTable: JsonObject, currentTable: JsonValue | undefined): readonly string[] {
  const [earlier, current] = [readTableNames(earlierTable), readTableNames(currentTable)];
  return earlier === undefined
    ? []
    : [...earlier.columns.keys()]
        .filter((column) => current?.name !== earlier.name || !current.columns.has(column))
        .map((column) => JSON.stringify([earlier.name, column]));
}

/**
 * Returns the choices for an undo, which restores the rules on a name that it certainly gives back even if they were to
 * be kept. While the name doesn't exist, its rules restrict nothing, so others may have deleted them. With the name,
 * the rules are needed again.
 */
export function overwriteRestoredColumns(
  { keptColumns, overwrittenColumns }: RuleChoices,
  subject: RuleSubject,
  previousRules: readonly JsonObject[],
  returned: RestoredNames,
): RuleChoices {
  const returnedKeys = new Set(
    previousRules
      .filter((rule) => returned.has(rule, 'certainly'))
      .map((rule) => getRuleColumnKey(subject, rule)),
  );
  return {
    keptColumns: keptColumns.difference(returnedKeys),
    overwrittenColumns: overwrittenColumns.union(keptColumns.intersection(returnedKeys)),
  };
}

/** The rules on the names that an undo gives back, as far as the other writes of the undo don't restore them. */
export interface RestoredNameRules {
  /** The rules that are missing. */
  readonly missing: readonly JsonObject[];
  /**
   * The columns on which others have changed the rules for the same parties. Also the columns of missing rules that
   * might not apply to the name: restoring such rules might change what is visible elsewhere.
   */
  readonly conflicts: readonly RuleColumn[];
}

/**
 * Finds the rules on the names that an undo gives back, as far as they would be missing after the undo.
 * @param previousRules the rules of a datamodel or cube set before the undone operation
 * @param reversal what the undo does to them otherwise
 */
export function findRestoredNameRules(
  previousRules: readonly JsonObject[],
  currentRules: readonly JsonObject[],
  { adds, deletes, updates }: RuleReversal,
  returned: RestoredNames,
): RestoredNameRules {
  const replaced = new Set([...deletes, ...updates.map(({ before }) => before)]);
  const wanted = parseRuleDocuments([
    ...currentRules.filter((rule) => !replaced.has(rule)),
    ...adds,
    ...updates.map(({ after }) => after),
  ]);
  const byScope = Map.groupBy(wanted, getScopeKey);
  const lost = parseRuleDocuments(previousRules).filter(
    (rule) =>
      returned.has(rule.document, 'possibly') &&
      byScope.get(getScopeKey(rule))?.some((other) => fulfills(other, rule)) !== true,
  );
  const isMissing = (rule: ParsedRuleDocument): boolean =>
    returned.has(rule.document, 'certainly') && !byScope.has(getScopeKey(rule));
  return {
    missing: lost.filter(isMissing).map(({ document }) => document),
    conflicts: lost
      .filter((rule) => !isMissing(rule))
      .map(({ document }) => ({
        table: getText(document['table']),
        column: getText(document['column']),
      })),
  };
}
