import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMessage, english, formatMessage } from '../../../../src/base/localize.ts';
import { stringify } from '../../../../src/base/json.ts';
import { findItemPosition, type Project } from '../../../../src/project/files/project.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import type { ReadFault } from '../../../../src/project/files/readFault.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { formatItemKey, type ItemKey, type ProjectItem } from '../../../../src/project/item.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { hostileNames } from '../hostileNames.ts';
import { randomModel, randomObject } from '../randomModel.ts';
import { createProjectTexts } from './projectTexts.ts';

const parse = (texts: Readonly<Record<string, string>>, faults: readonly ReadFault[] = []): Project =>
  parseProject({ texts: new Map(Object.entries(texts)), faults });

const retailPath = 'datamodels/Retail/Retail.datamodel.json';
const customersPath = 'datamodels/Retail/tables/Customers.table.json';
const fullNamePath = 'datamodels/Retail/tables/Customers/Full Name.datamodel.sql';
const regionPath = 'datamodels/Retail/rules/Customers.Region.rules.json';
const customersText = `// The people
{
  "dataset": "D",
  "name": "Customers",
  "columns": [
    { "name": "Id", "type": 8 },
    { "name": "Full Name", "expression": { "$file": "Customers/Full Name.datamodel.sql" } },
  ],
}`;
const valid = {
  [retailPath]: '{"title": "Retail"}',
  [customersPath]: customersText,
  [fullNamePath]: "\uFEFFFirst + ' ' + Last\r\n",
  [regionPath]: '[{"table": "Customers", "column": "Region"}]',
  'viewpoints/V.viewpoint.json': '{"name": "V"}',
  'datamodels/Retail/README.md': 'Ignored',
};
const getValidWithout = (...paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(valid).filter(([path]) => !paths.includes(path)));

const getProblems = ({ problems }: Project) =>
  problems.map(({ path, line, column, code, severity }) => `${severity} ${code} ${path}:${line}:${column}`);
const getKeys = ({ items }: Project): readonly string[] => items.map(({ key }) => formatItemKey(key));

const createTableKey = (name: string, datamodel = 'Retail'): ItemKey => ({
  kind: 'table',
  datamodel,
  table: name,
});
const createColumnKey = (name: string): ItemKey => ({
  kind: 'columnExpression',
  datamodel: 'Retail',
  table: 'Customers',
  column: name,
});
const createRulesKey = (name: string, datamodel = 'Retail'): ItemKey => ({
  kind: 'rules',
  datamodel,
  table: 'Customers',
  column: name,
});
const createViewpointKey = (name: string): ItemKey => ({ kind: 'viewpoint', viewpoint: name });

describe('a project', () => {
  test('has the items of its files', () => {
    const project = parse(valid);
    expect(getProblems(project)).toEqual([]);
    expect(project.items.map(({ key, content, path }) => [formatItemKey(key), content, path])).toEqual([
      ['columnExpression/Retail/Customers/Full Name', "First + ' ' + Last", fullNamePath],
      ['datamodel/Retail', { title: 'Retail' }, retailPath],
      ['rules/Retail/Customers/Region', [{ table: 'Customers', column: 'Region' }], regionPath],
      [
        'table/Retail/Customers',
        { dataset: 'D', name: 'Customers', columns: [{ name: 'Id', type: 8 }, { name: 'Full Name' }] },
        customersPath,
      ],
      ['viewpoint/V', { name: 'V' }, 'viewpoints/V.viewpoint.json'],
    ]);
    expect(
      [createTableKey('Other'), createViewpointKey('W'), createRulesKey('Id')].map((key) =>
        project.mayBeInUnreadFile(key),
      ),
    ).toEqual([false, false, false]);
  });

  test('has the items that files were made from, whatever their names', () => {
    fc.assert(
      fc.property(
        fc.array(randomModel, { maxLength: 2 }),
        fc.uniqueArray(hostileNames, { maxLength: 5 }),
        randomObject,
        (documents, names, object) => {
          const { items } = convertInstance({
            datamodels: documents.map((document) => ({ document, rules: [] })),
            cubeSets: names.map((name) => ({
              name,
              rules: [{ table: name, column: 'C', members: [name], shares: [] }],
            })),
            viewpoints: names.map((name) => ({ id: `id of ${name}`, name, description: name })),
            customData: names.map((name) => ({ name, objects: [{ _id: `id of ${name}`, ...object }] })),
            users: [],
            groups: [],
            numberedReferences: [],
          });
          const project = parseProject({ texts: createProjectTexts(items), faults: [] });
          expect(project.problems).toEqual([]);
          const format = ({ key, content }: ProjectItem): string =>
            `${formatItemKey(key)} ${
              // The name is first in a file.
              stringify(key.kind === 'datamodel' ? undefined : content)
            }`;
          expect(project.items.map(format)).toEqual(items.map(format));
        },
      ),
      { numRuns: getPropertyRuns(200) },
    );
  });

  test('returns the location of a part of an item', () => {
    const item = expectDefined(parse(valid).items.find(({ key }) => key.kind === 'table'));
    expect(findItemPosition(item, '/columns/Full Name')).toEqual({ line: 7, column: 5 });
    expect(findItemPosition(item, '/columns/0/type')).toEqual({ line: 6, column: 29 });
    expect(findItemPosition(item, '/nothing')).toEqual({ line: 2, column: 1 });
  });
});

describe('a file that cannot be read', () => {
  test('makes missing items of its kind in its datamodel unknown, and no others', () => {
    const project = parse({
      ...valid,
      [customersPath]: '{\n  "dataset": ',
      'datamodels/Other/Other.datamodel.json': '{"title": "Other"}',
    });
    expect(getProblems(project)).toEqual([`error syntax ${customersPath}:2:14`]);
    expect(
      [createTableKey('Customers'), createTableKey('New'), createColumnKey('Full Name')].map((key) =>
        project.mayBeInUnreadFile(key),
      ),
    ).toEqual([true, true, true]);
    expect(
      [
        createTableKey('New', 'Other'),
        createTableKey('New', 'Third'),
        createRulesKey('Region'),
        createRulesKey('Id'),
        createViewpointKey('W'),
      ].map((key) => project.mayBeInUnreadFile(key)),
    ).toEqual([false, false, false, false, false]);
  });

  test('of a datamodel makes everything of missing datamodels unknown', () => {
    const project = parse({
      ...valid,
      [retailPath]: '{}',
      'datamodels/Other/Other.datamodel.json': '{"title": "Other"}',
    });
    expect(getKeys(project)).toEqual(['datamodel/Other', 'viewpoint/V']);
    expect(getProblems(project)).toEqual([`error invalid-content ${retailPath}:1:1`]);
    expect(
      [createTableKey('Customers'), createRulesKey('Id'), createTableKey('x', 'Third')].map((key) =>
        project.mayBeInUnreadFile(key),
      ),
    ).toEqual([true, true, true]);
    expect(
      [createTableKey('x', 'Other'), createViewpointKey('W')].map((key) => project.mayBeInUnreadFile(key)),
    ).toEqual([false, false]);
  });

  test.each<[string, Record<string, string>, readonly string[]]>([
    ['is missing', getValidWithout(retailPath), ['error missing-datamodel datamodels/Retail:1:1']],
    [
      'is there twice',
      { ...valid, 'datamodels/Retail/Copy.datamodel.json': '{"title": "Copy"}' },
      [
        'error duplicate-item datamodels/Retail/Copy.datamodel.json:1:1',
        `error duplicate-item ${retailPath}:1:1`,
      ],
    ],
    [
      'has the title of another one',
      { ...valid, 'datamodels/Shop/Shop.datamodel.json': '{"title": "Retail"}' },
      [
        `error duplicate-item ${retailPath}:1:1`,
        'error duplicate-item datamodels/Shop/Shop.datamodel.json:1:1',
      ],
    ],
  ])('of a datamodel that %s makes the datamodel unknown', (_case, texts, problems) => {
    const project = parse(texts);
    expect(getProblems(project)).toEqual(problems);
    expect(getKeys(project)).toEqual(['viewpoint/V']);
    for (const key of [
      createTableKey('Customers'),
      createTableKey('New'),
      createColumnKey('Full Name'),
      createRulesKey('Region'),
    ]) {
      expect(project.mayBeInUnreadFile(key)).toBe(true);
    }
  });

  test.each<[ReadFault, readonly ItemKey[], readonly ItemKey[]]>([
    [
      { path: 'viewpoints/W.viewpoint.json', code: 'unreadable', message: createMessage('EACCES') },
      [createViewpointKey('W')],
      [createViewpointKey('V'), createTableKey('New')],
    ],
    [
      { path: 'datamodels/Retail/tables', code: 'symbolic-link', message: createMessage('') },
      [createTableKey('New'), createColumnKey('Id')],
      [createRulesKey('Id'), createTableKey('Customers')],
    ],
    [
      { path: 'datamodels/Other', code: 'symbolic-link', message: createMessage('') },
      [createTableKey('New', 'Other'), createRulesKey('x', 'Other')],
      [createTableKey('New'), createViewpointKey('W')],
    ],
    // Every object has a member `constructor`, which must not be taken for a kind of item.
    [
      { path: 'datamodels/Retail/constructor', code: 'symbolic-link', message: createMessage('') },
      [createTableKey('New'), createRulesKey('x')],
      [createViewpointKey('W'), createTableKey('Customers')],
    ],
    [
      { path: 'datamodels', code: 'unreadable', message: createMessage('') },
      [createTableKey('New', 'Other')],
      [createViewpointKey('W')],
    ],
    [
      { path: '', code: 'unreadable', message: createMessage('') },
      [createTableKey('New', 'Other'), createViewpointKey('W')],
      [],
    ],
  ])('is a problem: %o', (fault, unknown, known) => {
    const project = parse(valid, [fault]);
    expect(getProblems(project)).toEqual([`error ${fault.code} ${fault.path}:1:1`]);
    expect(unknown.filter((key) => !project.mayBeInUnreadFile(key))).toEqual([]);
    expect(known.filter((key) => project.mayBeInUnreadFile(key))).toEqual([]);
  });

  test('because it is in the wrong folder makes its kind unknown', () => {
    const project = parse({ ...valid, 'viewpoints/team/W.viewpoint.json': '{"name": "W"}' });
    expect(getProblems(project)).toEqual(['error misplaced-file viewpoints/team/W.viewpoint.json:1:1']);
    expect(getFirstMessage(project)).toBe('This file is in the wrong folder. Expected: viewpoints.');
    expect(project.mayBeInUnreadFile(createViewpointKey('W'))).toBe(true);
    expect(project.mayBeInUnreadFile(createViewpointKey('V'))).toBe(false);
  });

  test('because it is a table in the wrong folder may refer to any SQL file in that folder', () => {
    const folder = 'datamodels/Retail/table';
    const sql = { [`${folder}/New.datamodel.sql`]: 'SELECT 1' };
    expect(getProblems(parse({ ...valid, ...sql }))).toEqual([
      `warning unreferenced-sql ${folder}/New.datamodel.sql:1:1`,
    ]);
    expect(getProblems(parse({ ...valid, ...sql, [`${folder}/New.table.json`]: '{"name": "New"}' }))).toEqual(
      [`error misplaced-file ${folder}/New.table.json:1:1`],
    );
  });
});

const getFirstMessage = ({ problems }: Project): string =>
  problems.map(({ message }) => formatMessage(english, message))[0] ?? '';

test('two files of one item make it unknown', () => {
  const copy = 'datamodels/Retail/tables/Copy.table.json';
  const project = parse({ ...valid, [copy]: '{"dataset": "D", "name": "Customers", "columns": []}' });
  expect(getProblems(project)).toEqual([
    `error duplicate-item ${copy}:1:1`,
    `error duplicate-item ${customersPath}:1:1`,
  ]);
  expect(getFirstMessage(project)).toBe(`The same item is in ${customersPath}.`);
  expect(getKeys(project)).toEqual(['datamodel/Retail', 'rules/Retail/Customers/Region', 'viewpoint/V']);
  expect(
    [createTableKey('Customers'), createColumnKey('Full Name'), createTableKey('New')].map((key) =>
      project.mayBeInUnreadFile(key),
    ),
  ).toEqual([true, true, false]);
});

describe('SQL', () => {
  test.each<[Record<string, string>, string]>([
    [getValidWithout(fullNamePath), `error missing-sql ${customersPath}:7:53`],
    [{ ...valid, [fullNamePath]: '\r\n' }, `error empty-sql ${fullNamePath}:1:1`],
  ])('that cannot be read makes only itself unknown', (texts, problem) => {
    const project = parse(texts);
    expect(getProblems(project)).toEqual([problem]);
    expect(project.mayBeInUnreadFile(createColumnKey('Full Name'))).toBe(true);
    expect(project.mayBeInUnreadFile(createColumnKey('Id'))).toBe(false);
    expect(getKeys(project)).toContain('table/Retail/Customers');
  });

  test('that two columns share makes both columns unknown', () => {
    const shared = customersText.replace(
      '"type": 8',
      '"expression": { "$file": "Customers/Full Name.datamodel.sql" }',
    );
    const project = parse({ ...valid, [customersPath]: shared });
    expect(getProblems(project)).toEqual([
      `error shared-sql ${customersPath}:6:46`,
      `error shared-sql ${customersPath}:7:53`,
    ]);
    expect(
      [createColumnKey('Id'), createColumnKey('Full Name')].map((key) => project.mayBeInUnreadFile(key)),
    ).toEqual([true, true]);
  });

  test('is found if the system decomposes names, and is reported if no table refers to it', () => {
    const project = parse({
      ...getValidWithout(fullNamePath),
      [customersPath]: customersText.replace('Full Name.', '\u00c9tat.'),
      ['datamodels/Retail/tables/Customers/E\u0301tat.datamodel.sql']: 'x',
      ['datamodels/Retail/tables/Old.datamodel.sql']: 'x',
    });
    expect(getKeys(project)).toContain('columnExpression/Retail/Customers/Full Name');
    expect(getProblems(project)).toEqual([
      'warning unreferenced-sql datamodels/Retail/tables/Old.datamodel.sql:1:1',
    ]);
  });

  test('is the file of exactly this name, if names differ in their normalization only', () => {
    const composedText = customersText
      .replace('Full Name.', 'E\u0301tat.')
      .replace('"type": 8', '"expression": { "$file": "Customers/\u00c9tat.datamodel.sql" }');
    const project = parse({
      ...getValidWithout(fullNamePath),
      [customersPath]: composedText,
      ['datamodels/Retail/tables/Customers/E\u0301tat.datamodel.sql']: 'decomposed',
      ['datamodels/Retail/tables/Customers/\u00c9tat.datamodel.sql']: 'composed',
    });
    expect(getProblems(project)).toEqual([]);
    expect(project.items.slice(0, 2).map(({ content }) => content)).toEqual(['decomposed', 'composed']);
  });

  test('is not reported as unreferenced beside a table that cannot be read', () => {
    expect(getProblems(parse({ ...valid, [customersPath]: '' }))).toEqual([
      `error syntax ${customersPath}:1:1`,
    ]);
  });
});

describe('a merge conflict', () => {
  const conflict = "First\n<<<<<<< HEAD\n+ ' '\n=======\n+ '-'\n>>>>>>> feature\n+ Last\n";

  test('in SQL makes only this expression unknown, and is the only problem', () => {
    const project = parse({ ...valid, [fullNamePath]: conflict });
    expect(getProblems(project)).toEqual([`error merge-conflict ${fullNamePath}:2:1`]);
    expect(getKeys(project)).toEqual(getKeys(parse(getValidWithout(fullNamePath))));
    expect(project.mayBeInUnreadFile(createColumnKey('Full Name'))).toBe(true);
    expect(project.mayBeInUnreadFile(createTableKey('New'))).toBe(false);
  });

  test('in SQL is reported whatever else can be read', () => {
    const conflictProblem = `error merge-conflict ${fullNamePath}:2:1`;
    for (const text of ['{', conflict, '{"dataset": "D", "name": "Customers"}', undefined]) {
      const others = getValidWithout(customersPath, fullNamePath);
      const project = parse({
        ...others,
        ...(text === undefined ? {} : { [customersPath]: text }),
        [fullNamePath]: conflict,
      });
      expect(getProblems(project), text).toContain(conflictProblem);
    }
    expect(getProblems(parse({ [fullNamePath]: conflict }))).toContain(conflictProblem);
  });

  test('in JSON is reported in place of what is not valid because of it', () => {
    for (const path of [retailPath, customersPath, regionPath, 'viewpoints/V.viewpoint.json']) {
      const project = parse({ ...valid, [path]: `{\r\n<<<<<<< HEAD\r\n"name": "V"\r\n=======\r\n}` });
      expect(getProblems(project), path).toContain(`error merge-conflict ${path}:2:1`);
      expect(getProblems(project).join(), path).not.toContain('syntax');
    }
  });

  test('that was marked by a comment is found in a file that is valid otherwise', () => {
    const sql = '-- <<<<<<< Konflikt: …\nFirst\n';
    expect(getProblems(parse({ ...valid, [fullNamePath]: sql }))).toEqual([
      `error merge-conflict ${fullNamePath}:1:1`,
    ]);
    const json = customersText.replace('{', '{\n// <<<<<<< Conflict: …');
    expect(getProblems(parse({ ...valid, [customersPath]: json }))).toEqual([
      `error merge-conflict ${customersPath}:3:1`,
    ]);
  });
});
