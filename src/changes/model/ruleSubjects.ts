import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { Write } from './operation.ts';

/** Returns the datamodel or cube set whose rules a write changes; `undefined` for other writes. */
export const getWriteRuleSubject = ({ target }: Pick<Write, 'target'>): RuleSubject | undefined =>
  target !== undefined && 'subject' in target ? target.subject : undefined;
