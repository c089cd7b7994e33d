import type { ExpressionContext } from '../context.ts';
import { type Reference, toReference } from '../features/navigation.ts';
import { getOccurrences, findSymbolOccurrences } from '../features/occurrences.ts';
import { isTarget, type RenameTarget } from './renameTarget.ts';

/** An expression of a datamodel. The caller chooses the `id`, which is returned with the results. */
export interface DatamodelExpression<Id> {
  readonly id: Id;
  readonly text: string;
  readonly context: ExpressionContext;
}

/** Returns all references to a table or column in the expressions of a datamodel. */
export function findReferencesInDatamodel<Id>(
  expressions: readonly DatamodelExpression<Id>[],
  target: RenameTarget,
): readonly { id: Id; references: readonly Reference[] }[] {
  return expressions
    .map(({ id, text, context }) => {
      const occurrences = getOccurrences(text, context);
      const match = occurrences.find(({ symbol }) => isTarget(symbol, target));
      return {
        id,
        references:
          match === undefined ? [] : findSymbolOccurrences(occurrences, match.symbol).map(toReference),
      };
    })
    .filter(({ references }) => references.length > 0);
}
