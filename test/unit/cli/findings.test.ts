import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { createMessage } from '../../../src/base/localize.ts';
import { getMember, type JsonValue, stringify } from '../../../src/base/json.ts';
import {
  formatFinding,
  formatFindingsJUnit,
  formatFindingAnnotation,
} from '../../../src/cli/findings/formatFindings.ts';
import { createFailedSarifLog, createSarifLog } from '../../../src/cli/findings/formatSarif.ts';
import { type Finding, toDescription } from '../../../src/project/validate/finding.ts';

const finding: Finding = {
  path: 'datamodels/Sales & Co/tables/100% Ö.table.json',
  line: 3,
  column: 7,
  severity: 'error',
  code: 'reference/unknown-dataset',
  ...toDescription(createMessage('The datamodel has no dataset "{0}".', 'Sale')),
  subject: '"Sale"',
};

/** Returns what the official schema finds wrong with a text. */
async function findSchemaProblems(text: string): Promise<readonly unknown[]> {
  const service = getLanguageService({});
  const document = TextDocument.create('file:///log.sarif', 'json', 1, text);
  const parsed = service.parseJSONDocument(document);
  const problems = await service.doValidation(document, parsed, undefined, sarifSchema);
  return problems.map(({ message }) => message);
}

const getAt = (value: JsonValue, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>(
    (current, name) => (Array.isArray(current) ? current[Number(name)] : getMember(current, name)),
    value,
  );

const getFingerprints = (findings: readonly Finding[]): readonly (JsonValue | undefined)[] =>
  findings.map((_, index) =>
    getAt(
      createSarifLog(findings),
      'runs',
      '0',
      'results',
      String(index),
      'partialFingerprints',
      'finding/v1',
    ),
  );

describe('a SARIF log', () => {
  const others: readonly Finding[] = [
    { ...finding, severity: 'warning', code: 'viewpoint/unknown-datamodel' },
    { ...finding, severity: 'information', path: 'environments' },
    finding,
  ];

  test('is valid by the official schema', async () => {
    expect(await findSchemaProblems(stringify(createSarifLog([finding, ...others]), 2))).toEqual([]);
    expect(await findSchemaProblems(stringify(createSarifLog([])))).toEqual([]);
    const failedLog = createFailedSarifLog('Not a project.');
    expect(await findSchemaProblems(stringify(failedLog))).toEqual([]);
    // An empty list of results would mean that nothing is wrong.
    expect(failedLog).toMatchObject({ runs: [{ invocations: [{ executionSuccessful: false }] }] });
    expect(stringify(failedLog)).not.toContain('results');
    const invalidLog = stringify(createSarifLog([{ ...finding, line: 0 }]));
    expect(await findSchemaProblems(invalidLog)).not.toEqual([]);
  });

  test('has levels, rules by ID, and relative addresses with escapes', () => {
    const log = createSarifLog([finding, ...others]);
    const results = getAt(log, 'runs', '0', 'results') as readonly JsonValue[];
    expect(results.map((result) => getMember(result, 'level'))).toEqual([
      'error',
      'warning',
      'note',
      'error',
    ]);
    const rules = getAt(log, 'runs', '0', 'tool', 'driver', 'rules') as readonly JsonValue[];
    expect(rules.map((rule) => getMember(rule, 'id'))).toEqual([
      'reference/unknown-dataset',
      'viewpoint/unknown-datamodel',
    ]);
    for (const result of results) {
      const rule = rules[Number(getMember(result, 'ruleIndex'))];
      expect(getMember(rule, 'id')).toBe(getMember(result, 'ruleId'));
    }
    expect(getAt(results[0] ?? null, 'locations', '0', 'physicalLocation')).toEqual({
      artifactLocation: {
        uri: 'datamodels/Sales%20%26%20Co/tables/100%25%20%C3%96.table.json',
        uriBaseId: '%SRCROOT%',
      },
      region: { startLine: 3, startColumn: 7 },
    });
  });

  test('has fingerprints that do not depend on the line', () => {
    const [fingerprint] = getFingerprints([finding]);
    expect(fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(getFingerprints([{ ...finding, line: 80, column: 1, message: 'Reworded.' }])).toEqual([
      fingerprint,
    ]);
    for (const other of [
      { ...finding, path: 'a.json' },
      { ...finding, code: 'reference/unknown-table' as const },
      { ...finding, subject: '"Sales"' },
    ]) {
      const [otherFingerprint, same] = getFingerprints([other, finding]);
      expect(otherFingerprint).not.toBe(fingerprint);
      expect(same).toBe(fingerprint);
    }
    expect(new Set(getFingerprints([finding, { ...finding, line: 4 }])).size).toBe(2);
  });
});

describe('an annotation for GitHub Actions', () => {
  test('has the file, the place, and the code', () => {
    expect(formatFindingAnnotation({ ...finding, path: 'a/b.json', severity: 'information' })).toBe(
      '::notice file=a/b.json,line=3,col=7,title=reference/unknown-dataset::The datamodel has no dataset "Sale".',
    );
  });

  test('escapes what would end a property or the command', () => {
    const path = 'a,b:c%/d\r\n.json';
    expect(formatFindingAnnotation({ ...finding, path, message: '50%: a,\r\n::error::x' })).toBe(
      '::error file=a%2Cb%3Ac%25/d%0D%0A.json,line=3,col=7,title=reference/unknown-dataset::50%25: a,%0D%0A::error::x',
    );
  });

  test('property: any path and message can be unescaped to the original', () => {
    const unescape = (text: string): string =>
      text
        .replaceAll('%2C', ',')
        .replaceAll('%3A', ':')
        .replaceAll('%0A', '\n')
        .replaceAll('%0D', '\r')
        .replaceAll('%25', '%');
    fc.assert(
      fc.property(fc.string(), fc.string(), (path, message) => {
        const line = formatFindingAnnotation({ ...finding, path, message });
        const [, file = '', text = ''] =
          /^::error file=([^,:]*),line=3,col=7,title=[^,:]*::(.*)$/.exec(line) ?? [];
        expect([unescape(file), unescape(text)]).toEqual([path, message]);
      }),
    );
  });
});

test('a finding is formatted as one line of text', () => {
  expect(formatFinding({ ...finding, path: 'a.json', message: 'No "a\r\nb".' })).toBe(
    'a.json:3:7: error: No "a b". (reference/unknown-dataset)',
  );
});

describe('a JUnit report', () => {
  test('has a test case for each file, which fails if it has an error', () => {
    const warning: Finding = { ...finding, path: 'b.json', severity: 'warning', message: '<b> & "c"' };
    const report = formatFindingsJUnit([
      { ...finding, path: 'a.json' },
      { ...finding, path: 'a.json', line: 9 },
      warning,
    ]);
    expect(report).toContain('<testsuite name="validate" tests="2" failures="1" errors="0" skipped="0"');
    expect(report).toContain(
      '<testcase classname="datamodel-studio.validate" name="a.json" file="a.json" time="0.000">',
    );
    expect(report).toContain('message="3:7: The datamodel has no dataset &quot;Sale&quot;. (and 1 more)"');
    expect(report).toContain('a.json:9:7: error:');
    expect(report).toContain(
      '<system-out>b.json:3:7: warning: &lt;b&gt; &amp; &quot;c&quot; (reference/unknown-dataset)</system-out>',
    );
  });

  test('is not empty without findings', () => {
    expect(formatFindingsJUnit([])).toContain('tests="1" failures="0"');
  });
});
