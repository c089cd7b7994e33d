import type { Localize } from '../../base/localize.ts';
import type { SelectionLimits } from '../settings/projectSettings.ts';
import { getOnlyName } from '../source/selection.ts';

/**
 * Describes the part of a project that a command is limited to, for messages that are not about the whole project;
 * `undefined` without limits.
 */
export function describeLimits(
  t: Localize,
  { datamodels = [], viewpoints = [] }: SelectionLimits,
): string | undefined {
  const [first, second] = [
    describePatterns(datamodels, {
      all: () => t('all datamodels'),
      matching: (pattern) => t('the datamodels "{0}"', pattern),
      several: (count) => t('{0} datamodels', count),
    }),
    describePatterns(viewpoints, {
      all: () => t('all viewpoints'),
      matching: (pattern) => t('the viewpoints "{0}"', pattern),
      several: (count) => t('{0} viewpoints', count),
    }),
  ].filter((text) => text !== undefined);
  return first === undefined || second === undefined ? first : t('{0} and {1}', first, second);
}

function describePatterns(
  patterns: readonly string[],
  texts: {
    readonly all: () => string;
    readonly matching: (pattern: string) => string;
    readonly several: (count: number) => string;
  },
): string | undefined {
  const [pattern] = patterns;
  if (pattern === undefined) {
    return undefined;
  }
  if (patterns.includes('*')) {
    return texts.all();
  }
  return patterns.length > 1
    ? texts.several(patterns.length)
    : (getOnlyName(pattern) ?? texts.matching(pattern));
}
