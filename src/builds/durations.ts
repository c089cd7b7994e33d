import type { PastBuild } from './pastBuild.ts';

/** Number of latest builds used to estimate a duration: models grow. */
const latest = 20;

/** The fields that make two builds comparable: the same datamodel, built the same way. */
export interface BuildKind {
  readonly connectionId: string;
  readonly datamodelId?: string | undefined;
  readonly buildType?: string | undefined;
  readonly rowLimit?: number | undefined;
}

/** Key shared by the builds of one kind. A sample build is a different kind than a whole one. */
export const getBuildKindKey = ({ connectionId, datamodelId, buildType, rowLimit }: BuildKind): string =>
  JSON.stringify([connectionId, datamodelId, buildType, rowLimit !== undefined]);

/** The median duration of the latest successful builds of each kind, by {@link getBuildKindKey}. */
export function getMedianDurations(history: readonly PastBuild[]): ReadonlyMap<string, number> {
  const durations = Map.groupBy(
    history.filter(({ outcome, datamodelId, durationMs }) => outcome === 'done' && datamodelId && durationMs),
    getBuildKindKey,
  );
  return new Map(
    [...durations].map(([key, builds]) => [
      key,
      median(builds.slice(-latest).map(({ durationMs = 0 }) => durationMs)),
    ]),
  );
}

/** The middle value; of an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
