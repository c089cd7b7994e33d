import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import type { Write } from '../model/operation.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { isGroupedRuleWrite } from './ruleAction.ts';

/** Consecutive writes of an operation that change rules of one subject; they run as one change. */
export interface RuleWriteGroup {
  readonly subject: RuleSubject;
  readonly writeIndices: readonly number[];
}

/** Returns the group that the write with this index belongs to; `undefined` if it is not part of a rule change. */
export function findRuleWriteGroup(writes: readonly Write[], index: number): RuleWriteGroup | undefined {
  const subject = getSubjectAt(writes, index);
  if (subject === undefined) {
    return undefined;
  }
  const hasSameSubject = (position: number): boolean => {
    const otherSubject = getSubjectAt(writes, position);
    return otherSubject !== undefined && isSameSubject(otherSubject, subject);
  };
  let [first, end] = [index, index + 1];
  while (hasSameSubject(first - 1)) {
    first -= 1;
  }
  while (hasSameSubject(end)) {
    end += 1;
  }
  return { subject, writeIndices: Array.from({ length: end - first }, (_none, offset) => first + offset) };
}

/** Returns all groups of an operation, in order. */
export function getRuleWriteGroups(writes: readonly Write[]): readonly RuleWriteGroup[] {
  const groups: RuleWriteGroup[] = [];
  for (const index of writes.keys()) {
    const isGrouped = (groups.at(-1)?.writeIndices.at(-1) ?? -1) >= index;
    const group = isGrouped ? undefined : findRuleWriteGroup(writes, index);
    if (group !== undefined) {
      groups.push(group);
    }
  }
  return groups;
}

function getSubjectAt(writes: readonly Write[], index: number): RuleSubject | undefined {
  const write = writes[index];
  return write !== undefined && isGroupedRuleWrite(write) ? getWriteRuleSubject(write) : undefined;
}
