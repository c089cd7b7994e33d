import { type WriteKindLookup, loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { Write } from '../model/operation.ts';
import { isRuleChangeWrite } from '../rules/ruleAction.ts';
import type { RuleExecution } from './ruleExecution.ts';

/** The code that sends the writes of an operation and verifies them. */
export interface WriteModules {
  readonly getWriteKind: WriteKindLookup;
  /** Absent if the operation does not change rules. */
  readonly RuleExecution?: typeof RuleExecution;
}

/**
 * Loads the code for the writes of an operation. To be called before anything is recorded or sent: an installation that
 * is replaced while it runs must fail here, not between two writes.
 */
export async function loadWriteModules(writes: readonly Write[]): Promise<WriteModules> {
  const getWriteKind = await loadWriteKinds(writes);
  return writes.some(isRuleChangeWrite)
    ? { getWriteKind, RuleExecution: (await import('./ruleExecution.ts')).RuleExecution }
    : { getWriteKind };
}
