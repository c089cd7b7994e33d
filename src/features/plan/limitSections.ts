import * as vscode from 'vscode';
import type { PlanItem, PlanSection } from '../../webviews/protocol/planPage.ts';

/** The maximum number of items in a section: each adds an element to the page, and users do not read that many. */
const defaultMaxItems = 1000;

/** The maximum number of items in a section about access, so that the next section, what breaks, is not far below. */
export const maxAccessItems = 50;

/** A section with all its items, before they are limited. */
export interface UnlimitedSection extends Omit<PlanSection, 'count'> {
  readonly maxItems?: number;
}

/** Returns the sections that have items. The last item of a limited section shows how many are omitted. */
export const limitSections = (sections: readonly UnlimitedSection[]): readonly PlanSection[] =>
  sections
    .filter(({ items }) => items.length > 0)
    .map((section) => ({
      title: section.title,
      tone: section.tone,
      count: section.items.length,
      items: limitItems(section),
    }));

function limitItems({ items, maxItems = defaultMaxItems }: UnlimitedSection): readonly PlanItem[] {
  const omittedCount = items.length - maxItems;
  return omittedCount <= 0
    ? items
    : [...items.slice(0, maxItems), { icon: 'ellipsis', text: vscode.l10n.t('and {0} more', omittedCount) }];
}
