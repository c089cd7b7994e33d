import type { Localize } from '../../base/localize.ts';
import type { LanguageContext, NamedEntity, ProposalList } from './languageContext.ts';
import { createValueProposal, getTypedText, limitProposals, omitListed } from './columnProposals.ts';
import type { LocatedDocument, JsonLocation } from './jsonLocation.ts';

/** The input of a completion: the document, the caret, and the names to propose. */
export interface CompletionRequest {
  readonly locatedDocument: LocatedDocument;
  readonly location: JsonLocation;
  readonly offset: number;
  readonly context: LanguageContext;
  /** Translates the descriptions of the proposals. */
  readonly t: Localize;
}

/** Creates proposals for string values, best first. */
export const createValueProposals = (
  { location }: CompletionRequest,
  values: readonly (readonly [word: string, detail: string])[],
): ProposalList => ({
  items: values.map(([value, detail], rank) =>
    createValueProposal(location, value, { kind: 'value', detail, rank }),
  ),
  isComplete: true,
});

/**
 * Creates proposals for users, groups, or apps that aren't in the list yet. Each shows the name, and inserts the value
 * that documents use.
 */
export function createNamedProposals(
  { locatedDocument, location, offset }: CompletionRequest,
  entities: readonly NamedEntity[],
): ProposalList {
  const getFilterText = ({ value, label }: NamedEntity): string =>
    label === undefined ? value : `${label} ${value}`;
  const typedText = getTypedText(locatedDocument, location, offset);
  const { items, isComplete } = limitProposals(
    omitListed(entities, location, ({ value }) => value),
    typedText,
    getFilterText,
  );
  return {
    items: items.map((entity, rank) => ({
      ...createValueProposal(location, entity.value, {
        kind: 'person',
        rank,
        detail: entity.label === undefined ? '' : entity.value,
      }),
      label: entity.label ?? entity.value,
      filterText: JSON.stringify(getFilterText(entity)),
    })),
    isComplete,
  };
}
