import { type JsonDocumentKind } from './documentKind.ts';
import type { JsonDocument } from '../text/parseJson.ts';
import { locateOffset } from './jsonLocation.ts';
import type { LanguageContext, ProposalList } from './context.ts';
import { completeRule } from './completeRule.ts';
import { completeViewpoint } from './completeViewpoint.ts';

const emptyProposals: ProposalList = { items: [], isComplete: true };

/**
 * Returns the completions at an offset, based on the datamodel and the instance. Keys and keywords come from the JSON
 * schema. The text may be incomplete.
 */
export function getJsonCompletions(
  kind: JsonDocumentKind,
  document: JsonDocument,
  offset: number,
  context: LanguageContext,
): ProposalList {
  const located = locateOffset(document, offset);
  const { place } = located;
  if (place === undefined || isNonTextValue(place.literal?.value)) {
    return emptyProposals;
  }
  const known = { located, place, offset, context };
  return (
    (kind === 'viewpoint' ? completeViewpoint(known) : completeRule(known, kind === 'rules')) ??
    emptyProposals
  );
}

/** True for numbers, booleans and null: no proposal applies to these values. */
const isNonTextValue = (value: unknown): boolean => value !== undefined && typeof value !== 'string';
