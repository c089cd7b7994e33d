import type { LanguageContext, NamedEntity, ProposalList } from './context.ts';
import { createValueProposal } from './columnProposals.ts';
import type { LocatedDocument, JsonLocation } from './jsonLocation.ts';

/** The input of a completion: the document, the caret, and the names to propose. */
export interface CompletionRequest {
  readonly locatedDocument: LocatedDocument;
  readonly location: JsonLocation;
  readonly offset: number;
  readonly context: LanguageContext;
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

/** Creates proposals for users, groups or apps. Each shows the name, and inserts the value that documents use. */
export const createNamedProposals = (
  { location }: CompletionRequest,
  entities: readonly NamedEntity[],
): ProposalList => ({
  items: entities.map(({ value, label }, rank) => ({
    ...createValueProposal(location, value, {
      kind: 'person',
      rank,
      detail: label === undefined ? '' : value,
    }),
    label: label ?? value,
    filterText: JSON.stringify(label === undefined ? value : `${label} ${value}`),
  })),
  isComplete: true,
});
