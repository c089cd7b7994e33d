import { expect, test } from 'vitest';
import { formatItem, labelItems } from '../../../src/cli/itemLabels.ts';

test.each([
  ['tableExpression/Retail/Sales', 'SQL/Retail/Sales'],
  ['columnExpression/Retail/Sales/Total', 'SQL/Retail/Sales/Total'],
  ['cubeSetRules/All/Sales/Region', 'cube set rules/All/Sales/Region'],
  ['customData/Notes', 'custom data/Notes'],
  ['table/Retail/customData', 'table/Retail/customData'],
  ['the rules of customData', 'the rules of customData'],
  ['customData', 'customData'],
  ['customData/A~1B', 'custom data/A/B'],
  ['table/Retail/In~1Out ~01', 'table/Retail/In/Out ~1'],
  ['relation/Retail/A~1B/Id/C/', 'relation/Retail/A/B/Id/C/(deleted)'],
  ['the rules of A~1B', 'the rules of A~1B'],
])('the kind of %s is a word of the documentation', (item, expected) => {
  expect(formatItem(item)).toBe(expected);
});

test('the items of an output are labeled, but not the contents of files', () => {
  const content = { item: 'customData/x' };
  const output = {
    environment: 'customData/x',
    changes: [{ item: 'customData/A', from: 'customData/B', parts: [{ after: content }] }],
    warnings: ['customData/x'],
    unknown: [{ what: 'customData/C', problem: 'customData/x' }],
    access: { summary: 'customData/x', newTables: [{ item: 'table/Retail/A~1B', rules: ['customData/x'] }] },
  };
  expect(labelItems(output)).toEqual({
    ...output,
    changes: [{ item: 'custom data/A', from: 'custom data/B', parts: [{ after: content }] }],
    unknown: [{ what: 'custom data/C', problem: 'customData/x' }],
    access: { ...output.access, newTables: [{ item: 'table/Retail/A/B', rules: ['customData/x'] }] },
  });
});
