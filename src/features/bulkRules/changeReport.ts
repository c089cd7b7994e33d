import { getRuleAction } from '../../changes/rules/ruleAction.ts';
import * as vscode from 'vscode';
import { formatMarkdownTable, escapeMarkdownLine } from '../../base/markdown.ts';
import type { WriteState } from '../../changes/journal/entry.ts';
import { formatGrant, formatParty } from '../../webviews/protocol/ruleFormat.ts';
import type { AccessChangesView } from '../../webviews/protocol/planPage.ts';
import {
  type ChangeResultView,
  type ChangeView,
  type ChangeSummary,
  countChanges,
  type GrantSummary,
  hasNoMappedColumn,
} from '../../webviews/protocol/ruleChange.ts';
import type { Operation, Write } from '../../changes/model/operation.ts';

const t = vscode.l10n.t;

/** The outcome of a change of rules, with the details for its report. */
export interface ChangeOutcome {
  readonly result: ChangeResultView;
  /** The ID of its entry in the history. */
  readonly entryId: string;
  readonly operation: Operation;
  readonly writeStates: readonly WriteState[];
  readonly startedAt: number;
  readonly endedAt: number;
  /** How often the server asked to wait, and for how long in total. */
  readonly waits: { readonly count: number; readonly ms: number };
  /** How many of the server's rules differ from those that were sent; absent if this was not checked. */
  readonly differingCount?: number;
}

/**
 * Formats a change of rules as a Markdown report.
 * @param outcome absent for a preview, of which nothing was sent
 */
export function formatChangeReport(
  view: ChangeView,
  outcome: ChangeOutcome | undefined,
  now: number,
): string {
  const counts = countChanges(view.changes);
  return [
    `# ${escapeMarkdownLine(view.title)}`,
    '',
    ...formatMarkdownTable(
      ['', ''],
      [
        [t('Source'), view.source],
        [t('Time'), new Date(outcome?.startedAt ?? now).toISOString()],
        [t('Result'), outcome === undefined ? t('Preview: nothing was sent') : outcome.result.text],
        ...(outcome?.result.problem === undefined ? [] : [[t('Reason'), outcome.result.problem]]),
        [t('Added'), String(counts.add)],
        [t('Changed'), String(counts.change)],
        [t('Deleted'), String(counts.delete)],
        [t('Unchanged'), String(view.unchangedCount)],
        ...(outcome === undefined ? getPlannedRows(view) : getOutcomeRows(outcome)),
      ],
    ),
    ...(outcome === undefined ? [] : formatSteps(outcome)),
    ...(view.problems.length === 0
      ? []
      : [
          '',
          `## ${escapeMarkdownLine(t('Problems'))}`,
          '',
          ...view.problems.map(({ text }) => `- ${escapeMarkdownLine(text)}`),
        ]),
    ...(view.foundGroups.length === 0
      ? []
      : [
          '',
          `## ${escapeMarkdownLine(t('Groups found by name'))}`,
          '',
          ...formatMarkdownTable(
            [t('Name'), t('ID')],
            view.foundGroups.map(({ name, id }) => [name, id]),
          ),
        ]),
    ...(view.access === undefined ? [] : formatAccess(view.access)),
    '',
    `## ${escapeMarkdownLine(t('Changes'))}`,
    '',
    ...(view.changes.length === 0
      ? [
          escapeMarkdownLine(
            hasNoMappedColumn(view) ? t('Nothing to copy. No columns are mapped.') : t('No changes.'),
          ),
        ]
      : formatMarkdownTable(
          ['', t('Column'), t('User or group'), t('Before'), t('After')],
          view.changes.map(({ kind, column, party, before, after }) => [
            kindLabels[kind](),
            column,
            formatParty(party, t),
            formatGrants(before),
            formatGrants(after),
          ]),
        )),
    '',
  ].join('\n');
}

/** Formats who gains and who loses access; the items that the page leaves out are left out here, too. */
const formatAccess = ({ summary, sections }: AccessChangesView): readonly string[] => [
  '',
  `## ${escapeMarkdownLine(t('Who gains or loses access'))}`,
  '',
  escapeMarkdownLine(summary),
  ...sections.flatMap(({ title, count, items }) => [
    '',
    `### ${escapeMarkdownLine(`${title} (${count})`)}`,
    '',
    ...items.map(
      ({ text, detail }) => `- ${escapeMarkdownLine(detail === undefined ? text : `${text}: ${detail}`)}`,
    ),
  ]),
];

const getPlannedRows = ({ writeCounts }: ChangeView): readonly (readonly string[])[] => [
  [t('Rules deleted or replaced'), String(writeCounts.delete)],
  [
    t('Access during the change'),
    writeCounts.total > 1 ? t('never widens') : t('changes in a single request'),
  ],
];

const getOutcomeRows = ({
  startedAt,
  endedAt,
  waits,
  differingCount,
}: ChangeOutcome): readonly (readonly string[])[] => [
  [t('Duration in seconds'), ((endedAt - startedAt) / 1000).toFixed(1)],
  [
    t('Waits requested by the server'),
    t('{0}, {1} seconds in total', waits.count, (waits.ms / 1000).toFixed(1)),
  ],
  ...(differingCount === undefined
    ? []
    : [[t('Comparison with the server'), describeDifference(differingCount)]]),
];

/** Formats the steps of a change, with their results and errors. */
function formatSteps({ operation, writeStates }: ChangeOutcome): readonly string[] {
  return [
    '',
    `## ${escapeMarkdownLine(t('Steps'))}`,
    '',
    ...formatMarkdownTable(
      [t('Step'), t('Rules'), t('Result'), t('Reason')],
      operation.writes.map((write, index) => {
        const state = writeStates[index];
        const problem = state !== undefined && 'problem' in state ? (state.problem ?? '') : '';
        return [
          getStepName(write),
          formatRuleCount(write),
          stateLabels[state?.state ?? 'waiting'](),
          problem,
        ];
      }),
    ),
  ];
}

function getStepName(write: Write): string {
  const action = getRuleAction(write);
  return action === 'create' ? t('Add') : action === 'update' ? t('Change') : t('Delete');
}

function formatRuleCount({ body, batch }: Write): string {
  const lists = [body, batch?.ids].filter((list) => Array.isArray(list));
  return String(lists.length === 0 ? 1 : lists.reduce((sum, list) => sum + list.length, 0));
}

const stateLabels: Readonly<Record<WriteState['state'], () => string>> = {
  waiting: () => t('not sent'),
  sending: () => t('interrupted'),
  done: () => t('done'),
  failed: () => t('not completed'),
  unknown: () => t('outcome unknown'),
};

const kindLabels: Readonly<Record<ChangeSummary['kind'], () => string>> = {
  add: () => t('add'),
  change: () => t('change'),
  delete: () => t('delete'),
};

const formatGrants = (grants: readonly GrantSummary[]): string =>
  grants.map((grant) => formatGrant(grant, t)).join(' + ');

function describeDifference(differingCount: number): string {
  if (differingCount === 0) {
    return t('no differences');
  }
  return differingCount === 1 ? t('1 rule differs') : t('{0} rules differ', differingCount);
}
