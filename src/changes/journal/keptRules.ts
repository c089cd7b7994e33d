import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import { asObject, getText, omitMembers } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { getNameEffects, readTableNames, type RuleColumn } from '../rules/nameEffects.ts';
import { collectRules } from '../rules/ruleEdits.ts';
import { createRestrictionCheck, findShownDatasources } from '../rules/shownDatasources.ts';
import { getRefKey, isSameRef } from '../../catalog/resourceRef.ts';
import { findRuleColumns } from './changedColumns.ts';
import type { ChangedDocument } from './changedDocuments.ts';
import type { HistoryEntry } from './entry.ts';
import { findWrittenDocument } from './omitKeptDocuments.ts';
import { mayApplyToDatamodel } from './restoredNames.ts';

/** A column whose rules an undo leaves as they are. */
export interface KeptRuleColumn extends RuleColumn {
  readonly subject: RuleSubject;
}

/**
 * Finds the columns whose rules an undo must not undo, since it keeps a document that others have changed later. If the
 * rules went while what they protect stays, everyone would see it. These are:
 * - the columns that the entry has created, renamed, or shown in a table that is kept, and the former names of these
 *   columns, which others may use by now;
 * - if the entry has removed tables, columns, or relations, or shown more of a viewpoint, and that is kept: the columns
 *   that had no rules before, since their rules may have taken the place of what was removed.
 *
 * @param remaining the entry without the writes to the kept document, or without those of their members that are kept
 * @param document the kept document
 */
export function findKeptRuleColumns(
  entry: HistoryEntry,
  remaining: HistoryEntry,
  document: ChangedDocument,
  {
    subjects,
    currentDocuments,
  }: { readonly subjects: readonly RuleSubject[]; readonly currentDocuments: CurrentDocuments },
): readonly KeptRuleColumn[] {
  const omitted = findOmittedWrites(entry, remaining, document);
  if (omitted.length === 0) {
    return [];
  }
  const effects = getNameEffects(omitted, entry.before);
  const isFormerName = createFormerNameCheck(entry, document, currentDocuments);
  const datasources = [...findShownDatasources(omitted, entry.before).values()];
  return subjects.flatMap((subject): readonly KeptRuleColumn[] => {
    const own = effects.filter(
      ({ datamodelKey }) => datamodelKey !== '' && mayApplyToDatamodel(entry, subject, datamodelKey),
    );
    const isShown = datasources.some((datasource) => createRestrictionCheck(datasource, subjects)(subject));
    const previousRules = collectRules(entry.before, subject);
    return findRuleColumns(entry, subject)
      .filter(
        (column) =>
          own.some(({ mayExpose }) => mayExpose(column)) ||
          (own.length > 0 && isFormerName(column)) ||
          ((isShown || own.some(({ mayRemoveProtection }) => mayRemoveProtection(column))) &&
            !previousRules.some((rule) => isOn(rule, column))),
      )
      .map((column) => ({ subject, ...column }));
  });
}

const isOn = (rule: JsonObject, { table, column }: RuleColumn): boolean =>
  getText(rule['table']) === table && getText(rule['column']) === column;

/** Returns the writes to a document, as far as an undo leaves them as they are. */
function findOmittedWrites(
  { operation, writeStates }: HistoryEntry,
  remaining: HistoryEntry,
  document: ChangedDocument,
): readonly Write[] {
  const documents = new Map([[getRefKey(document.ref), document]]);
  return operation.writes.flatMap((write, index) => {
    if (findWrittenDocument(write, documents) === undefined || writeStates[index]?.state === 'waiting') {
      return [];
    }
    if (remaining.writeStates[index]?.state === 'waiting') {
      return [write];
    }
    const undoneMembers = Object.keys(asObject(remaining.operation.writes[index]?.body));
    const body = omitMembers(asObject(write.body), ...undoneMembers);
    return Object.keys(body).length === 0 ? [] : [{ ...write, body }];
  });
}

/** Returns a function that returns whether a kept table had a column of this name, and no longer has. */
function createFormerNameCheck(
  { before }: HistoryEntry,
  { ref }: ChangedDocument,
  currentDocuments: CurrentDocuments,
): (column: RuleColumn) => boolean {
  if (ref.kind !== 'table') {
    return () => false;
  }
  const [earlier, current] = [before, currentDocuments].map((documents) =>
    readTableNames(documents.find((each) => isSameRef(each.ref, ref))?.document),
  );
  return ({ table, column }) =>
    earlier?.name === table &&
    earlier.columns.has(column) &&
    !(current?.name === table && current.columns.has(column));
}
