import { getJsonCompletions } from '../../../../src/json/language/complete.ts';
import type { LanguageContext, Proposal } from '../../../../src/json/language/languageContext.ts';
import type { JsonDocumentKind } from '../../../../src/json/language/documentKind.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { applyEdits, sortAndMergeEdits } from '../../../../src/base/textEdit.ts';
import { DatamodelLookup } from '../../../../src/viewpoints/datamodelLookup.ts';
import { catalog } from '../../viewpoints/support.ts';

export const context: LanguageContext = {
  model: new DatamodelLookup(catalog),
  instanceNames: {
    apps: [{ value: 'slack' }, { value: 'teams' }],
    groups: [{ value: '6a1', label: 'Sales', isId: true }, { value: 'Finance' }],
    users: [{ value: '6b1', label: 'Ada', isId: true }],
    datamodels: [
      { title: 'Retail', isLive: false, server: 'LocalHost' },
      { title: 'Sales "live"', isLive: true, server: 'LocalHost' },
    ],
    getMembers: (table, column) => (table === 'Orders' && column === 'Status' ? ['open', 'shipped'] : []),
  },
};

/** Removes the caret, which is written as `|`; returns the text and the offset of the caret. */
export function removeCaret(marked: string): { readonly text: string; readonly offset: number } {
  const offset = marked.indexOf('|');
  return { text: marked.slice(0, offset) + marked.slice(offset + 1), offset };
}

export function getProposalsAt(marked: string, kind: JsonDocumentKind = 'viewpoint'): readonly Proposal[] {
  const { text, offset } = removeCaret(marked);
  return getJsonCompletions(kind, parseJsonTree(text), offset, context).items;
}

export const getLabelsAt = (marked: string, kind?: JsonDocumentKind): readonly string[] =>
  getProposalsAt(marked, kind).map(({ label }) => label);

/** The text after accepting the proposal with that label. */
export function acceptProposal(marked: string, label: string, kind?: JsonDocumentKind): string {
  const found = getProposalsAt(marked, kind).find((proposal) => proposal.label === label);
  if (found === undefined) {
    throw new Error(`${label} is not among ${getLabelsAt(marked, kind).join(', ')}`);
  }
  const { start, end, insertText, additionalTextEdits = [] } = found;
  return applyEdits(
    removeCaret(marked).text,
    sortAndMergeEdits([{ start, end, newText: insertText }, ...additionalTextEdits]),
  );
}

/** A viewpoint with one column, which contains the caret. */
export const createViewpointText = (inner: string): string => `{"details": {"columns": [${inner}]}}`;

/** The text of the column in a text of {@link createViewpointText}. */
export const getColumnText = (text: string): string => text.slice(createViewpointText('').length - 3, -3);
