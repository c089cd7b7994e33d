import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import { asObject, getObjects, omitMembers } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { getNameEffects, readTableNames, type RuleColumn, type TableNames } from '../rules/nameEffects.ts';
import { createRestrictionCheck, findShownDatasources } from '../rules/shownDatasources.ts';
import { getRefKey, isSameRef, type ResourceRef } from '../../catalog/resourceRef.ts';
import { findRuleColumns } from './changedColumns.ts';
import type { ChangedDocument } from './changedDocuments.ts';
import type { HistoryEntry } from './entry.ts';
import { isOn, type Reach } from './keptReach.ts';
import { findWrittenDocument } from './omitKeptDocuments.ts';
import { mayApplyToDatamodel } from './restoredNames.ts';

/** A column whose rules an undo leaves as they are. */
export interface KeptRuleColumn extends RuleColumn {
  readonly subject: RuleSubject;
}

/**
 * Finds the columns whose rules an undo must leave as they are, since it keeps a document that others have changed
 * later. Without these rules, everyone would see the data that they protect. The columns are:
 * - the columns that the entry has created, renamed, or shown in a table that is kept, and the former names of these
 *   columns, which others may use by now;
 * - if the entry has created, renamed, or shown anything in a kept table: all columns with rules of this table and of
 *   those that it's linked to, since these rules restrict the same rows;
 * - if the entry has removed tables, columns, or relations, or shown more of a viewpoint, and that is kept: all columns
 *   with rules, since their rules may have taken the place of what was removed.
 *
 * A column that the entry has left without rules gets its earlier rules back: that shows no one more.
 * @param omitted the writes to the document, as far as the undo leaves them as they are
 * @param reach the tables whose rules may matter
 */
export function findKeptRuleColumns(
  entry: HistoryEntry,
  document: ChangedDocument,
  {
    subjects,
    currentDocuments,
    omitted,
    reach,
  }: {
    readonly subjects: readonly RuleSubject[];
    readonly currentDocuments: CurrentDocuments;
    readonly omitted: readonly Write[];
    readonly reach: Reach | undefined;
  },
): readonly KeptRuleColumn[] {
  if (omitted.length === 0) {
    return [];
  }
  const effects = getNameEffects(omitted, entry.before);
  const isFormerName = createFormerNameCheck(entry, document, currentDocuments);
  const datasources = [...findShownDatasources(omitted, entry.before).values()];
  return subjects.flatMap((subject): readonly KeptRuleColumn[] => {
    const own = effects.filter(
      ({ datamodelKey }) =>
        datamodelKey !== '' &&
        // The journal doesn't record which rules apply to a datamodel that the entry has created.
        (datamodelKey.startsWith('new ') || mayApplyToDatamodel(entry, subject, datamodelKey)),
    );
    const isShown = datasources.some((datasource) => createRestrictionCheck(datasource, subjects)(subject));
    const currentRules = getObjects(
      currentDocuments.find(({ ref }) => isSameRef(ref, { kind: 'rules', subject }))?.document,
    );
    const mayRestrict = (column: RuleColumn): boolean =>
      isShown ||
      own.some(
        ({ mayExposeNames, mayRemoveProtection }) =>
          mayRemoveProtection(column) || (mayExposeNames && reach?.mayRestrict(column.table) !== false),
      );
    return findRuleColumns(entry, subject)
      .filter(
        (column) =>
          own.some(({ mayExpose }) => mayExpose(column)) ||
          (own.length > 0 && isFormerName(column)) ||
          (mayRestrict(column) && currentRules.some((rule) => isOn(rule, column))),
      )
      .map((column) => ({ subject, ...column }));
  });
}

/**
 * Returns the writes to a document, as far as an undo leaves them as they are. Writes to a table that have failed are
 * left out if the table has none of the names that they would have changed.
 * @param remaining the entry without the writes to the document, or without those of their members that are kept
 */
export function findOmittedWrites(
  { operation, writeStates, before }: HistoryEntry,
  remaining: HistoryEntry,
  document: ChangedDocument,
  currentDocuments: CurrentDocuments,
): readonly Write[] {
  const documents = new Map([[getRefKey(document.ref), document]]);
  const [earlier, current] = [before, currentDocuments].map((list) => readTable(list, document.ref));
  const hasEarlierNames = earlier !== undefined && isSameNames(earlier, current);
  return operation.writes.flatMap((write, index) => {
    const state = writeStates[index]?.state;
    if (
      findWrittenDocument(write, documents) === undefined ||
      state === 'waiting' ||
      (state === 'failed' && hasEarlierNames && !('expression' in asObject(write.body)))
    ) {
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

const readTable = (
  documents: HistoryEntry['before'] | CurrentDocuments,
  ref: ResourceRef,
): TableNames | undefined =>
  ref.kind === 'table'
    ? readTableNames(documents.find((each) => isSameRef(each.ref, ref))?.document)
    : undefined;

/** Returns whether two versions of a table have the same names, and hide the same of them. */
const isSameNames = (a: TableNames, b: TableNames | undefined): boolean =>
  b !== undefined &&
  a.name === b.name &&
  a.isHidden === b.isHidden &&
  a.columns.size === b.columns.size &&
  [...a.columns].every(([name, { oid, isHidden }]) => {
    const other = b.columns.get(name);
    return other?.oid === oid && other.isHidden === isHidden;
  });

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
