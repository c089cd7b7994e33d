import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import type { Operation, OperationCause, RequiredBuild } from '../../changes/model/operation.ts';
import type {
  BrokenReference,
  ChangedSubject,
  Plan,
  PlannedAccess,
  PlannedRule,
  PlanSubject,
  UncheckedPart,
} from '../../changes/model/plan.ts';
import type { PlanDiff, PlanItem, PlanSection, PlanView } from '../../webviews/protocol/planPage.ts';
import {
  formatGrant,
  formatParties,
  formatParty,
  formatRule,
  formatRuleChange,
  summarizeGrant,
} from '../../webviews/protocol/ruleFormat.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { resourceIcons } from '../../platform/resourceIcons.ts';
import { resourceKindLabels } from '../../platform/resourceKindLabels.ts';
import type { Grant } from '../../security/readRules.ts';
import { isSameValueSet } from '../../security/valueSet.ts';
import type { ChangedFile } from './deps.ts';
import { describeAccess } from '../../changes/messages/describeAccess.ts';
import { summarizeVisibleSubjects } from '../../changes/messages/visibleSubjects.ts';
import { formatRuleTitle } from '../../changes/messages/formatRuleTitle.ts';
import { formatBreak } from '../../changes/messages/formatBreak.ts';
import { formatFieldChange } from '../../changes/messages/formatFieldChange.ts';
import { describeDiffs } from './describeDiffs.ts';
import { namePlanParties } from './namePlanParties.ts';
import { limitSections, maxAccessItems, type UnlimitedSection } from './limitSections.ts';
import type { PartyRuleChange } from './pairReplacedRules.ts';
import { pairRules } from './pairRules.ts';

const t = vscode.l10n.t;

/** What a link of the page opens: a resource, a place in a file, or the dialog that starts a build. */
export type PlanLink = PlanSubject | vscode.Location | RequiredBuild;

/** A plan as shown on the page, and what its links open. */
export interface PlanDescription {
  readonly view: PlanView;
  readonly links: readonly PlanLink[];
}

/**
 * Describes a plan. Who gains access comes first, then what breaks, is deleted or could not be checked: these are the
 * reasons to show the plan.
 * @param access who gains and who loses access; `unknown` if that could not be read, `undefined` if the plan doesn't
 *   affect access
 * @param connection the target of the plan, shown first with its role; the user must type its name if it is a
 *   production instance
 * @param options.files the files that change together with the server
 * @param options.newlyVisible sentences on what becomes visible, which `access` doesn't contain; by default, on what
 *   the plan creates and no longer hides
 * @param options.isPartlyUnknown whether more access may change than `access` contains
 */
export function describePlan(
  originalPlan: Plan,
  access: PlannedAccess | 'unknown' | undefined,
  connection: Connection | undefined,
  {
    files = [],
    newlyVisible = typeof access === 'object' ? summarizeVisibleSubjects(originalPlan, t) : [],
    isPartlyUnknown = false,
  }: {
    readonly files?: readonly ChangedFile[];
    readonly newlyVisible?: readonly string[];
    readonly isPartlyUnknown?: boolean;
  } = {},
): PlanDescription & { readonly links: readonly PlanSubject[] } {
  const plan =
    access === undefined || access === 'unknown'
      ? originalPlan
      : namePlanParties(originalPlan, access.partyNames);
  const accessDescription =
    access === 'unknown' || (access === undefined && newlyVisible.length === 0 && !isPartlyUnknown)
      ? undefined
      : describeAccess(access ?? { subjects: [], partyNames: new Map() }, t, {
          deletesData: plan.deleted.some(({ kind }) => dataKinds.has(kind)),
          newlyVisible,
          isPartlyUnknown,
        });
  const [gains, changes, losses] = (accessDescription?.sections ?? []).map(
    (section): UnlimitedSection => ({ ...section, maxItems: maxAccessItems }),
  );
  const pairedRules = pairRules(plan);
  const links: PlanSubject[] = [];
  const toPlanItem = (subject: PlanSubject, detail?: string, diffs: readonly PlanDiff[] = []): PlanItem => ({
    icon: resourceIcons[subject.kind],
    text: formatName(subject),
    ...(detail === undefined || detail === '' ? {} : { detail }),
    ...(diffs.length === 0 ? {} : { diffs }),
    ...(subject.resource === undefined ? {} : { link: links.push(subject) - 1 }),
  });
  const sections: readonly UnlimitedSection[] = [
    ...(gains === undefined ? [] : [gains]),
    ...(changes === undefined ? [] : [changes]),
    {
      title: t('Will break'),
      tone: 'error',
      items: plan.breaks.map((breakage) => toPlanItem(breakage.referrer, describeBreak(breakage))),
    },
    {
      title: t('Will be deleted'),
      tone: 'warning',
      items: pairedRules.deleted.map((subject) => toPlanItem(subject, describeLocation(subject))),
    },
    {
      title: t('Not checked'),
      tone: 'warning',
      items: [
        ...plan.unchecked.map((part) => ({
          icon: 'question',
          text: uncheckedLabels[part](),
          detail: [
            plan.breaks.length > 0 ? t('more items might break') : t('some items might break'),
            ...(part === 'cubeSets' ? [getCubeSetRemedy()] : []),
          ].join(' · '),
        })),
        ...(access === 'unknown' ? [{ icon: 'question', text: t('Who gains or loses access') }] : []),
        ...(accessDescription?.unchecked ?? []),
      ],
    },
    ...(losses === undefined ? [] : [losses]),
    {
      title: t('Will be changed'),
      tone: 'plain',
      items: [
        ...pairedRules.changes.map((change) =>
          toPlanItem(change.column, `${change.column.within.join(' › ')} · ${formatPartyChange(change)}`),
        ),
        ...plan.changed.map((subject) => {
          const { diffs, others } = describeDiffs(subject.fields);
          const details = [
            describeChange({ ...subject, fields: others }),
            formatFollowingRules(pairedRules.movedRuleCounts.get(subject) ?? 0),
          ];
          return toPlanItem(subject, details.filter((text) => text !== '').join(' · '), diffs);
        }),
      ],
    },
    {
      title: t('Will be changed in workspace files'),
      tone: 'plain',
      items: files.map(({ name, detail }) => ({ icon: 'file', text: name, detail })),
    },
    {
      title: t('Will be created'),
      tone: 'plain',
      // A resource that does not exist yet cannot be opened.
      items: pairedRules.created.map(({ resource: _none, ...subject }) =>
        toPlanItem(subject, describeLocation(subject)),
      ),
    },
    createNextSteps(plan.builds),
  ];
  return {
    view: {
      ...describeTarget(plan.operation, connection),
      title: getOperationTitle(plan.operation),
      tone:
        plan.severity === 'harmless' &&
        [gains?.items, changes?.items, accessDescription?.unchecked].some((items = []) => items.length > 0)
          ? 'warning'
          : severityTones[plan.severity],
      summary: describeSummary(
        plan,
        pairedRules.deleted.length > 0,
        accessDescription?.summary ?? newlyVisible.join(' '),
      ),
      sections: limitSections(sections),
      footnotes: describeUnchangedFiles(plan),
      applyLabel: plan.breaks.length > 0 ? t('Apply Anyway') : t('Apply'),
      ...(connection?.role === 'production'
        ? {
            confirmation: {
              prompt: t('This is a production instance. Type {0} to confirm.', connection.name),
              name: connection.name,
            },
          }
        : {}),
    },
    links,
  };
}

/** Describes what an operation changes: the connection with its role, and the containers of the changed item. */
export function describeTarget(
  { subject }: Pick<Operation, 'subject'>,
  connection: Connection | undefined,
): Pick<PlanView, 'target'> {
  const target = [...(connection === undefined ? [] : [formatConnection(connection)]), ...subject.within];
  return target.length === 0
    ? {}
    : { target: { text: target.join(' › '), isProduction: connection?.role === 'production' } };
}

/** The kinds of resources that contain data. */
const dataKinds: ReadonlySet<PlanSubject['kind']> = new Set(['datamodel', 'dataset', 'table', 'column']);

/**
 * Lists the builds after which queries show the change.
 * @param links the links of the page, to which those that start the builds are added; absent as long as nothing was
 *   written
 */
const createNextSteps = (builds: Plan['builds'], links?: PlanLink[]): UnlimitedSection => ({
  title: t('Next steps'),
  tone: 'plain',
  items: builds.map((build) => ({
    icon: 'tools',
    text: build.type === 'publish' ? t('Publish {0}', build.title) : t('Build {0}', build.title),
    detail: t('required before queries show the change'),
    ...(links === undefined ? {} : { link: links.push(build) - 1 }),
  })),
});

/**
 * Returns the sections with what stays important once a plan has been applied: who might see more until the next build,
 * and what to build. None if there is nothing.
 * @param access who gains and who loses access; `undefined` if the plan had no effect on it
 * @param links the links of the page, to which those that start the builds are added
 */
export const describeNextSteps = (
  builds: Plan['builds'],
  access: PlannedAccess | 'unknown' | undefined,
  links: PlanLink[],
): readonly PlanSection[] =>
  limitSections([
    {
      title: t('Might be visible until the next build'),
      tone: 'warning',
      items: access === undefined || access === 'unknown' ? [] : describeAccess(access, t).untilBuild,
    },
    createNextSteps(builds, links),
  ]);

/** The operations that rename only on the server; the command Rename… also changes the files of the workspace. */
const serverOnlyRenames: ReadonlySet<OperationCause> = new Set(['save', 'undo', 'restore']);

/** Returns a note that SQL files still use the old name, if the operation renames something on the server only. */
const describeUnchangedFiles = ({ operation, changed }: Plan): readonly string[] =>
  serverOnlyRenames.has(operation.cause) &&
  changed.some(
    ({ kind, fields }) =>
      (kind === 'table' || kind === 'column') && fields.some(({ field }) => field === 'name'),
  )
    ? [t("References in SQL files in the workspace aren't updated.")]
    : [];

const severityTones = {
  harmless: 'info',
  unchecked: 'warning',
  destructive: 'warning',
  breaking: 'error',
} as const;

const formatName = ({ kind, name, within }: PlanSubject): string => {
  const label = name === '' ? resourceKindLabels[kind]() : name;
  const table = within.at(-1);
  return kind === 'column' && table !== undefined ? `${table}.${label}` : label;
};

/** Describes the location of an item. For a rule, adds its parties and access. */
function describeLocation({ within, rule }: Pick<PlanSubject, 'within' | 'rule'>): string {
  const location = within.join(' › ');
  return rule === undefined ? location : `${location} · ${formatRule(rule, t)}`;
}

/** Describes a change: for a rule, its access before and after, then other fields; otherwise the fields. */
function describeChange({ kind, within, rule, ruleAfter, fields }: ChangedSubject): string {
  if (rule === undefined || ruleAfter === undefined) {
    return fields.map((field) => formatFieldChange(field, kind, t)).join('; ');
  }
  const otherFields = fields
    .filter(({ field }) => !ruleGrantFields.has(field))
    .map((field) => formatFieldChange(field, kind, t));
  if (isSameRule(rule, ruleAfter)) {
    // The access doesn't change, as in a rename. It is shown to distinguish the rules on one column.
    return [...otherFields, describeLocation({ within, rule })].join('; ');
  }
  return [`${within.join(' › ')} · ${formatRuleChange(rule, ruleAfter, t)}`, ...otherFields].join('; ');
}

/** Says how many rules follow a renamed table or column. */
const formatFollowingRules = (count: number): string =>
  count === 0 ? '' : count === 1 ? t('1 rule follows the rename') : t('{0} rules follow the rename', count);

function isSameRule(a: PlannedRule, b: PlannedRule): boolean {
  const isSameGrant =
    a.grant === 'unclear' || b.grant === 'unclear' ? a.grant === b.grant : isSameValueSet(a.grant, b.grant);
  return isSameGrant && formatParties(a.parties, t, b.parties) === formatParties(b.parties, t, a.parties);
}

/** Describes what rules grant to one party before and after. */
export function formatPartyChange({ party, before, after }: Omit<PartyRuleChange, 'column'>): string {
  const formatGrants = (grants: readonly Grant[], otherGrants: readonly Grant[]): string =>
    grants.length === 0
      ? t('no rule')
      : grants.map((grant) => formatGrant(summarizeGrant(grant, otherGrants), t)).join(' + ');
  return `${formatParty(party, t)}: ${formatGrants(before, after)} → ${formatGrants(after, before)}`;
}

/** The fields that define the access that a rule grants. */
const ruleGrantFields: ReadonlySet<string> = new Set(['members', 'allMembers', 'exclusionary', 'shares']);

const formatConnection = ({ name, role }: Connection): string => t('{0} ({1})', name, getRoleLabel(role));

/** @param hasDeletions whether the plan shows deletions; a rule that is replaced is a change */
function describeSummary({ breaks, unchecked }: Plan, hasDeletions: boolean, accessSummary: string): string {
  const sentences = [
    accessSummary,
    breaks.length > 0
      ? breaks.length === 1
        ? t('1 item will break.')
        : t('{0} items will break.', breaks.length)
      : '',
    breaks.length === 0 && hasDeletions && unchecked.length === 0
      ? t('Nothing else depends on the deleted items.')
      : '',
    unchecked.length > 0 ? t("Some items that might break couldn't be checked.") : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/**
 * Describes what breaks; for a rule, adds its datamodel or cube set and its access, which its name does not contain.
 */
function describeBreak(breakage: BrokenReference): string {
  return [
    ...(breakage.referrerKind === 'rule' ? [describeLocation(breakage.referrer)] : []),
    formatBreak(breakage, t),
  ].join(' · ');
}

const uncheckedLabels: Readonly<Record<UncheckedPart, () => string>> = {
  datamodel: () => t('The datamodel'),
  rules: () => t('The data security rules'),
  viewpoints: () => t('The viewpoints'),
  cubeSets: () => t("Rules of cube sets that aren't listed in the project or the connection"),
};

const getCubeSetRemedy = (): string =>
  t(
    'If the instance has cube sets, add them to the connection with Add Cube Set…, or list them as "cubeSets" in datamodel-studio.json.',
  );

const titles: Readonly<Record<OperationCause, (name: string) => string>> = {
  save: (name) => t('Save {0}', name),
  create: (name) => t('Create {0}', name),
  duplicate: (name) => t('Duplicate {0}', name),
  delete: (name) => t('Delete {0}', name),
  rename: (name) => t('Rename {0}', name),
  hide: (name) => t('Hide {0}', name),
  unhide: (name) => t('Unhide {0}', name),
  'build-behaviour': (name) => t('Change the build settings of {0}', name),
  describe: (name) => t('Change the description of {0}', name),
  'change-connection': (name) => t('Change the connection of {0}', name),
  'extend-relation': (name) => t('Add a column to relation {0}', name),
  publish: (name) => t('Publish {0}', name),
  unpublish: (name) => t('Unpublish {0}', name),
  share: (name) => t('Share {0}', name),
  'quick-fix': (name) => t('Fix {0}', name),
  bulk: (name) => t('Change the rules of {0}', name),
  apply: (name) => t('Apply the project {0}', name),
  undo: (name) => t('Undo the change to {0}', name),
  restore: (name) => t('Restore {0}', name),
};

/** Returns the title of an operation, used for its plan and in messages. */
export function getOperationTitle(operation: Plan['operation']): string {
  const { cause, subject } = operation;
  return formatRuleTitle(t, operation, 'imperative') ?? titles[cause](subject.name);
}
