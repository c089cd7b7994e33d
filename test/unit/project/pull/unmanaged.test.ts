import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { describeUnmanaged } from '../../../../src/project/messages/describeUnmanaged.ts';
import { findUnmanaged } from '../../../../src/project/pull/unmanaged.ts';
import {
  type SelectionLimits,
  defaultProjectSettings,
  toEnvironmentSettings,
} from '../../../../src/project/settings/projectSettings.ts';
import type { ReadScope } from '../../../../src/project/source/readInstance.ts';

interface Names {
  readonly titles?: readonly string[];
  readonly viewpoints?: readonly string[] | undefined;
}

interface Case {
  readonly manage: { readonly datamodels?: string[]; readonly viewpoints?: string[] };
  readonly project?: Names;
  readonly instance?: Names;
  readonly limits?: SelectionLimits;
  readonly texts?: Readonly<Record<string, string>>;
  readonly unreadParts?: ReadScope['unreadParts'];
  readonly environment?: { readonly viewpoints?: boolean };
}

function describeCase({
  manage,
  project = {},
  instance = {},
  limits,
  texts = {},
  unreadParts = [],
  environment,
}: Case): readonly string[] {
  const { titles = [], viewpoints = [] } = project;
  const files = new Map([
    ...Object.entries(texts),
    ...titles.map(
      (title) => [`datamodels/${title}/${title}.datamodel.json`, JSON.stringify({ title })] as const,
    ),
    ...viewpoints.map((name) => [`viewpoints/${name}.viewpoint.json`, JSON.stringify({ name })] as const),
  ]);
  const settings = { ...defaultProjectSettings, manage: { ...defaultProjectSettings.manage, ...manage } };
  return describeUnmanaged(
    english,
    findUnmanaged({
      settings: toEnvironmentSettings(settings, environment),
      limits,
      project: parseProject({ texts: files, faults: [] }),
      reading: {
        scope: {
          listedIds: [],
          unreadParts,
          listedTitles: instance.titles ?? [],
          listedViewpoints: 'viewpoints' in instance ? instance.viewpoints : [],
        },
      },
    }),
  );
}

const formatUnknown = (kind: string, name: string, suggestion = ''): string =>
  `"manage" in datamodel-studio.json lists the ${kind} "${name}", but neither the instance nor the project has it.${suggestion}`;

describe('what a project does not manage', () => {
  test.each<[name: string, input: Case, lines: readonly string[]]>([
    [
      'does not include names that the instance has',
      { manage: { datamodels: ['A'] }, instance: { titles: ['A', 'B'] } },
      [],
    ],
    [
      'does not include names that the project has',
      { manage: { datamodels: ['A'] }, project: { titles: ['A'] } },
      [],
    ],
    [
      'does not include patterns with an asterisk',
      { manage: { datamodels: ['Sales *'], viewpoints: ['S*'] } },
      [],
    ],
    [
      'includes unknown names, with names that are not managed as suggestions',
      {
        manage: { datamodels: ['Retial', 'Sales'], viewpoints: ['profit\\*'] },
        instance: { titles: ['Retail', 'Sales'], viewpoints: ['Profit*'] },
      },
      [
        formatUnknown('datamodel', 'Retial', ' Did you mean "Retail"?'),
        formatUnknown('viewpoint', 'profit*', ' Did you mean "Profit*"?'),
      ],
    ],
    [
      'includes unknown names, without names that are managed as suggestions',
      { manage: { datamodels: ['Sale', 'Sales'] }, instance: { titles: ['Sales'] } },
      [formatUnknown('datamodel', 'Sale')],
    ],
    [
      'does not include names that could not be listed',
      {
        manage: { datamodels: ['A'], viewpoints: ['B'] },
        instance: { viewpoints: undefined },
        unreadParts: [{ kind: 'datamodels' }],
      },
      [],
    ],
    [
      'does not include a name in a file that cannot be read',
      { manage: { datamodels: ['A'] }, texts: { 'datamodels/A/A.datamodel.json': '{' } },
      [],
    ],
    [
      'includes excluded files',
      {
        manage: { datamodels: ['A'], viewpoints: ['V'] },
        project: { titles: ['A', 'B'], viewpoints: ['V', 'W', 'X'] },
        texts: {
          'datamodels/B/datasets/D.dataset.json': '{"name": "D"}',
          'custom-data/C.custom-data.json': '{"name": "C", "content": {}}',
        },
      },
      ['Not managed: 1 file in custom-data, 2 files in datamodels/B, 2 files in viewpoints'],
    ],
    [
      'includes at most five folders of excluded files',
      { manage: { datamodels: [] }, project: { titles: ['A', 'B', 'C', 'D', 'E', 'F'] } },
      [
        'Not managed: 1 file in datamodels/A, 1 file in datamodels/B, 1 file in datamodels/C, 1 file in datamodels/D, 1 file in datamodels/E, and 1 more folder',
      ],
    ],
    [
      'includes only what is within the limits of the command',
      {
        manage: { datamodels: ['A', 'Sale', 'Y'], viewpoints: ['Z'] },
        project: { titles: ['A', 'Sales', 'C'], viewpoints: ['W'] },
        limits: { datamodels: ['A', 'Sales', 'Sale'] },
      },
      [
        'Not managed: 1 file in datamodels/Sales',
        formatUnknown('datamodel', 'Sale', ' Did you mean "Sales"?'),
      ],
    ],
    [
      'does not include viewpoints that the environment excludes on purpose',
      { manage: {}, project: { viewpoints: ['W'] }, environment: { viewpoints: false } },
      [],
    ],
    [
      'includes viewpoints that "manage" excludes',
      { manage: { viewpoints: [] }, project: { viewpoints: ['W'] } },
      ['Not managed: 1 file in viewpoints'],
    ],
  ])('%s', (_name, input, lines) => {
    expect(describeCase(input)).toEqual(lines);
  });
});
