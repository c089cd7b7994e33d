import type { HistoryEntry } from '../changes/journal/entry.ts';
import type { RequiredBuild } from '../changes/model/operation.ts';
import { mayHaveWritten } from '../changes/journal/stoppedOperation.ts';
import { parseItemKey } from '../project/item.ts';
import type { CommandContext } from './command.ts';

/**
 * Prints the builds that are needed after a change was finished or rolled back, as the plan of an apply does.
 * @param finished.readyRelations the relations that another apply has to create before their datamodel is built
 * @returns these builds
 */
export function printRecoveredBuilds(
  command: 'resume' | 'roll-back',
  entry: Pick<HistoryEntry, 'operation' | 'writeStates'>,
  { output }: Pick<CommandContext, 'output'>,
  { readyRelations = [] }: { readonly readyRelations?: readonly string[] } = {},
): readonly RequiredBuild[] {
  const waitingTitles = readyRelations
    .map(parseItemKey)
    .flatMap((key) => (key && 'datamodel' in key ? [key.datamodel] : []));
  const builds = (entry.operation.builds ?? []).filter(({ title, datamodelId }) =>
    command === 'resume'
      ? !waitingTitles.includes(title)
      : // A rollback deletes what the change has created.
        !datamodelId.startsWith('new:') && mayHaveWritten(entry),
  );
  builds.forEach(({ title, type }) =>
    output.printMessage(
      command === 'resume' ? formatBuildAfterward(title, type) : formatBuildAgain(title, type),
    ),
  );
  return builds;
}

/** Converts the builds that are needed after a change was finished or rolled back to JSON output. */
export function toBuildsOutput(
  result:
    | { readonly builds?: readonly RequiredBuild[]; readonly neededBuilds?: readonly string[] | undefined }
    | undefined,
): {
  readonly builds?: { readonly datamodel: string; readonly type: RequiredBuild['type'] }[];
  readonly neededBuilds?: string[];
} {
  const { builds = [], neededBuilds = [] } = result ?? {};
  return {
    ...(builds.length === 0 ? {} : { builds: builds.map(({ title, type }) => ({ datamodel: title, type })) }),
    ...(neededBuilds.length === 0 ? {} : { neededBuilds: [...neededBuilds] }),
  };
}

/** Formats a build after which queries show a change. */
export const formatBuildAfterward = (title: string, type: RequiredBuild['type']): string =>
  type === 'publish'
    ? `Publish ${title} afterward, so that queries show the change.`
    : `Build ${title} afterward, so that queries show the change.`;

const formatBuildAgain = (title: string, type: RequiredBuild['type']): string =>
  type === 'publish'
    ? `If ${title} was published since the change began, publish it again.`
    : `If ${title} was built since the change began, build it again.`;
