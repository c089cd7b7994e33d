import { english, type Localize } from '../../base/localize.ts';
import type { JsonDocumentKind } from './documentKind.ts';
import type { JsonDocument } from '../text/parseJsonTree.ts';
import { locateOffset } from './jsonLocation.ts';
import type { CompletionRequest } from './completionRequest.ts';
import type { LanguageContext, ProposalList } from './languageContext.ts';
import { completeRule } from './completeRule.ts';
import { completeViewpoint } from './completeViewpoint.ts';

const emptyProposals: ProposalList = { items: [], isComplete: true };

/**
 * Returns the completions at an offset, based on the datamodel and the instance. Keys and keywords come from the JSON
 * schema. The text may be incomplete. `t` translates the descriptions of the proposals.
 */
export function getJsonCompletions(
  kind: JsonDocumentKind,
  document: JsonDocument,
  offset: number,
  context: LanguageContext,
  t: Localize = english,
): ProposalList {
  const locatedDocument = locateOffset(document, offset);
  const { location } = locatedDocument;
  if (location === undefined || isNonTextValue(location.literal?.value)) {
    return emptyProposals;
  }
  const request: CompletionRequest = { locatedDocument, location, offset, context, t };
  return (
    (kind === 'viewpoint' ? completeViewpoint(request) : completeRule(request, kind === 'rules')) ??
    emptyProposals
  );
}

/** True for numbers, booleans and null: no proposal applies to these values. */
const isNonTextValue = (value: unknown): boolean => value !== undefined && typeof value !== 'string';
