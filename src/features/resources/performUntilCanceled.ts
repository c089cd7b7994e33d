import type { Operation } from '../../changes/model/operation.ts';
import type { ResourcesDeps } from './deps.ts';

/**
 * Performs operations one by one, and stops when the user cancels one. Each operation is created right before it is
 * performed, since the earlier ones may have changed what it is created from.
 */
export async function performUntilCanceled(
  changeReview: ResourcesDeps['changeReview'],
  operationFactories: readonly (() => Operation | Promise<Operation>)[],
): Promise<void> {
  for (const createOperation of operationFactories) {
    if ((await changeReview.perform(await createOperation())) === undefined) {
      return;
    }
  }
}
