import { getSubjectTitle, isSameSubject } from '../../catalog/ruleSubject.ts';
import { getText } from '../model/jsonMembers.ts';
import type { Operation } from '../model/operation.ts';
import type { PlanSubject } from '../model/plan.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { collectRules } from '../rules/ruleEdits.ts';

/** What an operation creates and deletes. */
interface CreatedAndDeleted {
  readonly created: readonly PlanSubject[];
  readonly deleted: readonly PlanSubject[];
}

/**
 * Marks the created and deleted rules of an apply whose column had rules before and has some afterward: in a project,
 * the rules on a column are one item, which is changed then.
 * @param before the documents that the operation affects
 */
export function markChangedRules<Effects extends CreatedAndDeleted>(
  { cause, writes }: Operation,
  effects: Effects,
  before: readonly ReadDocument[],
): Effects {
  const subjects = cause === 'apply' ? writes.flatMap((write) => getWriteRuleSubject(write) ?? []) : [];
  const counts = new Map<string, { before: number; after: number }>();
  const count = (key: string, difference: { readonly before: number; readonly after: number }): void => {
    const known = counts.get(key) ?? { before: 0, after: 0 };
    counts.set(key, { before: known.before + difference.before, after: known.after + difference.after });
  };
  for (const [index, subject] of subjects.entries()) {
    if (subjects.findIndex((other) => isSameSubject(other, subject)) === index) {
      for (const rule of collectRules(before, subject)) {
        const column = `${getText(rule['table'])}.${getText(rule['column'])}`;
        count(getColumnKey({ within: [getSubjectTitle(subject)], name: column }), { before: 1, after: 1 });
      }
    }
  }
  const [created, deleted] = [effects.created, effects.deleted].map((list) =>
    list.filter(({ rule }) => rule),
  );
  created?.forEach((subject) => count(getColumnKey(subject), { before: 0, after: 1 }));
  deleted?.forEach((subject) => count(getColumnKey(subject), { before: 0, after: -1 }));
  const mark = (subject: PlanSubject): PlanSubject => {
    const known = subject.rule === undefined ? undefined : counts.get(getColumnKey(subject));
    return known !== undefined && known.before > 0 && known.after > 0
      ? { ...subject, isPartOfChange: true }
      : subject;
  };
  return subjects.length === 0
    ? effects
    : { ...effects, created: effects.created.map(mark), deleted: effects.deleted.map(mark) };
}

const getColumnKey = ({ within, name }: Pick<PlanSubject, 'within' | 'name'>): string =>
  JSON.stringify([within, name]);
