import type { JsonObject, JsonValue } from '../../base/json.ts';
import { getRefKey, type ResourceRef } from '../../catalog/resourceRef.ts';
import { isCubeSetRuleSubject, isSameSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import type { CurrentDocuments } from '../model/undoWrites.ts';
import { asObject, getText } from '../model/jsonMembers.ts';
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
  const restored = findRestoredMembers(entry, (target) => current.get(getRefKey(target)) === undefined);
  for (const { key, target, members } of restored.values()) {
    for (const table of findTableDocuments(target, entry.before)) {
      const columns = returned.get(key) ?? new Set();
      findReturnedNames(table, currentTables.get(getText(table['oid'])), members).forEach((column) =>
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

/** What an undo restores of a table, or of the tables of a dataset. */
interface RestoredMembers {
  /** The datamodel: see {@link getDatamodelKey}. */
  readonly key: string;
  readonly target: ResourceRef;
  readonly members: ReadonlySet<string> | 'all';
}

/**
 * Returns which members of its tables the undo of an entry restores, by the keys of the tables and datasets.
 * @param isGone returns whether an item no longer exists
 */
function findRestoredMembers(
  { operation, writeStates }: HistoryEntry,
  isGone: (target: ResourceRef) => boolean,
): ReadonlyMap<string, RestoredMembers> {
  const restored = new Map<string, RestoredMembers>();
  for (const [index, write] of operation.writes.entries()) {
    const { endpoint, target, body } = write;
    if (target === undefined || writeStates[index]?.state !== 'done') {
      continue;
    }
    const [refKey, key] = [getRefKey(target), getDatamodelKey(write, index)];
    const members = restored.get(refKey)?.members ?? new Set<string>();
    if (endpoint === 'tables.delete' || (endpoint === 'datasets.delete' && isGone(target))) {
      restored.set(refKey, { key, target, members: 'all' });
    } else if (endpoint === 'tables.update' && members !== 'all') {
      restored.set(refKey, { key, target, members: members.union(new Set(Object.keys(asObject(body)))) });
    }
  }
  return restored;
}

/** Returns the names that a table gets back and that don't exist now. */
function findReturnedNames(
  earlierTable: JsonObject,
  currentTable: JsonValue | undefined,
  members: RestoredMembers['members'],
): readonly string[] {
  const [earlier, current] = [readTableNames(earlierTable), readTableNames(currentTable)];
  const restores = (...names: readonly string[]): boolean =>
    current === undefined || members === 'all' || names.some((name) => members.has(name));
  // The columns of a custom table come from its SQL.
  const [named, structured] = [
    restores('name') ? earlier : current,
    restores('columns', 'expression') ? earlier : current,
  ];
  return named === undefined || structured === undefined
    ? []
    : [...structured.columns.keys()]
        .filter((column) => current?.name !== named.name || !current.columns.has(column))
        .map((column) => JSON.stringify([named.name, column]));
}

/** Returns whether the rules of a subject may apply to a datamodel; true if that isn't known. */
export function mayApplyToDatamodel(
  { before }: Pick<HistoryEntry, 'before'>,
  subject: RuleSubject,
  datamodelId: string,
): boolean {
  const recorded = before.filter(({ ref }) => 'subject' in ref && isSameSubject(ref.subject, subject));
  return (
    recorded.length === 0 ||
    recorded.some(({ datamodels }) => datamodels === undefined || datamodels.includes(datamodelId))
  );
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
