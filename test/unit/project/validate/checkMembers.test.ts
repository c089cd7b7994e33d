import { describe, expect, test } from 'vitest';
import { createRawNumber, stringify } from '../../../../src/base/json.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { checkProject } from '../../../../src/project/validate/validateProject.ts';

const modelFolder = 'datamodels/Retail';
const rule = { table: 'Orders', column: 'Status', datatype: 'text', members: [], allMembers: true };
const everyone = [{ type: 'default' }];

/** A project whose members all have the right types. */
const files = {
  [`${modelFolder}/Retail.datamodel.json`]: { title: 'Retail', type: 'extract' },
  [`${modelFolder}/datasets/Sales.dataset.json`]: {
    name: 'Sales',
    type: 'extract',
    connection: { provider: 'CSV', parameters: {} },
  },
  [`${modelFolder}/tables/Orders.table.json`]: {
    dataset: 'Sales',
    name: 'Orders',
    type: 'BASE',
    indexed: 1,
    columns: [{ name: 'Status', type: 18, description: null, renamedFrom: 'State' }],
  },
  [`${modelFolder}/rules/Orders.Status.rules.json`]: [{ ...rule, shares: everyone }],
};

/** Returns the findings in the project after the content of one of its files is changed. */
function check(file: string, change: (content: never) => unknown = (content) => content): readonly string[] {
  const texts = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      stringify(path.endsWith(file) ? change(content as never) : content, 2),
    ]),
  );
  return checkProject(parseProject({ texts, faults: [] }), undefined).map(
    ({ line, severity, code, message }) => `${line} ${severity} ${code}: ${message}`,
  );
}

const tableFile = 'Orders.table.json';
const rulesFile = 'Orders.Status.rules.json';
const withMembers =
  (members: object) =>
  (content: object): object => ({ ...content, ...members });
const withColumn =
  (column: object) =>
  (content: object): object => ({ ...content, columns: [{ name: 'Status', type: 18, ...column }] });
const withRule = (members: object) => (): object => [{ ...rule, shares: everyone, ...members }];
const withShare = (share: object) => withRule({ shares: [share, ...everyone] });

test('members of the right types are not reported, and neither are unknown ones', () => {
  expect(check('')).toEqual([]);
});

describe('what a server would misunderstand is reported:', () => {
  test.each([
    [
      'the type of a column',
      tableFile,
      withColumn({ type: 'text' }),
      '9 error project/schema: "type" must be a number, not a string.',
    ],
    [
      'a number that is too large',
      tableFile,
      withColumn({ size: createRawNumber('1e999') }),
      '10 error project/schema: "size" is out of range.',
    ],
    [
      'a flag of a table',
      tableFile,
      withMembers({ hidden: 'yes' }),
      '14 error project/schema: "hidden" must be true or false, not a string.',
    ],
    [
      'options of a table',
      tableFile,
      withMembers({ configOptions: [] }),
      '14 error project/schema: "configOptions" must be an object, not an array.',
    ],
    [
      'the type of a table',
      tableFile,
      withMembers({ type: 'bass' }),
      '4 warning project/schema: Unknown type "bass". Expected: base, custom.',
    ],
    [
      'the type of a build behavior',
      tableFile,
      withMembers({ buildBehavior: { type: 'accumulative' } }),
      '15 warning project/schema: Unknown type "accumulative". Expected: sync, ignoreIfExists, accumulativeSync.',
    ],
    [
      'the type of a datamodel',
      'Retail.datamodel.json',
      withMembers({ type: 'life' }),
      '3 warning project/schema: Unknown type "life". Expected: extract, live.',
    ],
    [
      'the type of a dataset',
      'Sales.dataset.json',
      withMembers({ type: 5 }),
      '3 error project/schema: "type" must be a string, not a number.',
    ],
    [
      'a former name of a datamodel, which no request can rename',
      'Retail.datamodel.json',
      withMembers({ renamedFrom: 'Sales' }),
      '4 error project/schema: Apply can\'t rename datamodels: a different title creates a new datamodel. Remove "renamedFrom".',
    ],
    [
      'a former name of a dataset, which no request can rename',
      'Sales.dataset.json',
      withMembers({ renamedFrom: null }),
      '8 error project/schema: Apply can\'t rename datasets: a different name creates a new dataset. Remove "renamedFrom".',
    ],
    [
      'a connection',
      'Sales.dataset.json',
      withMembers({ connection: { parameters: 7 } }),
      '5 error project/schema: "parameters" must be a string or an object, not a number.',
    ],
    [
      'an undocumented type of a column',
      tableFile,
      withColumn({ type: 999 }),
      expect.stringMatching(
        /^\d+ warning project\/schema: Unknown column type 999\. Expected: a documented code, such as 8 \(Integer\)/,
      ) as unknown as string,
    ],
    [
      'a misspelled member of a column',
      tableFile,
      withColumn({ renamedform: 'State' }),
      '10 warning project/schema: Unknown property "renamedform". Did you mean "renamedFrom"?',
    ],
    [
      'a misspelled member of a table',
      tableFile,
      withMembers({ hiden: true }),
      '14 warning project/schema: Unknown property "hiden". Did you mean "hidden"?',
    ],
    [
      'a misspelled member with a short name',
      tableFile,
      ({ type, ...table }: Record<string, unknown>) => ({ ...table, typ: type }),
      '13 warning project/schema: Unknown property "typ". Did you mean "type"?',
    ],
    [
      'a missing type of a dataset',
      'Sales.dataset.json',
      withMembers({ type: undefined }),
      '1 warning project/schema: Missing "type". Expected: extract, live, custom.',
    ],
    [
      'a missing type of a column',
      tableFile,
      withColumn({ type: undefined }),
      '7 warning project/schema: Missing "type". Expected: a code, such as 8 (Integer), 18 (Text), or 31 (Date).',
    ],
    [
      'values of a rule',
      rulesFile,
      withRule({ members: 5 }),
      '6 error project/schema: "members" must be an array, not a number.',
    ],
    [
      'the type of a user or group',
      rulesFile,
      withShare({ type: 'gruppe', party: 'North' }),
      '10 error project/schema: Unknown type "gruppe". Expected: user, group, default.',
    ],
    [
      'a missing type of a user or group',
      rulesFile,
      withShare({ party: 'North' }),
      '9 error project/schema: Missing "type".',
    ],
    [
      'a user or group',
      rulesFile,
      withShare({ type: 'default', party: 5 }),
      '11 error project/schema: "party" must be a string or an object, not a number.',
    ],
    [
      'a number of a user or group',
      rulesFile,
      withShare({ type: 'group', party: { bound: '5' } }),
      '12 error project/schema: "bound" must be a number, not a string.',
    ],
    [
      'another member in place of the number',
      rulesFile,
      withShare({ type: 'group', party: { bound: 5, name: 'x' } }),
      '13 error project/schema: Unknown property "name".',
    ],
    [
      'a missing data type',
      rulesFile,
      withRule({ datatype: undefined }),
      '2 warning project/schema: Missing "datatype". Expected: text or numeric.',
    ],
    [
      'a misspelled member of a rule',
      rulesFile,
      withRule({ exclusionry: true }),
      '13 error project/schema: Unknown property "exclusionry". Did you mean "exclusionary"?',
    ],
    [
      'a misspelled member of a rule beside the right one',
      rulesFile,
      withRule({ allMember: false }),
      '13 error project/schema: Unknown property "allMember". Did you mean "allMembers"?',
    ],
    [
      'a misspelled member of a rule that does not determine who sees what',
      rulesFile,
      withRule({ datatyp: 'numeric' }),
      '13 warning project/schema: Unknown property "datatyp". Did you mean "datatype"?',
    ],
    [
      'a misspelled member of a share beside the right one',
      rulesFile,
      withShare({ type: 'group', party: 'Sales', typ: 'user' }),
      '12 error project/schema: Unknown property "typ". Did you mean "type"?',
    ],
    [
      'a misspelled member of a table beside the right one',
      tableFile,
      withMembers({ description: 'a', descripton: 'b' }),
      '15 warning project/schema: Unknown property "descripton". Did you mean "description"?',
    ],
    [
      'a misspelled member of a column beside the right one',
      tableFile,
      withColumn({ hidden: false, hiden: true }),
      '11 warning project/schema: Unknown property "hiden". Did you mean "hidden"?',
    ],
  ])('%s', (_what, file, change, finding) => {
    expect(check(file, change)).toEqual([finding]);
  });
});

test('members beside the content of custom data are reported, because they are never written', () => {
  const path = 'custom-data/Settings.custom-data.json';
  const text = stringify({ $schema: 'x', name: 'Settings', content: { any: 1 }, app: 'settings' }, 2);
  const project = parseProject({ texts: new Map([[path, text]]), faults: [] });
  expect(checkProject(project, undefined)).toMatchObject([
    {
      line: 7,
      severity: 'warning',
      message: 'Unknown property "app". Only what is in "content" is written to the instance.',
    },
  ]);
});

test('an exchange of names is reported at each renamed item', () => {
  const columns = [
    { name: 'Status', type: 18, renamedFrom: 'State' },
    { name: 'State', type: 18, renamedFrom: 'Status' },
    { name: 'Id', type: 8, renamedFrom: 'Key' },
  ];
  const text =
    "is swapped with the names of other items. This can't be done in one step. First give one of them a temporary name, and apply.";
  expect(check(tableFile, withMembers({ columns }))).toEqual([
    `10 error project/schema: The name of Status ${text}`,
    `15 error project/schema: The name of State ${text}`,
  ]);
});

test('what the linter of rules reports is not reported twice', () => {
  const codes = check(rulesFile, withRule({ members: [1, {}], allMembers: 'yes', exclusionary: 1 })).map(
    (finding) => finding.replace(/^\d+ error (\S+):.*/, '$1'),
  );
  expect(codes.length).toBeGreaterThan(2);
  expect(codes.filter((code) => !code.startsWith('rules/'))).toEqual([]);
});
