import * as vscode from 'vscode';
import type { HistoryEntry } from '../../changes/journal/entry.ts';
import { readStoppedDocuments } from '../../changes/journal/stoppedDocuments.ts';
import { type ConflictingItem, listConflictingItems } from '../../changes/run/conflictingItems.ts';
import { ConflictError } from '../../changes/run/writeErrors.ts';
import type { LocatedItem, LocatedSection } from '../../platform/locatedSections.ts';
import { resourceIcons } from '../../platform/resourceIcons.ts';
import { createStoppedSections, getLocatedLabel } from '../../platform/stoppedDocuments.ts';
import { formatRule } from '../../webviews/protocol/ruleFormat.ts';
import type { HistoryFeatureDeps } from './deps.ts';
import { loadNames } from './endInterruptedChange.ts';

const t = vscode.l10n.t;

/** The maximum number of items that a section lists. */
const maxItems = 100;

/**
 * Lists what others have changed, if that is why an interrupted change can't be ended, and how far the change got.
 * @param error the error that `awaitCompletion` has thrown
 */
export async function describeRefusal(
  deps: HistoryFeatureDeps,
  entry: HistoryEntry,
  error: unknown,
): Promise<readonly LocatedSection[]> {
  const { history } = await deps.changeServices();
  const { connectionId } = entry.operation;
  const names = await loadNames(deps, entry);
  const cause = error instanceof Error ? error.cause : undefined;
  const items = cause instanceof ConflictError ? listConflictingItems(entry, cause, names) : [];
  const progress = createStoppedSections(
    await readStoppedDocuments(history, { entryId: entry.id, connectionId }, names),
  );
  return items.length === 0
    ? progress
    : [
        {
          title: t('Changed by others'),
          tone: 'error',
          count: items.length,
          items: [
            ...items.slice(0, maxItems).map(toItem),
            ...(items.length > maxItems
              ? [{ icon: 'ellipsis', text: t('and {0} more', items.length - maxItems) }]
              : []),
          ],
        },
        ...progress,
      ];
}

function toItem({ subject, state }: ConflictingItem): LocatedItem {
  const { kind, name, within, rule } = subject;
  const label = getLocatedLabel({
    kind: kind === 'rule' ? 'columnRules' : kind,
    containerTitle: within.join(' › '),
  });
  return {
    icon: resourceIcons[kind],
    text: name === '' ? label : name,
    detail: [
      ...(name === '' ? [] : [label]),
      ...(rule === undefined ? [] : [formatRule(rule, t)]),
      stateLabels[state](),
    ].join(' · '),
    subject,
  };
}

const stateLabels: Readonly<Record<ConflictingItem['state'], () => string>> = {
  changed: () => t('changed'),
  created: () => t('created'),
  deleted: () => t('deleted'),
  missing: () => t('missing'),
};
