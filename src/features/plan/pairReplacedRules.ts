import type { Plan, PlannedRule, PlanSubject } from '../../changes/model/plan.ts';
import type { Grant } from '../../security/readRules.ts';

/** What rules grant to one party on one column, before and after. */
export interface PartyRuleChange {
  /** The subject of a rule is named after its column; without the rule, it is the column and its datamodel. */
  readonly column: Omit<PlanSubject, 'rule' | 'isPartOfChange'>;
  readonly party: PlannedRule['parties'][number];
  /** Empty if no rule named the party. */
  readonly before: readonly Grant[];
  readonly after: readonly Grant[];
}

/**
 * Pairs the deleted and created rules of each column, since most changes of rules are a deletion and a creation, and
 * compares what they grant to each party. A column is also included if a rule on it is marked as a part of a change
 * (`isPartOfChange`). Parties with the same access before and after are omitted.
 * @returns the changes, and the remaining deleted and created items: those that aren't rules, rules without a
 *   counterpart, and rules of columns on which no party's access changes
 */
export function pairReplacedRules({ deleted, created }: Pick<Plan, 'deleted' | 'created'>): {
  readonly changes: readonly PartyRuleChange[];
  readonly deleted: readonly PlanSubject[];
  readonly created: readonly PlanSubject[];
} {
  const [deletedColumns, createdColumns] = [getRuleColumns(deleted), getRuleColumns(created)];
  const replacedColumns = deletedColumns
    .intersection(createdColumns)
    .union(getRuleColumns([...deleted, ...created].filter(({ isPartOfChange }) => isPartOfChange)));
  const partyChanges = new Map<
    string,
    PartyRuleChange & { readonly before: Grant[]; readonly after: Grant[] }
  >();
  const collect = (subjects: readonly PlanSubject[], side: 'before' | 'after'): void => {
    for (const { rule, isPartOfChange: _isPart, ...column } of subjects) {
      if (rule !== undefined && replacedColumns.has(getColumnKey(column))) {
        for (const party of rule.parties) {
          const key = JSON.stringify([getColumnKey(column), party.type, party.name]);
          const change = partyChanges.get(key) ?? { column, party, before: [], after: [] };
          partyChanges.set(key, change);
          change[side].push(rule.grant);
        }
      }
    }
  };
  collect(deleted, 'before');
  collect(created, 'after');
  const changes = [...partyChanges.values()].filter(
    ({ before, after }) => getGrantsKey(before) !== getGrantsKey(after),
  );
  // If no party's access on a column changes, its rules are only grouped differently: they remain in the lists.
  const changedColumns = new Set(changes.map(({ column }) => getColumnKey(column)));
  const isListed = (subject: PlanSubject): boolean =>
    subject.rule === undefined || !changedColumns.has(getColumnKey(subject));
  return { changes, deleted: deleted.filter(isListed), created: created.filter(isListed) };
}

const getRuleColumns = (subjects: readonly PlanSubject[]): ReadonlySet<string> =>
  new Set(subjects.filter(({ rule }) => rule !== undefined).map(getColumnKey));

/** Returns a key of the column that the subject of a rule is named after. */
const getColumnKey = ({ within, name }: PlanSubject): string => JSON.stringify([within, name]);

/** Returns a key of what rules grant, in any order. */
export const getGrantsKey = (grants: readonly Grant[]): string =>
  JSON.stringify(
    grants
      .map((grant) => (grant === 'unclear' ? grant : JSON.stringify([grant.kind, [...grant.values].sort()])))
      .sort(),
  );
