import { isJsonObject } from '../../base/json.ts';
import { isSameRef, type ResourceRef } from '../../catalog/resourceRef.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { extractRuleSchema } from '../../contract/rule.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { describeWrites } from '../journal/writtenDocuments.ts';
import type { PlanSubject } from '../model/plan.ts';
import { collectPartyNames, getPlanSubjectName, toPlannedRule } from '../model/planSubjects.ts';
import { type ConflictError, MissingRulesError, NameTakenError } from './writeErrors.ts';

/** An item that others have changed, and that a stopped change therefore can't overwrite or rely on. */
export interface ConflictingItem {
  /** Its `resource` can be opened; absent if it was deleted. The rules on a column can be opened in any case. */
  readonly subject: PlanSubject;
  /** `missing`: a rule that was deleted, or changed so that it doesn't have this effect any more. */
  readonly state: 'changed' | 'created' | 'deleted' | 'missing';
}

/**
 * Lists what others have changed, according to the error of an operation that can't be finished or rolled back. A
 * deleted item has the name that the journal contains; of rules that the operation relies on, each missing one is
 * listed.
 * @param knownNames names by ID that the journal might not contain
 */
export function listConflictingItems(
  entry: HistoryEntry,
  error: ConflictError,
  knownNames: ReadonlyMap<string, string>,
): readonly ConflictingItem[] {
  if (error instanceof MissingRulesError && error.missingRules.length > 0) {
    return listMissingRules(entry, error);
  }
  const documents = describeWrites(entry, knownNames);
  return [error.ref, ...error.otherRefs].map((ref): ConflictingItem => {
    if ('subject' in ref) {
      const name = ref.kind === 'columnRules' ? `${ref.table}.${ref.column}` : '';
      const within = [getSubjectTitle(ref.subject)];
      return { subject: { kind: ref.kind, name, within, resource: ref }, state: 'changed' };
    }
    const isFirst = ref === error.ref;
    const index = entry.operation.writes.findIndex(({ target }) => target && isSameRef(target, ref));
    const written = documents[index]?.[0];
    const before = entry.before.find((document) => isSameRef(document.ref, ref))?.document;
    const name =
      written?.name ||
      [isFirst ? error.document : undefined, before]
        .filter(isJsonObject)
        .map(getPlanSubjectName)
        .find((text) => text !== '');
    const isDeleted = isFirst && error.document === undefined;
    return {
      subject: {
        kind: ref.kind,
        name: name ?? '',
        within: getContainers(ref, written?.containerTitle, knownNames),
        ...(isDeleted ? {} : { resource: ref }),
      },
      state: isDeleted ? 'deleted' : error instanceof NameTakenError ? 'created' : 'changed',
    };
  });
}

const getContainers = (
  ref: ResourceRef,
  title: string | undefined,
  knownNames: ReadonlyMap<string, string>,
): readonly string[] => {
  const known =
    'datamodelId' in ref && ref.kind !== 'datamodel' ? knownNames.get(ref.datamodelId) : undefined;
  return [title || known].filter((text) => text !== undefined);
};

const listMissingRules = (
  { before }: HistoryEntry,
  { missingRules }: MissingRulesError,
): readonly ConflictingItem[] => {
  const partyNames = collectPartyNames(before.flatMap(({ document }) => document ?? []));
  return missingRules.flatMap(({ subject, rule }): readonly ConflictingItem[] => {
    const parsed = extractRuleSchema.safeParse(rule).data;
    if (parsed === undefined) {
      return [];
    }
    const { table, column } = parsed;
    const planned = toPlannedRule(parsed, partyNames);
    return [
      {
        subject: {
          kind: 'rule',
          name: `${table}.${column}`,
          within: [getSubjectTitle(subject)],
          // The rule itself can't be opened.
          resource: { kind: 'columnRules', subject, table, column },
          column: { table, column },
          ...(planned === undefined ? {} : { rule: planned }),
        },
        state: 'missing',
      },
    ];
  });
};
