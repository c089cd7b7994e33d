import { median } from './durations.ts';
import type { PastBuild } from './pastBuild.ts';

/** How many of the latest builds of a kind a chart shows. */
const charted = 30;

/** The builds of one datamodel of one type. */
export interface HistoryGroup {
  readonly connectionId: string;
  readonly datamodelId: string | undefined;
  /** As the datamodel was called when it was last built. */
  readonly title: string;
  readonly buildType: string | undefined;
  readonly isSample: boolean;
  readonly count: number;
  readonly failed: number;
  /** Of the successful builds whose duration is known. */
  readonly medianMs: number | undefined;
  readonly longestMs: number | undefined;
  /** The latest builds, the oldest first. */
  readonly latest: readonly PastBuild[];
}

/** The history by datamodel and type, what was built last first. */
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

/** Builds whose datamodel is not told are groups of their own: nobody knows what they have in common. */
const groupKey = ({ connectionId, datamodelId, oid, buildType, rowLimit }: PastBuild): string =>
  JSON.stringify([connectionId, datamodelId ?? oid, buildType, rowLimit !== undefined]);

/** One bar of a chart, in its own units. */
export interface Bar {
  readonly x: number;
  readonly height: number;
  readonly build: PastBuild;
}

/** Bars of the durations of builds, the longest as high as is given; one whose duration is unknown is a stub. */
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
