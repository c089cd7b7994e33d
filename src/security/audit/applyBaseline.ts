import type { BaselineEntry } from './baselineFile.ts';
import type { AuditedSubject, FindingCause, FindingPlace } from './groupFindings.ts';

/** An entry of the baseline, and the accepted places that were found again. */
export interface AcceptedFindings<Subject extends AuditedSubject = AuditedSubject> {
  readonly entry: BaselineEntry;
  /** The places, at least one. */
  readonly places: readonly FindingPlace<Subject>[];
}

/** The findings of an instance, compared with its baseline. */
export interface BaselineResult<Subject extends AuditedSubject = AuditedSubject> {
  /** The causes with places that are not accepted, reduced to these places. */
  readonly newCauses: readonly FindingCause<Subject>[];
  readonly accepted: readonly AcceptedFindings<Subject>[];
  /** The number of accepted places that no longer have their finding. */
  readonly resolvedCount: number;
  /**
   * Returns whether a place is kept when resolved places are removed from the baseline: false only for an accepted
   * place that no longer has its finding.
   */
  readonly isKept: (entry: BaselineEntry, place: string) => boolean;
}

/**
 * Separates accepted findings from new ones. An accepted finding is recognized by its code, its datamodel or cube set,
 * and its place, so a finding at another place is new even if it has the same cause.
 * @param audited `instance` is the address of the instance: entries of other instances are ignored. `isComplete`
 *   returns whether a datamodel or cube set was checked completely, so that accepted findings that were not found there
 *   count as resolved
 */
export function applyBaseline<Subject extends AuditedSubject>(
  causes: readonly FindingCause<Subject>[],
  baseline: readonly BaselineEntry[],
  {
    instance,
    isComplete,
  }: { readonly instance: string; readonly isComplete: (datamodel: string) => boolean },
): BaselineResult<Subject> {
  const entries = baseline.filter((entry) => entry.instance === instance);
  const entriesByKey = new Map(
    entries.flatMap((entry) =>
      entry.places.map((place) => [getKey(entry.finding, entry.datamodel, place), entry] as const),
    ),
  );
  const foundKeys = new Set<string>();
  const placesByEntry = new Map<BaselineEntry, FindingPlace<Subject>[]>();
  const newCauses = causes.flatMap((cause) => {
    const places = cause.places.filter((place) => {
      const key = getKey(cause.code, place.subject.key, place.name);
      const entry = entriesByKey.get(key);
      if (entry === undefined) {
        return true;
      }
      foundKeys.add(key);
      const entryPlaces = placesByEntry.get(entry) ?? [];
      placesByEntry.set(entry, entryPlaces);
      entryPlaces.push(place);
      return false;
    });
    return places.length === 0 ? [] : [{ ...cause, places }];
  });
  const isKept = (entry: BaselineEntry, place: string): boolean =>
    entry.instance !== instance ||
    !isComplete(entry.datamodel) ||
    foundKeys.has(getKey(entry.finding, entry.datamodel, place));
  return {
    newCauses,
    accepted: entries.flatMap((entry) => {
      const places = placesByEntry.get(entry);
      return places === undefined ? [] : [{ entry, places }];
    }),
    resolvedCount: entries.reduce(
      (sum, entry) => sum + entry.places.filter((place) => !isKept(entry, place)).length,
      0,
    ),
    isKept,
  };
}

/** Creates the entries that accept all places of some causes: one for each cause and datamodel or cube set. */
export const createBaselineEntries = (
  causes: readonly FindingCause[],
  commonFields: Pick<BaselineEntry, 'instance' | 'reason' | 'author' | 'date'>,
): readonly BaselineEntry[] =>
  causes.flatMap(({ code, places }) =>
    [...Map.groupBy(places, ({ subject }) => subject.key)].map(([datamodel, subjectPlaces]) => ({
      ...commonFields,
      datamodel,
      finding: code,
      places: subjectPlaces.map(({ name }) => name),
    })),
  );

const getKey = (finding: string, datamodel: string, place: string): string =>
  JSON.stringify([finding, datamodel, place]);
