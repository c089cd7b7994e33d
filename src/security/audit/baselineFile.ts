import * as z from 'zod';
import type { JsonValue } from '../../base/json.ts';
import { applyEdits } from '../../base/textEdit.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { getProperty, withArrayAt, withProperty } from '../../json/text/copyOnWrite.ts';
import { parseJsonc } from '../../json/text/parsedJson.ts';

/** Findings that a user has accepted: those with one code in one datamodel or cube set, at the listed places. */
export const baselineEntrySchema = z.looseObject({
  /** The address of the instance. */
  instance: z.string(),
  datamodel: z.string(),
  finding: z.string(),
  places: z.array(z.string()),
  reason: z.string(),
  author: z.string(),
  /** An ISO date. */
  date: z.string(),
});
export type BaselineEntry = z.infer<typeof baselineEntrySchema>;

const baselineVersion = 1;

/** The file of accepted findings; unknown properties are kept. */
export const baselineSchema = z.looseObject({
  version: z.literal(baselineVersion),
  accepted: z.array(baselineEntrySchema),
});

/** The reason why a baseline can't be read: its text is not JSON, or the value at a path is not as expected. */
export type BaselineProblem =
  | { readonly kind: 'syntax'; readonly line: number }
  | { readonly kind: 'version'; readonly version: string }
  | { readonly kind: 'content'; readonly path: string };

/** Thrown instead of changing a baseline that can't be read. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
  readonly problem: BaselineProblem;

  constructor(problem: BaselineProblem) {
    super(`The baseline can't be read: ${JSON.stringify(problem)}`);
    this.problem = problem;
  }
}

/**
 * Reads the entries of a baseline; an empty text has none. Comments are allowed.
 * @throws BaselineError
 */
export function readBaseline(text: string): readonly BaselineEntry[] {
  return parseBaseline(text).entries;
}

function parseBaseline(text: string) {
  const json = parseJsonc(text);
  if (json.error !== undefined) {
    const line = text.slice(0, json.error.start).split('\n').length;
    throw new BaselineError({ kind: 'syntax', line });
  }
  if (json.value === undefined) {
    return { json, entries: [] };
  }
  const result = baselineSchema.safeParse(json.value);
  if (result.success) {
    return { json, entries: result.data.accepted };
  }
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map(String).join('.');
  const version = getProperty(json.value, 'version');
  throw new BaselineError(
    path === 'version' && version !== undefined
      ? { kind: 'version', version: JSON.stringify(version) }
      : { kind: 'content', path },
  );
}

/**
 * Adds entries at the end of a baseline, and returns its new text. Everything else, including comments, is unchanged.
 * @throws BaselineError
 */
export function addBaselineEntries(text: string, newEntries: readonly BaselineEntry[]): string {
  const { json } = parseBaseline(text);
  const value = json.value ?? {
    $schema: 'datamodel-schema://schemas/security-baseline.json',
    version: baselineVersion,
    accepted: [],
  };
  const updatedValue = withArrayAt(value, 'accepted', (accepted) => [...accepted, ...newEntries.map(toJson)]);
  return applyEdits(text, computeEdits(json, updatedValue));
}

/**
 * Removes places from a baseline, and entries without remaining places with their comments; returns its new text.
 * @param isKept returns whether a place of an entry is kept
 * @throws BaselineError
 */
export function removeBaselinePlaces(
  text: string,
  isKept: (entry: BaselineEntry, place: string) => boolean,
): string {
  const { json, entries } = parseBaseline(text);
  if (json.value === undefined) {
    return text;
  }
  const updatedValue = withArrayAt(json.value, 'accepted', (accepted) =>
    accepted.flatMap((item, index) => {
      const entry = entries[index];
      const places = entry?.places.filter((place) => isKept(entry, place));
      if (places === undefined || places.length === entry?.places.length) {
        return [item];
      }
      return places.length === 0 ? [] : [withProperty(item, 'places', places)];
    }),
  );
  return applyEdits(text, computeEdits(json, updatedValue));
}

const toJson = ({
  instance,
  datamodel,
  finding,
  places,
  reason,
  author,
  date,
}: BaselineEntry): JsonValue => ({
  instance,
  datamodel,
  finding,
  places,
  reason,
  author,
  date,
});
