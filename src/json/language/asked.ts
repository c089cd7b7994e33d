import type { LanguageContext, Named, Proposals } from './context.ts';
import { valueProposal } from './columnProposals.ts';
import type { Located, Place } from './place.ts';

/** What a completion is asked for. */
export interface Asked {
  readonly located: Located;
  readonly place: Place;
  readonly offset: number;
  readonly context: LanguageContext;
}

/** Plain words, the best first. */
export const wordProposals = (
  { place }: Asked,
  words: readonly (readonly [word: string, detail: string])[],
): Proposals => ({
  items: words.map(([word, detail], rank) => valueProposal(place, word, { kind: 'value', detail, rank })),
  isComplete: true,
});

/** People, groups or apps: shown by their name, written as the instance wrote them. */
export const namedProposals = ({ place }: Asked, all: readonly Named[]): Proposals => ({
  items: all.map(({ value, label }, rank) => ({
    ...valueProposal(place, value, { kind: 'person', rank, detail: label === undefined ? '' : value }),
    label: label ?? value,
    filterText: JSON.stringify(label === undefined ? value : `${label} ${value}`),
  })),
  isComplete: true,
});
