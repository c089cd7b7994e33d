import { ruleActionOf } from '../../changes/rules/ruleAction.ts';
import * as vscode from 'vscode';
import { type Preview, partyNames } from '../../changes/bulkRules/preview.ts';
import type { ChangeView, ShownChange } from '../../webviews/protocol/ruleChange.ts';
import { shownGrant } from '../../webviews/protocol/ruleText.ts';
import { changeRows } from '../../security/change/changeRows.ts';
import { columnKey } from '../../security/copy/columnMapping.ts';
import { previewProblems } from '../../changes/words/previewProblems.ts';
import type { ChangeSource } from './changeSource.ts';

const t = vscode.l10n.t;

/** A change as its page shows it. */
export function wordPreview(preview: Preview<ChangeSource>): ChangeView {
  const { source, choices, wanted, difference, found, operation } = preview;
  const nameOf = partyNames(preview);
  const posts = operation.writes.filter((write) => ruleActionOf(write) === 'create');
  return {
    title: source.title,
    from: source.from,
    scope: choices.scope,
    changes: changeRows(difference).map(({ kind, table, column, party, before, after }): ShownChange => {
      return {
        kind,
        column: `${table}.${column}`,
        party: { type: party.type, name: nameOf(party) ?? party.id ?? '' },
        before: before.map((grant) => shownGrant(grant, after)),
        after: after.map((grant) => shownGrant(grant, before)),
      };
    }),
    unchanged: difference.unchanged,
    problems: previewProblems(t, preview),
    found: found.groups,
    requests: {
      add: posts.length,
      delete: difference.deletes.length,
    },
    ...(wanted.mapping === undefined
      ? {}
      : {
          mapping: wanted.mapping.map(({ from, to, rules, by }) => ({
            key: columnKey(from),
            from: `${from.table}.${from.column}`,
            to: to === undefined ? '' : `${to.table}.${to.column}`,
            rules,
            by,
          })),
        }),
    ...(wanted.blocks === undefined || wanted.blocks === 0
      ? {}
      : { blocks: { rules: wanted.blocks, isRewritten: choices.isRewriting } }),
  };
}
