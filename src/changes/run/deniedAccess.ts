import { type DeniedScope, getDeniedScopes } from '../model/sentRequest.ts';
import { getRuleWriteGroups } from '../rules/ruleWriteGroup.ts';
import type { OperationReport } from './writeErrors.ts';

/**
 * Returns the scopes whose parties see no values until an operation is finished or rolled back, or may see none:
 * because of temporary deny rules, or because only some of the rules of a change were changed. Where the rules were
 * read after that, they decide: then a request in doubt has denied nothing, unless temporary deny rules were found.
 */
export const getDeniedScopesOfStop = ({
  operation,
  writeStates,
  requests = [],
}: Pick<OperationReport, 'operation' | 'writeStates' | 'requests'>): readonly DeniedScope[] =>
  getRuleWriteGroups(operation.writes).flatMap(({ writeIndices }) => {
    const remaining = writeIndices
      .flatMap((index) => writeStates[index] ?? [])
      .filter(({ state }) => state !== 'done');
    const wasRead = remaining.every(({ state, denied }) => state === 'failed' && denied === undefined);
    return remaining.length === 0
      ? []
      : getDeniedScopes(requests.filter(({ writeIndex }) => writeIndices.includes(writeIndex))).filter(
          ({ isCertain }) => isCertain || !wasRead,
        );
  });
