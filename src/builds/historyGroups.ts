import { median } from './durations.ts';
import type { PastBuild } from './pastBuild.ts';

/** Number of latest builds of a kind shown in a chart. */
const charted = 30;

/** The builds of one datamodel of one type. */
export interface HistoryGroup {
  readonly connectionId: string;
  readonly datamodelId: string | undefined;
  /** The title of the datamodel at its last build. */
  readonly title: string;
  readonly buildType: string | undefined;
  readonly isSample: boolean;
  readonly count: number;
  readonly failed: number;
  /** Of the successful builds whose duration is known. */
  readonly medianMs: number | undefined;
  readonly longestMs: number | undefined;
  /** The latest builds, oldest first. */
  readonly latest: readonly PastBuild[];
}

/** The history by datamodel and type, most recently built first. */
export function groupHistory(history: readonly PastBuild[]): readonly HistoryGroup[] {
  const groups = Map.groupBy(history, groupKey);
  return [...groups.values()]
    .toSorted((a, b) => (b.at(-1)?.ended ?? 0) - (a.at(-1)?.ended ?? 0))
    .flatMap((builds) => {
      const last = builds.at(-1);
      if (last === undefined) {
        return [];
      }
      const durations = builds.flatMap(({ outcome, durationMs }) =>
        outcome === 'done' && durationMs !== undefined ? durationMs : [],
      );
      return {
        connectionId: last.connectionId,
        datamodelId: last.datamodelId,
        title:
          builds.findLast(({ datamodelTitle }) => datamodelTitle)?.datamodelTitle ??
          last.datamodelId ??
          last.oid,
        buildType: last.buildType,
        isSample: last.rowLimit !== undefined,
        count: builds.length,
        failed: builds.filter(({ outcome }) => outcome === 'failed').length,
        medianMs: durations.length === 0 ? undefined : median(durations),
        longestMs: durations.length === 0 ? undefined : Math.max(...durations),
        latest: builds.slice(-charted),
      };
    });
}

/** Builds without a known datamodel each form a group of their own: what they have in common is unknown. */
const groupKey = ({ connectionId, datamodelId, oid, buildType, rowLimit }: PastBuild): string =>
  JSON.stringify([connectionId, datamodelId ?? oid, buildType, rowLimit !== undefined]);

/** One bar of a chart, in its own units. */
export interface Bar {
  readonly x: number;
  readonly height: number;
  readonly build: PastBuild;
}

/** Bars for the durations of builds, the longest having the given height; one of unknown duration is a stub. */
export function createChartBars(
  builds: readonly PastBuild[],
  { height, step, stub }: { readonly height: number; readonly step: number; readonly stub: number },
): readonly Bar[] {
  const longest = Math.max(1, ...builds.map(({ durationMs }) => durationMs ?? 0));
  return builds.map((build, index) => ({
    x: index * step,
    height: build.durationMs === undefined ? stub : Math.max(stub, (build.durationMs / longest) * height),
    build,
  }));
}
