import { type JsonDocumentKind } from './documentKind.ts';
import type { JsonDocument } from '../text/parseJson.ts';
import { locate } from './place.ts';
import type { LanguageContext, Proposals } from './context.ts';
import { completeRule } from './completeRule.ts';
import { completeViewpoint } from './completeViewpoint.ts';

const nothing: Proposals = { items: [], isComplete: true };

/**
 * What can be typed at a place, as far as the datamodel and the instance tell; keys and fixed words are the schema's
 * part. Works on half-typed text.
 */
export function completionsAt(
  kind: JsonDocumentKind,
  document: JsonDocument,
  offset: number,
  context: LanguageContext,
): Proposals {
  const located = locate(document, offset);
  const { place } = located;
  if (place === undefined || isNoText(place.literal?.value)) {
    return nothing;
  }
  const known = { located, place, offset, context };
  return (kind === 'viewpoint' ? completeViewpoint(known) : completeRule(known, kind === 'rules')) ?? nothing;
}

/** Numbers, true, false and null are no beginnings of a name. */
const isNoText = (value: unknown): boolean => value !== undefined && typeof value !== 'string';
