import type { PastBuild } from './pastBuild.ts';

/** Only this many recent builds are used for the median, because datamodels grow. */
const maxRecentBuilds = 20;

/** The fields that identify builds with comparable durations: the same datamodel, built the same way. */
export interface ComparableBuild {
  readonly connectionId: string;
  readonly datamodelId?: string | undefined;
  readonly buildType?: string | undefined;
  readonly rowLimit?: number | undefined;
}

/** Returns a key that builds with comparable durations share. Sample builds and complete builds have different keys. */
export const getComparableBuildKey = ({
  connectionId,
  datamodelId,
  buildType,
  rowLimit,
}: ComparableBuild): string => JSON.stringify([connectionId, datamodelId, buildType, typeof rowLimit]);

/** Returns the median duration of successful builds in milliseconds, by the key of {@link getComparableBuildKey}. */
export function getMedianDurations(history: readonly PastBuild[]): ReadonlyMap<string, number> {
  const buildsByKey = Map.groupBy(
    history.filter(({ outcome, datamodelId, durationMs }) => outcome === 'done' && datamodelId && durationMs),
    getComparableBuildKey,
  );
  return new Map(
    [...buildsByKey].map(([key, builds]) => [
      key,
      getMedian(builds.slice(-maxRecentBuilds).map(({ durationMs = 0 }) => durationMs)),
    ]),
  );
}

/** Returns the median; for an even number of values, the mean of the middle two. */
export function getMedian(values: readonly number[]): number {
  const sortedValues = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sortedValues.length / 2);
  const upper = sortedValues[middle] ?? 0;
  return sortedValues.length % 2 === 1 ? upper : (upper + (sortedValues[middle - 1] ?? upper)) / 2;
}

/** Formats a duration as minutes and seconds, with hours only if needed: `0:07`, `12:40`, `1:02:03`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const padTwoDigits = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}:${padTwoDigits(seconds % 60)}`
    : `${Math.floor(minutes / 60)}:${padTwoDigits(minutes % 60)}:${padTwoDigits(seconds % 60)}`;
}
