import type { Comparison } from './comparison.ts';
import {
  type Estimate,
  type Verdict,
  classifyChange,
  getMedian,
  isPrecise,
  compareWithLimit,
} from './statistics.ts';
import { type Times, estimateRatio } from './turns.ts';

/** The result of a comparison. */
export interface Figure {
  /** The name of the comparison, with that of its file. */
  readonly name: string;
  readonly what: string;
  readonly baseline: string;
  readonly limit?: number;
  /** The time of the subject divided by that of its base. */
  readonly ratio: Estimate;
  /** Absent for a value that is the same in every run. */
  readonly times?: {
    /** Medians, in milliseconds. */
    readonly subjectMs: number;
    readonly baseMs: number;
    /** Whether the machine was quiet before the comparison was measured. */
    readonly wasQuiet: boolean;
  };
  /** The results of another version, measured side by side. */
  readonly other?: {
    readonly ratio: Estimate;
    readonly subjectMs?: number;
    /** The times of this version, divided by those of the other one. */
    readonly change?: Estimate;
  };
  readonly details?: Comparison['details'];
}

const describeComparison = (name: string, { what, baseline, limit, details }: Comparison) => ({
  name,
  what,
  baseline,
  ...(limit === undefined ? {} : { limit }),
  ...(details === undefined ? {} : { details }),
});

/** @param times of this version, and of another one if two are compared */
export function createFigure(
  name: string,
  comparison: Comparison,
  { times: [times, otherTimes], wasQuiet }: { readonly times: readonly Times[]; readonly wasQuiet: boolean },
): Figure {
  const { subject = [], base = [] } = times ?? {};
  return {
    ...describeComparison(name, comparison),
    ratio: estimateRatio(subject, base),
    times: { subjectMs: getMedian(subject), baseMs: getMedian(base), wasQuiet },
    ...(otherTimes === undefined
      ? {}
      : {
          other: {
            ratio: estimateRatio(otherTimes.subject, otherTimes.base),
            subjectMs: getMedian(otherTimes.subject),
            change: estimateRatio(subject, otherTimes.subject),
          },
        }),
  };
}

/** Creates the figure of a value that is the same in every run. */
export const createExactFigure = (
  name: string,
  comparison: Comparison,
  value: number,
  otherValue?: number,
): Figure => ({
  ...describeComparison(name, comparison),
  ratio: toExactEstimate(value),
  ...(otherValue === undefined ? {} : { other: { ratio: toExactEstimate(otherValue) } }),
});

const toExactEstimate = (value: number): Estimate => ({ median: value, low: value, high: value, count: 1 });

export const getVerdict = ({ limit, ratio }: Figure): Verdict | undefined =>
  limit === undefined ? undefined : compareWithLimit(ratio, limit);

/** Returns whether a figure would show a change of 10 %. */
export const canShowChange = ({ times, ratio }: Figure): boolean => times === undefined || isPrecise(ratio);

/** Formats a number with two significant digits, or three from one to ten, so that 10 % are visible. */
export function formatNumber(value: number): string {
  if (value >= 100) {
    return Math.round(value).toLocaleString('en-US');
  }
  return Number(value.toPrecision(value >= 1 && value < 10 ? 3 : 2)).toString();
}

export const formatMs = (ms: number): string =>
  ms >= 1000 ? `${formatNumber(ms / 1000)} s` : `${formatNumber(ms)} ms`;

export const formatEstimate = ({ median, low, high }: Estimate): string =>
  low === high
    ? formatNumber(median)
    : `${formatNumber(median)} (${formatNumber(low)} to ${formatNumber(high)})`;

const verdictTexts: Readonly<Record<Verdict, string>> = {
  met: 'met',
  missed: 'MISSED',
  unclear: 'unclear, the interval contains it',
};

/** Describes a figure for the terminal, in one paragraph. */
export function describeFigure(figure: Figure): string {
  const { name, what, baseline, limit, ratio, times, other } = figure;
  const verdict = getVerdict(figure);
  return [
    `${name}: ${formatEstimate(ratio)} × ${baseline}`,
    `  ${what}${times === undefined ? '' : `: ${formatMs(times.subjectMs)}, base ${formatMs(times.baseMs)}, ${ratio.count} pairs`}`,
    ...(limit === undefined || verdict === undefined ? [] : [`  Limit ${limit}: ${verdictTexts[verdict]}.`]),
    ...(canShowChange(figure) ? [] : ['  Cannot show a change of 10 %.']),
    ...(times?.wasQuiet === false ? ['  The machine was not quiet.'] : []),
    ...(other === undefined ? [] : [`  ${describeOther(other)}`]),
  ].join('\n');
}

function describeOther({ ratio, subjectMs, change }: NonNullable<Figure['other']>): string {
  const before = `Other version: ${formatEstimate(ratio)}${subjectMs === undefined ? '' : `, ${formatMs(subjectMs)}`}`;
  return change === undefined
    ? `${before}.`
    : `${before}. New/old: ${formatEstimate(change)}, ${classifyChange(change)}${isPrecise(change) ? '' : ' (cannot show a change of 10 %)'}.`;
}
