import { expect, test } from 'vitest';
import { describePullFault } from '../../../../src/cli/selectionLimits.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { findUnmatchedNameFilter } from '../../../../src/project/pull/unmatchedNameFilter.ts';
import type { SelectionLimits } from '../../../../src/project/settings/projectSettings.ts';
import type { InstanceReading } from '../../../../src/project/source/readInstance.ts';

interface Listed {
  readonly titles?: readonly string[];
  readonly viewpoints?: readonly string[];
  readonly offersViewpoints?: boolean;
  /** The titles of datamodels that the project has, but doesn't manage. */
  readonly excluded?: readonly string[];
}

/** Describes why a limit matches nothing on an instance whose items the project doesn't manage. */
function describe(
  limits: SelectionLimits,
  { titles = [], viewpoints, offersViewpoints = true, excluded = [] }: Listed,
): string | undefined {
  const scope = { listedIds: [], unreadParts: [], listedTitles: titles, listedViewpoints: viewpoints };
  const reading: InstanceReading = {
    documents: { datamodels: [], cubeSets: [], viewpoints: [], customData: [], users: [], groups: [] },
    failedParts: [],
    listedIds: [],
    offersViewpoints,
    hasUserLists: true,
    scope,
    isSelected: (key: ItemKey) => !('datamodel' in key && excluded.includes(key.datamodel)),
    isNotRead: (_key: ItemKey) => false,
  };
  const texts = new Map(
    excluded.map((title) => [`datamodels/${title}/${title}.datamodel.json`, JSON.stringify({ title })]),
  );
  const fault = findUnmatchedNameFilter(limits, reading, parseProject({ texts, faults: [] }));
  return fault && describePullFault(fault);
}

test.each<[limits: SelectionLimits, listed: Listed, text: string]>([
  [
    { viewpoints: ['X'] },
    { viewpoints: ['Other'] },
    'Neither the instance nor the project has a viewpoint that matches --viewpoint.',
  ],
  [
    { viewpoints: ['profit*'] },
    { viewpoints: ['Profit by Week'] },
    'No viewpoint matches --viewpoint. Names are case-sensitive. Did you mean "Profit by Week"?',
  ],
  [
    { viewpoints: ['X'] },
    { viewpoints: ['X'] },
    '"manage" in datamodel-studio.json or "viewpoints" in the file of the environment excludes every viewpoint that matches --viewpoint.',
  ],
  // No viewpoints are read if the project manages none.
  [
    { viewpoints: ['X'] },
    {},
    '"manage" in datamodel-studio.json or "viewpoints" in the file of the environment excludes every viewpoint that matches --viewpoint.',
  ],
  [
    { viewpoints: ['X'] },
    { offersViewpoints: false },
    'The instance has no viewpoint service, and the project has no viewpoint that matches --viewpoint.',
  ],
  [
    { datamodels: ['retail'] },
    { titles: ['Retail'] },
    'No datamodel matches --datamodel. Names are case-sensitive. Did you mean "Retail"?',
  ],
  [
    { datamodels: ['Retial'] },
    { titles: ['Retail', 'Marketing'] },
    'Neither the instance nor the project has a datamodel that matches --datamodel. Did you mean "Retail"?',
  ],
  [
    { datamodels: ['Retail'] },
    { titles: [], excluded: ['Retail'] },
    '"manage" in datamodel-studio.json excludes every datamodel that matches --datamodel.',
  ],
])('the limit %j on an instance with %j is refused with the reason', (limits, listed, text) => {
  expect(describe(limits, listed)).toBe(text);
});

test('without limits, nothing is refused', () => {
  expect(describe({}, {})).toBeUndefined();
});
