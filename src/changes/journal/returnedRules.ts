import type { JsonObject, JsonValue } from '../../base/json.ts';
import { isSameRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import { asObject, getObjects, getText } from '../model/readJson.ts';
import { readNames, type RuleColumn } from '../rules/openedNames.ts';
import { fulfills, getScopeKey, parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import type { RuleReversal } from '../rules/ruleReversal.ts';
import { getRuleColumnKey, type RuleChoices } from './changedColumns.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * Creates a function that returns whether the undo of an entry gives back the name of a column: the entry has renamed or
 * deleted the column, its table, or its dataset, and the name doesn't exist now.
 */
export function createReturnedCheck(
  { operation, before, writes }: HistoryEntry,
  currentDocuments: CurrentDocuments,
): (column: { readonly table?: unknown; readonly column?: unknown }) => boolean {
  const tables = operation.writes.flatMap(({ endpoint, target }, index): readonly JsonValue[] => {
    if (target === undefined || writes[index]?.state !== 'done') {
      return [];
    }
    const current = currentDocuments.find(({ ref }) => isSameRef(ref, target))?.document;
    if (endpoint === 'datasets.delete' && target.kind === 'dataset' && current === undefined) {
      return before.flatMap(({ ref, document }) =>
        ref.kind === 'datamodel' && ref.datamodelId === target.datamodelId
          ? getObjects(asObject(document)['datasets'])
              .filter(({ oid }) => oid === target.datasetId)
              .flatMap((dataset) => getObjects(asObject(dataset['schema'])['tables']))
          : [],
      );
    }
    return endpoint === 'tables.update' || endpoint === 'tables.delete'
      ? before.filter(({ ref }) => isSameRef(ref, target)).flatMap(({ document }) => document ?? [])
      : [];
  });
  const returned = new Set(
    tables.flatMap((document) => {
      const earlier = readNames(document);
      const { oid } = asObject(document);
      const current = readNames(
        currentDocuments.find(({ ref }) => ref.kind === 'table' && ref.tableId === oid)?.document,
      );
      return earlier === undefined
        ? []
        : [...earlier.columns.keys()]
            .filter((column) => current?.name !== earlier.name || !current.columns.has(column))
            .map((column) => JSON.stringify([earlier.name, column]));
    }),
  );
  return ({ table, column }) => returned.has(JSON.stringify([table, column]));
}

/**
 * Returns the choices for an undo. Others may have deleted the rules on a name that doesn't exist, since these restricted
 * nothing; when the undo gives the name back, they restrict it again. So the undo can't keep such a change.
 */
export function withoutReturnedColumns(
  { keptColumns, overwrittenColumns }: RuleChoices,
  subject: RuleSubject,
  previousRules: readonly JsonObject[],
  isReturned: (rule: JsonObject) => boolean,
): RuleChoices {
  const returnedKeys = new Set(
    previousRules.filter(isReturned).map((rule) => getRuleColumnKey(subject, rule)),
  );
  return {
    keptColumns: keptColumns.difference(returnedKeys),
    overwrittenColumns: overwrittenColumns.union(keptColumns.intersection(returnedKeys)),
  };
}

/** The rules on the names that an undo gives back, as far as the other writes of the undo don't restore them. */
export interface ReturnedRules {
  /** The rules that are missing. */
  readonly missing: readonly JsonObject[];
  /** Columns with other rules for the same parties: these were changed by others. */
  readonly conflicts: readonly RuleColumn[];
}

/**
 * Finds the rules on the names that an undo gives back, and that would be missing then.
 * @param previousRules the rules of a datamodel or cube set before the undone operation
 * @param reversal what the undo does to them otherwise
 */
export function findReturnedRules(
  previousRules: readonly JsonObject[],
  currentRules: readonly JsonObject[],
  { adds, deletes, updates }: RuleReversal,
  isReturned: (rule: JsonObject) => boolean,
): ReturnedRules {
  const replaced = new Set([...deletes, ...updates.map(({ before }) => before)]);
  const wanted = parseRuleDocuments([
    ...currentRules.filter((rule) => !replaced.has(rule)),
    ...adds,
    ...updates.map(({ after }) => after),
  ]);
  const scopes = new Set(wanted.map(getScopeKey));
  const lost = parseRuleDocuments(previousRules).filter(
    (rule) => isReturned(rule.rule) && !wanted.some((other) => fulfills(other, rule)),
  );
  return {
    missing: lost.filter((rule) => !scopes.has(getScopeKey(rule))).map(({ rule }) => rule),
    conflicts: lost
      .filter((rule) => scopes.has(getScopeKey(rule)))
      .map(({ rule }) => ({
        table: getText(rule['table']),
        column: getText(rule['column']),
      })),
  };
}
