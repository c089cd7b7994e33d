import { describe, expect, test } from 'vitest';
import type { JsonDocumentKind } from '../../../../src/json/language/documentKind.ts';
import { getDocumentFixes, getDocumentProblems } from '../../../../src/json/language/problems.ts';
import { findDatamodelTitle } from '../../../../src/json/language/datamodelTitle.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { catalog, textColumn, createViewpoint } from '../../viewpoints/support.ts';

/** Each problem as its code and the underlined text. */
const getProblemTexts = (kind: JsonDocumentKind, document: string): readonly string[] =>
  getDocumentProblems(kind, parseJsonTree(document), catalog).map(({ finding, start, end }) => {
    const { code } = finding.linter === 'viewpoint' ? finding.viewpointProblem : finding.ruleFinding;
    return `${code}: ${document.slice(start, end)}`;
  });

const rule = {
  elasticube: 'Retail',
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members: ['open'],
  allMembers: null,
  shares: [{ type: 'group', party: '6a1' }],
};

describe('underlined ranges', () => {
  test('are only the key of a multi-line value', () => {
    expect(
      getProblemTexts('viewpoint', createViewpoint([textColumn], { visibility: { apps: ['slack'] } })),
    ).toEqual(['visibility-needs-party: "visibility"']);
    expect(getProblemTexts('viewpoint', createViewpoint([{ ...textColumn, dim: 'x' }]))).toEqual([
      'dim-mismatch: "dim": "x"',
    ]);
  });

  test('of rules are the property, or the first character of the object that lacks it', () => {
    expect(getProblemTexts('rule', JSON.stringify({ ...rule, allMembers: false }))).toEqual([
      'all-members-false: "allMembers":false',
    ]);
    expect(getProblemTexts('rule', JSON.stringify({ ...rule, column: 'State' }))).toEqual([
      'unknown-column: "column":"State"',
    ]);
    expect(
      getProblemTexts('rule', JSON.stringify({ ...rule, shares: [{ type: 'user' }] }, undefined, 1)),
    ).toEqual(['party-required: {']);
    expect(getProblemTexts('rule', JSON.stringify({ ...rule, members: undefined }))).toEqual([
      'members-required: {',
    ]);
  });
});

describe('rules', () => {
  test('a rule document needs no default rule, a list of rules does', () => {
    expect(getProblemTexts('rule', JSON.stringify(rule))).toEqual([]);
    expect(getProblemTexts('rules', JSON.stringify([rule])).map((line) => line.split(':')[0])).toEqual([
      'no-default-rule',
    ]);
  });

  test.each(['', '{', 'null', '5', '[]', '[1, null]', '{"table": '])('%j has no problems', (document) => {
    expect(getProblemTexts('rule', document)).toEqual([]);
    expect(getProblemTexts('rules', document)).toEqual([]);
  });

  test('a fix changes only the value with the problem, and keeps comments', () => {
    const document = `// who\n${JSON.stringify({ ...rule, allMembers: false }, undefined, 2)} // end`;
    const [problem] = getDocumentProblems('rule', parseJsonTree(document), catalog);
    const [fix] =
      problem === undefined ? [] : getDocumentFixes('rule', parseJsonTree(document), problem, catalog);
    expect(applyEdits(document, fix?.edits ?? [])).toBe(
      document.replace('"allMembers": false', '"allMembers": null'),
    );
  });

  test('a fix adds the default rule after the others', () => {
    const document = `[\n  ${JSON.stringify(rule)} // the only one\n]`;
    const [problem] = getDocumentProblems('rules', parseJsonTree(document), catalog);
    const [fix] =
      problem === undefined ? [] : getDocumentFixes('rules', parseJsonTree(document), problem, catalog);
    const after = applyEdits(document, fix?.edits ?? []);
    expect(after).toContain('// the only one');
    expect(getProblemTexts('rules', after)).toEqual([]);
  });
});

describe('the datamodel named by a document', () => {
  test.each([
    [
      'viewpoint',
      '{"details": {"datasource": {"title": "Retail", "fullname": "LocalHost/Other"}}}',
      'Retail',
    ],
    ['viewpoint', '{"details": {"datasource": {"fullname": "LocalHost/Re tail"}}}', 'Re tail'],
    ['viewpoint', '{"details": {"datasource": {"fullname": "live:a/b"}}}', 'a/b'],
    ['viewpoint', '{"details": 5}', undefined],
    ['rule', '{"elasticube": "Retail"}', 'Retail'],
    ['rule', '{"fullname": "live:Sales"}', 'Sales'],
    ['rules', '[{"elasticube": "a"}, {"elasticube": "a"}]', 'a'],
    ['rules', '[{"elasticube": "a"}, {"elasticube": "b"}]', undefined],
    ['rules', 'nothing', undefined],
  ] as const)('is found in a %s: %s', (kind, document, title) => {
    const titleInDocument = findDatamodelTitle(kind, parseJsonTree(document));
    expect(titleInDocument?.title).toBe(title);
    if (titleInDocument !== undefined) {
      expect(document.slice(titleInDocument.start, titleInDocument.end)).toContain(title);
    }
  });
});
