import { expect, test } from 'vitest';
import { english } from '../../../src/base/localize.ts';
import { lintViewpoint } from '../../../src/viewpoints/index.ts';
import { formatViewpointProblem } from '../../../src/viewpoints/lint/formatViewpointProblem.ts';

const brokenViewpoint = `{
  "name": "Sales",
  "description": 3,
  "level": { "level": "x" },
  "details": {
    "columns": [
      { "table": "Orders", "column": "City", "datatype": "tex", "title": ["level"], "level": "months", "agg": "summ" },
      "level",
      { "table": "Orders", "column": "Id", "datatype": "text", "infusion": { "defaultDate": true, "uid": "level" } }
    ]
  },
  "visibility": { "apps": "level" }
}`;

const translateToUpperCase = (text: string, ...values: readonly (string | number)[]): string =>
  english(
    text.replace(/[a-z ]+/g, (letters) => letters.toUpperCase()),
    ...values,
  );

test('a message is that of the linter, if it is not translated', () => {
  const problems = lintViewpoint(brokenViewpoint);
  expect(problems.length).toBeGreaterThan(6);
  for (const problem of problems) {
    expect(formatViewpointProblem(english, problem)).toBe(problem.message);
  }
});

test.each([
  ['"description": 3', '"description" MUST BE A STRING, NOT A NUMBER.'],
  ['"datatype": "tex"', 'UNKNOWN DATA TYPE "tex". EXPECTED: text, datetime, numeric, number.'],
  ['"title": ["level"]', '"title" MUST BE A STRING, NOT AN ARRAY.'],
  ['"level",', 'EACH ITEM OF "columns" MUST BE AN OBJECT, NOT A STRING.'],
  ['"uid": "level"', '"uid" MUST BE TRUE OR FALSE, NOT A STRING.'],
  ['"apps": "level"', '"apps" MUST BE AN ARRAY, NOT A STRING.'],
])('%s: words of the message are translated, but not those of the document', (source, message) => {
  const problem = lintViewpoint(brokenViewpoint).find(
    ({ start, end, reason }) =>
      brokenViewpoint.indexOf(source) === start && end <= start + source.length && reason !== 'unknown-key',
  );
  expect(problem && formatViewpointProblem(translateToUpperCase, problem)).toBe(message);
});

test('words that are also keys are translated only where the message has them', () => {
  const problem = { reason: 'wrong-type', args: ['level', 'a string', 'a number'] } as const;
  expect(formatViewpointProblem(translateToUpperCase, problem)).toBe(
    '"level" MUST BE A STRING, NOT A NUMBER.',
  );
});
