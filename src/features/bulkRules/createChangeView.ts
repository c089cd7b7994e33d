import * as vscode from 'vscode';
import { type Preview, createPartyNamer } from '../../changes/bulkRules/preview.ts';
import type { AccessChangesView } from '../../webviews/protocol/planPage.ts';
import type { ChangeView, ChangeSummary } from '../../webviews/protocol/ruleChange.ts';
import { summarizeGrant } from '../../webviews/protocol/ruleFormat.ts';
import { computeChangeRows } from '../../security/change/changeRows.ts';
import { getColumnKey } from '../../security/copy/columnMapping.ts';
import { getPreviewProblems } from '../../changes/messages/previewProblems.ts';
import type { ChangeSource } from './changeSource.ts';

const t = vscode.l10n.t;

/**
 * Converts the preview of a change to the view that its page shows.
 * @param access who gains and who loses access, if that is known
 */
export function createChangeView(
  preview: Preview<ChangeSource>,
  access: AccessChangesView | undefined,
): ChangeView {
  const { source, choices, sourceRules, difference, foundParties, operation } = preview;
  const getName = createPartyNamer(preview);
  return {
    title: source.title,
    source: source.sourceName,
    mode: choices.mode,
    changes: computeChangeRows(difference).map(
      ({ kind, table, column, party, before, after }): ChangeSummary => {
        return {
          kind,
          column: `${table}.${column}`,
          party: { type: party.type, name: getName(party) ?? party.id ?? '' },
          before: before.map((grant) => summarizeGrant(grant, after)),
          after: after.map((grant) => summarizeGrant(grant, before)),
        };
      },
    ),
    ...(access === undefined ? {} : { access }),
    unchangedCount: difference.unchangedCount,
    problems: getPreviewProblems(t, preview).map(({ location, fix, ...problem }) => ({
      ...problem,
      ...(location === undefined || source.openText === undefined ? {} : { hasLocation: true }),
      ...(fix === undefined || source.openText === undefined ? {} : { fix: fix.to }),
    })),
    foundGroups: foundParties.groups,
    writeCounts: {
      delete: difference.deletes.length,
      // One request may delete several rules.
      total: operation.writes.length,
    },
    ...(sourceRules.mapping === undefined
      ? {}
      : {
          mapping: sourceRules.mapping.map(
            ({ source: sourceColumn, target: targetColumn, ruleCount, matchedBy }) => ({
              key: getColumnKey(sourceColumn),
              sourceColumn: `${sourceColumn.table}.${sourceColumn.column}`,
              targetColumn: targetColumn === undefined ? '' : `${targetColumn.table}.${targetColumn.column}`,
              ruleCount,
              matchedBy,
            }),
          ),
        }),
    ...(sourceRules.exclusionCount === undefined || sourceRules.exclusionCount === 0
      ? {}
      : { exclusionRules: { count: sourceRules.exclusionCount, isRewritten: choices.rewritesExclusions } }),
  };
}
