import { describe, expect, test } from 'vitest';
import type { JsonDocumentKind } from '../../../../src/json/language/documentKind.ts';
import { getDocumentFixes, getDocumentProblems } from '../../../../src/json/language/problems.ts';
import { findDatamodelTitle } from '../../../../src/json/language/datamodelTitle.ts';
import { parseJson } from '../../../../src/json/text/parseJson.ts';
import { applyEdits } from '../../../../src/base/textEdit.ts';
import { catalog, text, viewpoint } from '../../viewpoints/support.ts';

/** Each problem as its code and the marked text. */
const found = (kind: JsonDocumentKind, document: string): readonly string[] =>
  getDocumentProblems(kind, parseJson(document), catalog).map(({ finding, start, end }) => {
    const { code } = finding.documentType === 'viewpoint' ? finding.problem : finding.lint;
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

describe('marked ranges', () => {
  test('only the key of a multi-line value', () => {
    expect(found('viewpoint', viewpoint([text], { visibility: { apps: ['slack'] } }))).toEqual([
      'visibility-needs-party: "visibility"',
    ]);
    expect(found('viewpoint', viewpoint([{ ...text, dim: 'x' }]))).toEqual(['dim-mismatch: "dim": "x"']);
  });

  test('of rules: the property, or the object that lacks it', () => {
    expect(found('rule', JSON.stringify({ ...rule, allMembers: false }))).toEqual([
      'all-members-false: "allMembers":false',
    ]);
    expect(found('rule', JSON.stringify({ ...rule, column: 'State' }))).toEqual([
      'unknown-column: "column":"State"',
    ]);
    expect(found('rule', JSON.stringify({ ...rule, shares: [{ type: 'user' }] }, undefined, 1))).toEqual([
      'party-required: {',
    ]);
    expect(found('rule', JSON.stringify({ ...rule, members: undefined }))).toEqual(['members-required: {']);
  });
});

describe('rules', () => {
  test('a single rule in a file needs no default rule, several rules do', () => {
    expect(found('rule', JSON.stringify(rule))).toEqual([]);
    expect(found('rules', JSON.stringify([rule])).map((line) => line.split(':')[0])).toEqual([
      'no-default-rule',
    ]);
  });

  test.each(['', '{', 'null', '5', '[]', '[1, null]', '{"table": '])('%j has no problems', (document) => {
    expect(found('rule', document)).toEqual([]);
    expect(found('rules', document)).toEqual([]);
  });

  test('fixes change nothing but the problem, comments stay', () => {
    const document = `// who\n${JSON.stringify({ ...rule, allMembers: false }, undefined, 2)} // end`;
    const [problem] = getDocumentProblems('rule', parseJson(document), catalog);
    const [fix] =
      problem === undefined ? [] : getDocumentFixes('rule', parseJson(document), problem, catalog);
    expect(applyEdits(document, fix?.edits ?? [])).toBe(
      document.replace('"allMembers": false', '"allMembers": null'),
    );
  });

  test('a default rule is added behind the others', () => {
    const document = `[\n  ${JSON.stringify(rule)} // the only one\n]`;
    const [problem] = getDocumentProblems('rules', parseJson(document), catalog);
    const [fix] =
      problem === undefined ? [] : getDocumentFixes('rules', parseJson(document), problem, catalog);
    const after = applyEdits(document, fix?.edits ?? []);
    expect(after).toContain('// the only one');
    expect(found('rules', after)).toEqual([]);
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
  ] as const)('%s %s', (kind, document, title) => {
    const written = findDatamodelTitle(kind, parseJson(document));
    expect(written?.title).toBe(title);
    if (written !== undefined) {
      expect(document.slice(written.start, written.end)).toContain(title);
    }
  });
});
