import { isSameRef, type ResourceRef } from '../../catalog/resourceRef.ts';
import { isSameSubject } from '../../catalog/ruleSubject.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import type { HistoryEntry } from './entry.ts';

/**
 * Returns whether an entry contains a document only because its writes rely on it: rules that it neither changes nor
 * deletes together with their datamodel.
 */
export const isOnlyReliedOn = (
  ref: ResourceRef,
  { operation: { writes } }: Pick<HistoryEntry, 'operation'>,
): boolean =>
  (ref.kind === 'columnRules' &&
    !writes.some(({ target }) => target !== undefined && isSameRef(target, ref))) ||
  (ref.kind === 'rules' &&
    !writes.some((write) => {
      const subject = getWriteRuleSubject(write);
      return (
        write.endpoint === 'datamodels.delete' ||
        (subject !== undefined && isSameSubject(subject, ref.subject))
      );
    }));
