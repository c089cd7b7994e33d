import type { HistoryEntry } from '../journal/entry.ts';
import type { Operation } from '../model/operation.ts';
import { checkNoMaskedSecrets } from './runChecks.ts';

export interface SecretOptions {
  /**
   * Inserts secrets into an operation with the remaining writes, which was read from its journal: that contains none.
   * Called before any request.
   */
  readonly insertSecrets?: ((operation: Operation) => Promise<Operation>) | undefined;
}

/**
 * Returns the operation of an entry with the secrets that its remaining writes need.
 * @throws SecretsNeededError if one is missing; also what the function of the options throws
 */
export async function insertSecrets(
  { operation, writeStates: states }: Pick<HistoryEntry, 'operation' | 'writeStates'>,
  options: SecretOptions,
): Promise<Operation> {
  const isRemaining = (index: number): boolean => states[index]?.state !== 'done';
  const remaining = { ...operation, writes: operation.writes.filter((_write, index) => isRemaining(index)) };
  const complete = (await options.insertSecrets?.(remaining)) ?? remaining;
  checkNoMaskedSecrets(complete);
  const writes = complete.writes.values();
  return {
    ...operation,
    writes: operation.writes.map((write, index) =>
      isRemaining(index) ? (writes.next().value ?? write) : write,
    ),
  };
}
