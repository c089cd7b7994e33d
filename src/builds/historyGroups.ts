import { getMedian } from './durations.ts';
import type { PastBuild } from './pastBuild.ts';

/** How many of the latest builds of a group its chart shows. */
const maxChartBuilds = 30;

/** The builds of one datamodel with the same build type; its sample builds form a group of their own. */
export interface HistoryGroup {
  readonly connectionId: string;
  readonly datamodelId: string | undefined;
  /** The title of the datamodel as of its last build that has one; otherwise its ID or that of the build. */
  readonly title: string;
  readonly buildType: string | undefined;
  readonly isSample: boolean;
  readonly count: number;
  readonly failedCount: number;
  /** The median duration of the successful builds. Like `longestMs`, it ignores builds whose duration is unknown. */
  readonly medianMs: number | undefined;
  readonly longestMs: number | undefined;
  /** The latest builds, oldest first. */
  readonly latestBuilds: readonly PastBuild[];
}

/** Groups the history by datamodel and build type, most recently built first. */
export function groupHistory(history: readonly PastBuild[]): readonly HistoryGroup[] {
  const groups = Map.groupBy(history, getGroupKey);
  return [...groups.values()]
    .toSorted((a, b) => (b.at(-1)?.ended ?? 0) - (a.at(-1)?.ended ?? 0))
    .flatMap((builds) => {
      const lastBuild = builds.at(-1);
      if (lastBuild === undefined) {
        return [];
      }
      const durations = builds.flatMap(({ outcome, durationMs }) =>
        outcome === 'done' && durationMs !== undefined ? durationMs : [],
      );
      return {
        connectionId: lastBuild.connectionId,
        datamodelId: lastBuild.datamodelId,
        title:
          builds.findLast(({ datamodelTitle }) => datamodelTitle)?.datamodelTitle ??
          lastBuild.datamodelId ??
          lastBuild.oid,
        buildType: lastBuild.buildType,
        isSample: lastBuild.rowLimit !== undefined,
        count: builds.length,
        failedCount: builds.filter(({ outcome }) => outcome === 'failed').length,
        medianMs: durations.length === 0 ? undefined : getMedian(durations),
        longestMs: durations.length === 0 ? undefined : Math.max(...durations),
        latestBuilds: builds.slice(-maxChartBuilds),
      };
    });
}

/** Returns the key of a build's group. A build without a known datamodel forms a group of its own. */
const getGroupKey = ({ connectionId, datamodelId, oid, buildType, rowLimit }: PastBuild): string =>
  JSON.stringify([connectionId, datamodelId ?? oid, buildType, typeof rowLimit]);

/** One bar of a chart, in the units of the chart. */
export interface ChartBar {
  readonly x: number;
  readonly height: number;
  readonly build: PastBuild;
}

/** Creates the bars for the durations of builds. The longest gets `height`, unknown durations get `minHeight`. */
export function createChartBars(
  builds: readonly PastBuild[],
  { height, step, minHeight }: { readonly height: number; readonly step: number; readonly minHeight: number },
): readonly ChartBar[] {
  const longest = Math.max(1, ...builds.map(({ durationMs }) => durationMs ?? 0));
  return builds.map((build, index) => ({
    x: index * step,
    height:
      build.durationMs === undefined ? minHeight : Math.max(minHeight, (build.durationMs / longest) * height),
    build,
  }));
}
