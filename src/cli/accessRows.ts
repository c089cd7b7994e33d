import type * as z from 'zod';
import type { AccessDescription } from '../changes/messages/describeAccess.ts';
import type { accessRowSchema } from './planOutputSchema.ts';

type AccessRow = z.infer<typeof accessRowSchema>;

const sectionEffects = ['gains', 'changes', 'loses'] as const;

/** Converts who gains and who loses access to rows of the machine-readable output, gains first. */
export function toAccessRows({ sections, viewpointItems, uncertainItems }: AccessDescription): AccessRow[] {
  const viewpoints = new Map(viewpointItems.map(({ item, viewpoints: names }) => [item, names] as const));
  return sections.flatMap(({ items }, index) =>
    items.map((item) => {
      const names = viewpoints.get(item);
      return {
        effect: sectionEffects[index] ?? 'changes',
        party: item.text,
        text: item.detail ?? '',
        ...(uncertainItems.has(item) ? { uncertain: true as const } : {}),
        ...(names === undefined ? {} : { viewpoints: [...names] }),
      };
    }),
  );
}

/** Formats the effects on access that were not computed. */
export const toUncheckedTexts = (items: AccessDescription['unchecked']): string[] =>
  items.map(({ text, detail = '' }) => `${text}: ${detail}`);

const effectTexts = {
  gains: 'gains access',
  changes: 'sees different data',
  loses: 'loses access',
} as const;

const uncertainTexts = {
  gains: 'might gain access',
  changes: 'might see different data',
  loses: 'might lose access',
} as const;

/** The titles of the effects. */
export const effectTitles = {
  gains: 'Gains access',
  changes: 'Access changes',
  loses: 'Loses access',
} as const;

/** Formats the text of a row below the title of its effect, which doesn't say that the effect is uncertain. */
export const formatRowText = ({ effect, text, viewpoints, uncertain }: AccessRow): string =>
  uncertain === true && viewpoints === undefined ? `${uncertainTexts[effect]}: ${text}` : text;

/** Formats who gains or loses access in one line. */
export const formatAccessRow = ({ effect, party, text, viewpoints, uncertain }: AccessRow): string =>
  viewpoints === undefined
    ? `! ${party} ${(uncertain === true ? uncertainTexts : effectTexts)[effect]}: ${text}`
    : `! ${effectTitles[effect]}: ${party}: ${text}`;
