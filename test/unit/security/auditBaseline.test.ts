import { describe, expect, test } from 'vitest';
import { applyBaseline, createBaselineEntries } from '../../../src/security/audit/applyBaseline.ts';
import type { AuditFinding } from '../../../src/security/audit/auditFinding.ts';
import {
  addBaselineEntries,
  BaselineError,
  readBaseline,
  removeBaselinePlaces,
} from '../../../src/security/audit/baselineFile.ts';
import { type AuditedSubject, groupFindings } from '../../../src/security/audit/groupFindings.ts';

// The findings of an audit are grouped by cause. Here, the cause is that no rule reaches some tables of a datamodel, and
// each of these tables is a place of the cause.

const instance = 'https://analytics.example.com';
const acceptance = { instance, reason: 'Public figures', author: 'Anna', date: '2026-03-01' };
const createSubject = (key: string, ...tables: readonly string[]): AuditedSubject => ({
  key,
  rules: [],
  findings: tables.map(
    (table): AuditFinding => ({
      code: 'table-unreached',
      severity: 'warning',
      args: [table, '0'],
      table,
    }),
  ),
});
const retail = groupFindings([createSubject('Retail', 'Parts', 'Bins')]);
const entries = createBaselineEntries(retail, acceptance);
const getNewPlaces = (
  subjects: readonly AuditedSubject[],
  baseline = entries,
  auditedInstance = instance,
): readonly string[] =>
  applyBaseline(groupFindings(subjects), baseline, {
    instance: auditedInstance,
    isComplete: () => true,
  }).newCauses.flatMap(({ places }) => places.map(({ subject, name }) => `${subject.key} ${name}`));

describe('a baseline', () => {
  test('hides what was accepted, and nothing else', () => {
    expect(getNewPlaces([createSubject('Retail', 'Bins', 'Parts')])).toEqual([]);
    expect(getNewPlaces([createSubject('Retail', 'Bins', 'Orders')])).toEqual(['Retail Orders']);
    expect(getNewPlaces([createSubject('Online', 'Bins')])).toEqual(['Online Bins']);
    expect(getNewPlaces([createSubject('Retail', 'Bins')], entries, 'https://other.example.com')).toEqual([
      'Retail Bins',
    ]);
  });

  test('counts what was found again, and what is resolved where everything was checked', () => {
    const causes = groupFindings([createSubject('Retail', 'Bins')]);
    const other = createBaselineEntries(retail, { ...acceptance, instance: 'https://other.example.com' });
    const getResult = (isComplete: boolean) =>
      applyBaseline(causes, [...entries, ...other], { instance, isComplete: () => isComplete });
    const { accepted, resolvedCount, isKept } = getResult(true);
    expect(accepted.map(({ entry, places }) => [entry.author, places.length])).toEqual([['Anna', 1]]);
    expect(resolvedCount).toBe(1);
    expect(
      [...entries, ...other].flatMap((entry) => entry.places.filter((place) => isKept(entry, place))),
    ).toEqual(['Bins', 'Parts', 'Bins']);
    expect(getResult(false).resolvedCount).toBe(0);
  });

  test('has an entry for each datamodel of a cause', () => {
    const findings: readonly AuditFinding[] = [{ code: 'no-rules', severity: 'information', args: [] }];
    const causes = groupFindings(['Retail', 'Online'].map((key) => ({ key, rules: [], findings })));
    expect(createBaselineEntries(causes, acceptance)).toEqual(
      ['Retail', 'Online'].map((datamodel) => ({
        ...acceptance,
        datamodel,
        finding: 'no-rules',
        places: ['all tables'],
      })),
    );
  });
});

describe('the file of a baseline', () => {
  test('is created with its schema, one place per line', () => {
    const text = addBaselineEntries('', entries);
    expect(text).toBe(`{
  "$schema": "datamodel-schema://schemas/security-baseline.json",
  "version": 1,
  "accepted": [
    {
      "instance": "https://analytics.example.com",
      "datamodel": "Retail",
      "finding": "table-unreached",
      "places": [
        "Parts",
        "Bins"
      ],
      "reason": "Public figures",
      "author": "Anna",
      "date": "2026-03-01"
    }
  ]
}
`);
    expect(readBaseline(text)).toEqual(entries);
    expect(readBaseline('')).toEqual([]);
  });

  const commentedText = `// Reviewed every quarter
{ "version": 1, "team": "BI",
  "accepted": [
    // by Anna
    { "instance": "${instance}", "datamodel": "Retail", "finding": "x", "places": ["a", "b"],
      "reason": "r", "author": "Anna", "date": "2026-01-01", "ticket": 17 }
  ] }
`;

  test('keeps comments and unknown properties', () => {
    const added = addBaselineEntries(commentedText, entries);
    expect(added).toContain('// Reviewed every quarter\n{ "version": 1, "team": "BI",');
    expect(added).toContain('// by Anna\n');
    expect(added).toContain('"ticket": 17 }');
    expect(readBaseline(added).map(({ finding }) => finding)).toEqual(['x', 'table-unreached']);
  });

  test('loses removed places, and entries without any', () => {
    const withoutA = removeBaselinePlaces(commentedText, (_entry, place) => place !== 'a');
    expect(readBaseline(withoutA)).toMatchObject([{ places: ['b'], ticket: 17 }]);
    expect(withoutA).toContain('// by Anna');
    expect(readBaseline(removeBaselinePlaces(withoutA, () => false))).toEqual([]);
    expect(removeBaselinePlaces(commentedText, () => true)).toBe(commentedText);
    expect(removeBaselinePlaces('', () => false)).toBe('');
  });

  test.each([
    ['{\n  "version": 1,\n  "accepted": [}', { kind: 'syntax', line: 3 }],
    ['{ "version": 2, "accepted": [] }', { kind: 'version', version: '2' }],
    ['{ "accepted": [] }', { kind: 'content', path: 'version' }],
    [
      '{ "version": 1, "accepted": [{ "instance": "x" }] }',
      { kind: 'content', path: 'accepted.0.datamodel' },
    ],
    ['[]', { kind: 'content', path: '' }],
  ])('that is broken is neither read nor changed: %s', (text, problem) => {
    for (const action of [
      () => readBaseline(text),
      () => addBaselineEntries(text, entries),
      () => removeBaselinePlaces(text, () => false),
    ]) {
      expect(action).toThrow(BaselineError);
      expect(action).toThrow(expect.objectContaining({ problem }));
    }
  });
});
