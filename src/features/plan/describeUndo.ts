import { formatFieldChange } from '../../changes/messages/formatFieldChange.ts';
import * as vscode from 'vscode';
import { joinNames } from '../../base/joinNames.ts';
import type { Connection } from '../../connections/connection.ts';
import type { LossCode } from '../../changes/model/undoWrites.ts';
import type { Plan, PlannedAccess, PlannedRule, PlanSubject } from '../../changes/model/plan.ts';
import type { LaterChange, UndoForReview } from '../../changes/run/planUndoForReview.ts';
import type { KeptPart } from '../../changes/run/keptChange.ts';
import type { NameConflict } from '../../changes/run/nameConflicts.ts';
import { resourceIcons } from '../../platform/resourceIcons.ts';
import type { PlanLaterChange, PlanNewName, PlanSection } from '../../webviews/protocol/planPage.ts';
import { formatRule } from '../../webviews/protocol/ruleFormat.ts';
import { describePlan, formatPartyChange, type PlanDescription } from './describePlan.ts';
import { pairReplacedRules } from './pairReplacedRules.ts';

const t = vscode.l10n.t;

/** The maximum number of names in a footnote; a datamodel may have a thousand tables and relations. */
const maxFootnoteNames = 15;

/** What the user does with an entry: the page names this action. Rolls back an unfinished change; restores otherwise. */
export type UndoAction = 'undo' | 'restore' | 'roll-back';

/** Describes an undo, a restore, or a rollback: its plan, what was changed since, the names in use, and what can't be restored. */
export function describeUndo(
  {
    undo,
    plan: ownPlan,
    access,
  }: {
    readonly undo: UndoForReview;
    readonly plan: Plan;
    readonly access: PlannedAccess | 'unknown' | undefined;
  },
  { title, action, note }: { readonly title: string; readonly action: UndoAction; readonly note: string },
  connection: Connection | undefined,
): PlanDescription {
  const plan = addKeptEffects(ownPlan, undo);
  const { view, links } = describePlan(plan, access, connection);
  const isEmpty = undo.operation.writes.length === 0;
  const applyLabel = applyLabels[action]();
  return {
    view: {
      ...view,
      title,
      summary: isEmpty ? t('No changes.') : `${view.summary} ${note}`.trimEnd(),
      tone: view.tone === 'info' && undo.laterChanges.length > 0 ? 'warning' : view.tone,
      sections: [...createLossSections(undo.losses), ...view.sections],
      laterChanges: undo.laterChanges.map(describeLaterChange),
      newNames: undo.nameConflicts.map(describeNewName),
      footnotes: [...describeNewIds(undo), ...(view.footnotes ?? [])],
      ...(isEmpty ? { blockedReason: describeNothing(action, undo.laterChanges.length > 0) } : {}),
      applyLabel: plan.breaks.length > 0 ? t('{0} Anyway', applyLabel) : applyLabel,
    },
    links,
  };
}

/** Adds what doesn't work because parts of the change stay to the plan of its undo. */
function addKeptEffects(plan: Plan, { keptEffects = { breaks: [], unchecked: [] } }: UndoForReview): Plan {
  const { breaks, unchecked } = keptEffects;
  return {
    ...plan,
    breaks: [...plan.breaks, ...breaks],
    unchecked: [...new Set([...plan.unchecked, ...unchecked])],
    severity:
      breaks.length > 0
        ? 'breaking'
        : plan.severity === 'harmless' && unchecked.length > 0
          ? 'unchecked'
          : plan.severity,
  };
}

const applyLabels: Readonly<Record<UndoAction, () => string>> = {
  undo: () => t('Undo'),
  restore: () => t('Restore'),
  'roll-back': () => t('Roll Back'),
};

/** Lists what an undo can't restore, in a section if there is anything. New IDs don't count. */
export function createLossSections(allLosses: UndoForReview['losses']): readonly PlanSection[] {
  const losses = allLosses.filter(isLost);
  return losses.length === 0
    ? []
    : [
        {
          title: t("Can't be restored"),
          tone: 'warning',
          count: losses.length,
          items: losses.map((loss) => ({ icon: 'circle-slash', text: describeLoss(loss) })),
        },
      ];
}

/** Describes why there is nothing to send. */
function describeNothing(action: UndoAction, hasLaterChanges: boolean): string {
  switch (action) {
    case 'undo':
      return hasLaterChanges ? t('Nothing to undo if you keep all later changes.') : t('Nothing to undo.');
    case 'restore':
      return hasLaterChanges
        ? t('Nothing to restore if you keep all later changes.')
        : t('Nothing to restore.');
    case 'roll-back':
      return hasLaterChanges
        ? t('Nothing to roll back if you keep all later changes.')
        : t('Nothing to roll back.');
  }
}

function describeLaterChange(change: LaterChange): PlanLaterChange {
  const {
    kind,
    name,
    within,
    isGone,
    fields,
    rules,
    keptRuleColumns = [],
    keptItems = [],
    keptParts = [],
    canOverwrite,
    isCreated,
    isOverwritten,
  } = change;
  const changedLines = [
    ...(isGone ? [t('No longer exists.')] : []),
    ...fields.map((field) => formatFieldChange(field, kind, t)),
  ];
  const lines = [
    ...(isCreated === true && changedLines.length === 0 ? [t('Changed.')] : changedLines),
    ...(isCreated === true
      ? [t("It didn't exist before the change to undo: unless you keep it, it will be deleted.")]
      : []),
    ...(rules === undefined ? [] : describeRules(change, rules)),
    // The rules on a column are one document, so keeping it also keeps the rules that no one has changed since.
    ...(rules !== undefined && canOverwrite && !isOverwritten
      ? [t('If you keep this, no rule on {0} will be restored.', name)]
      : []),
    ...(keptParts.length === 0
      ? []
      : [
          t(
            'If you keep this, these parts of the change stay, too: {0}.',
            joinNames(keptParts.map(formatKeptPart), t, maxFootnoteNames),
          ),
        ]),
    ...(keptRuleColumns.length === 0
      ? []
      : [
          t(
            'If you keep this, the rules on these columns stay as they are now: {0}.',
            joinNames(keptRuleColumns, t, maxFootnoteNames),
          ),
        ]),
    ...(keptItems.length === 0
      ? []
      : [
          t(
            'If you keep this, these tables and relations stay as they are now, because they may protect it: {0}.',
            joinNames(keptItems, t, maxFootnoteNames),
          ),
        ]),
  ];
  return {
    icon: resourceIcons[kind],
    text: name,
    ...(within.length === 0 ? {} : { location: within.join(' › ') }),
    lines: lines.length === 0 ? [t('Changed.')] : lines,
    canOverwrite,
    ...(isCreated === true ? { isDeletion: true } : {}),
    isOverwritten,
  };
}

/** Describes a part of a change that isn't undone. SQL is too long to be shown in a sentence. */
function formatKeptPart({ subject: { kind, name }, action, fields }: KeptPart): string {
  switch (action) {
    case 'created':
      return t('{0} (new)', name);
    case 'deleted':
      return t('{0} (deleted)', name);
    case 'changed': {
      const changes = fields.map((change) =>
        change.texts === undefined ? formatFieldChange(change, kind, t) : change.field,
      );
      return `${name} (${changes.join('; ')})`;
    }
  }
}

/** Describes the rules of a column before and now, party by party where both have rules. */
function describeRules(
  { name, within }: LaterChange,
  { before, now }: NonNullable<LaterChange['rules']>,
): readonly string[] {
  const toSubjects = (rules: readonly PlannedRule[]): readonly PlanSubject[] =>
    rules.map((rule) => ({ kind: 'rule', name, within, rule }));
  const { changes, deleted, created } = pairReplacedRules({
    deleted: toSubjects(before),
    created: toSubjects(now),
  });
  const unpairedRules = changes.length > 0 ? { deleted: [], created: [] } : { deleted, created };
  return [
    ...changes.map(formatPartyChange),
    ...unpairedRules.deleted.flatMap(({ rule }) =>
      rule === undefined ? [] : [t('{0} → no rule', formatRule(rule, t))],
    ),
    ...unpairedRules.created.flatMap(({ rule }) =>
      rule === undefined ? [] : [t('new: {0}', formatRule(rule, t))],
    ),
  ];
}

const describeNewName = ({ name, newName, isInvalid }: NameConflict): PlanNewName => ({
  label: t('{0} already exists. Restore under a different name:', name),
  name: newName,
  ...(isInvalid
    ? { problem: newName.trim() === '' ? t('Enter a name.') : t('{0} is already in use.', newName) }
    : {}),
});

type Loss = UndoForReview['losses'][number];

/** The names of what is restored, but gets a new ID. */
const newIdLabels = {
  'new-id': (name: string) => name,
  'new-rule-id': (name: string) => t('rules on {0}', name),
} as const satisfies Partial<Readonly<Record<LossCode, (name: string) => string>>>;

type NewIdCode = keyof typeof newIdLabels;
type LostCode = Exclude<LossCode, NewIdCode>;

const hasNewId = (loss: Loss): loss is Loss & { readonly code: NewIdCode } => loss.code in newIdLabels;

const isLost = (loss: Loss): loss is Loss & { readonly code: LostCode } => !hasNewId(loss);

/** Lists the items that get new IDs. */
export function describeNewIds({ losses }: Pick<UndoForReview, 'losses'>): readonly string[] {
  const names = [...new Set(losses.filter(hasNewId).map(({ code, name }) => newIdLabels[code](name)))];
  if (names.length === 0) {
    return [];
  }
  const list = names.slice(0, maxFootnoteNames).join(', ');
  const moreCount = names.length - maxFootnoteNames;
  return [
    moreCount > 0
      ? t('New IDs are assigned to: {0}, and {1} more', list, moreCount)
      : t('New IDs are assigned to: {0}', list),
  ];
}

const lossMessages: Readonly<Record<LostCode, (name: string) => string>> = {
  broken: (name) => t('Relation {0} was already missing a column', name),
  bookmarks: (name) => t('The bookmarks of {0}', name),
  'needs-build': (name) => t('{0} needs columns that the next build creates', name),
  'missing-column': (name) => t("Relation {0}, because a column that it joins isn't restored", name),
  'missing-accumulation': (name) => t("The accumulation of {0}, because its column isn't restored", name),
  'column-settings': (name) => t('The settings of the column {0}, which the next build creates', name),
  sharing: (name) => t('The sharing of {0}, because sharing requires an app and a user or group', name),
  settings: (name) => t('The sharing and the schedule of {0}', name),
  'not-identified': (name) => t("{0} was created, but the server didn't return its ID", name),
  unknown: (name) => t("It's unknown whether a request for {0} succeeded", name),
};

const describeLoss = ({ code, name }: Loss & { readonly code: LostCode }): string => lossMessages[code](name);
