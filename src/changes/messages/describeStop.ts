import type { Localize } from '../../base/localize.ts';
import type { PartyRef } from '../../security/readRules.ts';
import type { RuleScope } from '../model/sentRequest.ts';
import { isGroupedRuleWrite } from '../rules/ruleAction.ts';
import { getDeniedScopesOfStop } from '../run/deniedAccess.ts';
import type { OperationReport } from '../run/writeErrors.ts';
import { formatParties } from '../../webviews/protocol/ruleFormat.ts';

type StoppedProgress = Pick<OperationReport, 'operation' | 'writeStates' | 'requests'>;

/** The maximum number of columns to name. */
const maxColumns = 3;

/** Returns whether an operation changes rules: how many requests that takes isn't known before they are sent. */
export const changesRules = ({ operation }: Pick<OperationReport, 'operation'>): boolean =>
  operation.writes.some(isGroupedRuleWrite);

/**
 * Counts the requests of an operation that were completed, including those that hide values temporarily; `undefined` if
 * an earlier version did not record them.
 */
export function countCompletedRequests({
  operation,
  writeStates,
  requests,
}: StoppedProgress): number | undefined {
  const otherCount = operation.writes.filter(
    (write, index) => !isGroupedRuleWrite(write) && writeStates[index]?.state === 'done',
  ).length;
  return requests && otherCount + requests.filter(({ result }) => result?.state === 'done').length;
}

/** Formats how many requests of a stopped operation were completed, as a sentence; empty if that is unknown. */
export function formatCompletedRequests(t: Localize, progress: StoppedProgress): string {
  if (!changesRules(progress)) {
    const doneCount = progress.writeStates.filter(({ state }) => state === 'done').length;
    return t('Requests completed: {0} of {1}.', doneCount, progress.writeStates.length);
  }
  const count = countCompletedRequests(progress);
  switch (count) {
    case undefined:
      return '';
    case 0:
      return t('No requests were completed.');
    case 1:
      return t('1 request was completed.');
    default:
      return t('{0} requests were completed.', count);
  }
}

/**
 * Formats who sees no values, or might see none, until a stopped rule change is finished or rolled back: because of
 * temporary deny rules, or because only some of the rules were changed. One or two sentences for each column; empty if
 * there is no one.
 * @param options.getPartyName returns the name of a party that the server's rules don't name
 * @param options.isCertain false if nobody has read the rules since the change was interrupted
 */
export function formatDeniedAccess(
  t: Localize,
  progress: StoppedProgress,
  {
    getPartyName = () => undefined,
    isCertain = true,
  }: {
    readonly getPartyName?: ((party: PartyRef) => string | undefined) | undefined;
    readonly isCertain?: boolean;
  } = {},
): readonly string[] {
  const deniedScopes = getDeniedScopesOfStop(progress).map((scope) => ({
    ...scope,
    isCertain: isCertain && scope.isCertain,
  }));
  const byColumn = Map.groupBy(deniedScopes, ({ table, column }) => `${table}.${column}`);
  const namedColumns = [...byColumn].slice(0, maxColumns);
  const sentences = namedColumns.flatMap(([column, scopes]) => {
    const getParties = (areDenied: boolean) =>
      formatPartiesInScopes(
        scopes.filter((scope) => scope.isCertain === areDenied),
        t,
        getPartyName,
      );
    const [denied, maybeDenied] = [getParties(true), getParties(false)];
    return [
      ...(denied === '' ? [] : [t('For now, no values of {0} are visible to {1}.', column, denied)]),
      ...(maybeDenied === ''
        ? []
        : [t('For now, all values of {0} might be hidden from {1}.', column, maybeDenied)]),
    ];
  });
  const otherColumns = [...byColumn.values()].slice(maxColumns);
  const otherCount = otherColumns.length;
  const areDenied = otherColumns.every((scopes) => scopes.some((scope) => scope.isCertain));
  return otherCount === 0
    ? sentences
    : [
        ...sentences,
        areDenied
          ? otherCount === 1
            ? t('For now, 1 more column is restricted, too.')
            : t('For now, {0} more columns are restricted, too.', otherCount)
          : otherCount === 1
            ? t('For now, 1 more column might be restricted, too.')
            : t('For now, {0} more columns might be restricted, too.', otherCount),
      ];
}

/** Formats the parties of some scopes, each once; empty if there are none. */
function formatPartiesInScopes(
  scopes: readonly RuleScope[],
  t: Localize,
  getPartyName: (party: PartyRef) => string | undefined,
): string {
  const parties = new Map(
    scopes
      .flatMap((scope) => scope.parties)
      .map(({ type, id = '', name }) => {
        const shownName = name ?? getPartyName({ type, id }) ?? id;
        return [`${type}:${id}`, { type, name: shownName }] as const;
      }),
  );
  return parties.size === 0 ? '' : formatParties([...parties.values()], t);
}
