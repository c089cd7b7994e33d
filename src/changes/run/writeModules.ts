import { type WriteKindLookup, loadWriteKinds } from '../endpoints/writeKinds.ts';
import type { Write } from '../model/operation.ts';
import { isGroupedRuleWrite } from '../rules/ruleAction.ts';
import type { RuleExecution } from './ruleExecution.ts';

/** The code that sends the writes of an operation and verifies them. */
export interface WriteModules {
  readonly getWriteKind: WriteKindLookup;
  /** Absent if the operation doesn't change rules. */
  readonly RuleExecution?: typeof RuleExecution;
}

/**
 * Loads the code for the writes of an operation. Must be called before anything is recorded or sent: if the extension
 * is updated while it runs, loading must not fail between two writes.
 */
export async function loadWriteModules(writes: readonly Write[]): Promise<WriteModules> {
  const getWriteKind = await loadWriteKinds(writes);
  return writes.some(isGroupedRuleWrite)
    ? { getWriteKind, RuleExecution: (await import('./ruleExecution.ts')).RuleExecution }
    : { getWriteKind };
}
