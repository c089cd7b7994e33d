import { unescapePointer } from '../../base/jsonPointer.ts';
import * as vscode from 'vscode';
import type { ProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { describeFinding } from './describeFinding.ts';
import { formatMessage } from '../../base/localize.ts';
import type { FilePosition, ProjectProblem } from '../../project/files/project.ts';
import type { ItemKey } from '../../project/item.ts';
import { findKeepReason, listDeletedKinds, wasPulled } from '../../project/apply/deletableItems.ts';
import { countRemainingDifferences } from '../../project/apply/finishApply.ts';
import { listNeededBuilds } from '../../project/apply/neededBuilds.ts';
import { splitUnreadFiles } from '../../project/apply/unreadFiles.ts';
import { isEverythingManaged } from '../../project/pull/unmanaged.ts';
import { describeUnmanaged } from '../../project/messages/describeUnmanaged.ts';
import { countKinds, describeExtraItems } from '../../project/messages/describeExtraItems.ts';
import {
  describeApplyProblem,
  describeDeferral,
  describeNeededVariables,
  describeDifference,
  describeKeepReason,
  describeNeededBuilds,
} from '../../project/messages/planTexts.ts';
import type { LocatedItem, LocatedSection } from '../../platform/locatedSections.ts';
import {
  type Comparison,
  type ExtraItem,
  type ServerChangeState,
  isInstanceOnly,
  isSetByInstance,
} from '../../project/compare/itemChange.ts';
import type { FindingCode } from '../../project/validate/finding.ts';
import { describeItemKind, getItemName } from '../../platform/projects/itemNames.ts';
import { describeUnreadPart } from './pullReport.ts';

const t = vscode.l10n.t;

/** The errors of a project that prevent the apply, or are ignored. */
type ProjectErrors = ReturnType<ProjectPlan['findErrors']>;

/** The maximum number of items that a section lists. */
const maxItems = 100;

/**
 * The parts of a section. The count is given if some items only describe others, so that it isn't the number of items.
 * The items must already be limited then.
 */
export type SectionContent = readonly [
  title: string,
  tone: LocatedSection['tone'],
  items: readonly LocatedItem[],
  count?: number,
];

/** Lists the items that a plan overwrites although their current version was never pulled into the project. */
export function createOverwrittenSections({ prepared }: ProjectPlan): readonly LocatedSection[] {
  const overwritten = listOverwritten(prepared.comparison);
  return createSections([
    [
      t('Changed on the server since the last pull, and will be overwritten, deleted, or created again'),
      'warning',
      overwritten.filter(({ isNeverPulled }) => isNeverPulled !== true).map(createOverwrittenItem),
    ],
    [
      t('Never pulled, and will be overwritten or deleted'),
      'warning',
      overwritten.filter(({ isNeverPulled }) => isNeverPulled === true).map(createOverwrittenItem),
    ],
  ]);
}

/** Returns the items that a plan overwrites or deletes although their current version was never pulled. */
const listOverwritten = ({ changes }: Pick<Comparison, 'changes'>): readonly OverwrittenItem[] =>
  changes
    .flatMap((change): readonly OverwrittenItem[] => [
      {
        ...change,
        pointers:
          change.isNeverPulled === true
            ? change.parts.map(({ pointer }) => pointer)
            : (change.serverPointers ?? []),
      },
      ...(change.deletedWith ?? []),
    ])
    .filter(({ isChangedOnServer }) => isChangedOnServer);

/**
 * Returns sentences on what a plan deletes, how many items it overwrites whose current version was never pulled, how
 * many need another apply, what to build before that, what exists only on the instance, and what isn't compared because
 * of "manage".
 */
export function createPlanNotes({
  prepared: { comparison, compiled },
  unmanaged,
  neededVariables,
}: ProjectPlan): readonly string[] {
  const overwrittenCount = listOverwritten(comparison).length;
  const deferredCount = compiled.deferred.length;
  const neededBuilds = listNeededBuilds({ comparison, compiled });
  const deletedKinds = listDeletedKinds({ comparison, compiled });
  const extras = describeExtraItems(t, countRemainingDifferences({ comparison }).extraItemKinds);
  return [
    ...(deletedKinds.length === 0 ? [] : [t('Will be deleted: {0}.', countKinds(t, deletedKinds))]),
    ...(overwrittenCount === 0
      ? []
      : [
          overwrittenCount === 1
            ? t(
                '1 item will be overwritten, deleted, or created again, although its current state on the server was never pulled.',
              )
            : t(
                '{0} items will be overwritten, deleted, or created again, although their current state on the server was never pulled.',
                overwrittenCount,
              ),
        ]),
    ...(deferredCount === 0
      ? []
      : [
          deferredCount === 1
            ? t('1 item needs another apply.')
            : t('{0} items need another apply.', deferredCount),
        ]),
    ...(neededBuilds.length === 0 ? [] : [describeNeededBuilds(t, neededBuilds)]),
    ...(neededVariables.length === 0 ? [] : [describeNeededVariables(t, neededVariables)]),
    ...(extras === '' ? [] : [extras]),
    ...(isEverythingManaged(unmanaged)
      ? []
      : [t('Only what "manage" in datamodel-studio.json selects was compared.')]),
  ];
}

/**
 * Lists what prevents the apply of a plan.
 * @param folder the folder of the project, for the links from errors to files
 */
export const createBlockingSections = (
  plan: ProjectPlan,
  errors: ProjectErrors,
  folder: vscode.Uri,
): readonly LocatedSection[] =>
  createSections([
    [
      t("Can't be applied"),
      'error',
      [
        ...plan.prepared.compiled.problems.map((problem) =>
          createKeyItem('error', problem.key, describeApplyProblem(t, problem)),
        ),
        ...errors.blocking
          // Files that can't be read are listed below, as not compared.
          .filter(({ code }) => contentCodes.has(code) || !code.startsWith('project/'))
          .map((finding) => createFileItem(folder, finding, describeFinding(finding))),
        ...listUncomparedItems(plan, folder),
      ],
    ],
  ]);

/**
 * Lists what a plan does not change, and why; the most important first.
 * @param folder the folder of the project, for the links from errors to files
 */
export function createUnchangedSections(
  { lock, operation, project, reading, limits, prepared, unmanaged }: ProjectPlan,
  errors: ProjectErrors,
  folder: vscode.Uri,
): readonly LocatedSection[] {
  const { comparison, compiled } = prepared;
  const toExtraItem = (extra: ExtraItem): LocatedItem => {
    const reason = findKeepReason(operation, extra);
    return createExtraItem(extra, reason && describeKeepReason(t, reason));
  };
  return createSections([
    [t('Not managed'), 'warning', describeUnmanaged(t, unmanaged).map((text) => createItem('warning', text))],
    [
      t('Ignored errors'),
      'warning',
      errors.ignored.map((finding) => createFileItem(folder, finding, describeFinding(finding))),
    ],
    [
      t('Errors also on the instance'),
      'warning',
      errors.existing.map((finding) => createFileItem(folder, finding, describeFinding(finding))),
    ],
    [
      t('Not compared'),
      'warning',
      splitUnreadFiles({ project, reading, limits }).outsideLimits.map((problem) =>
        createProblemItem(folder, problem),
      ),
    ],
    [t('Not in this apply'), 'warning', createDeferredItems(compiled.deferred), compiled.deferred.length],
    [t('Not renamed'), 'warning', comparison.notes.filter(isAboutFormerName).map(createNoteItem)],
    [
      t('Will still differ'),
      'plain',
      comparison.notes
        .filter((note) => !isAboutFormerName(note) && !isSetByInstance(note) && !isInstanceOnly(note))
        .map(createNoteItem),
    ],
    [t('Set by the instance'), 'plain', comparison.notes.filter(isSetByInstance).map(createNoteItem)],
    [
      t('Deleted in the project, kept on the instance'),
      'plain',
      comparison.extraItems.filter((extra) => wasPulled(lock, extra)).map(toExtraItem),
    ],
    [
      t('Only on the instance, kept'),
      'plain',
      [
        ...comparison.extraItems.filter((extra) => !wasPulled(lock, extra)).map(toExtraItem),
        ...comparison.notes.filter(isInstanceOnly).map(createNoteItem),
      ],
    ],
  ]);
}

/** Leaves out sections without items. */
export const createSections = (contents: readonly SectionContent[]): readonly LocatedSection[] =>
  contents.flatMap(([title, tone, items, count]) =>
    items.length === 0
      ? []
      : [
          {
            title,
            tone,
            count: count ?? items.length,
            items: count === undefined ? limitItems(items) : items,
          },
        ],
  );

/**
 * Lists the items that wait for a later apply. A reason that several items have in common is listed once, before them.
 */
const createDeferredItems = (
  deferred: ProjectPlan['prepared']['compiled']['deferred'],
): readonly LocatedItem[] =>
  [...Map.groupBy(deferred, (change) => describeDeferral(t, change))].flatMap(([text, changes]) =>
    changes.length === 1
      ? changes.map(({ key }) => createKeyItem('watch', key, text))
      : [createItem('info', text), ...limitItems(changes.map(({ key }) => createKeyItem('watch', key)))],
  );

/** The codes of errors of a project in the contents of files that can be read. */
const contentCodes: ReadonlySet<FindingCode> = new Set(['project/schema', 'project/plain-secret']);

/**
 * An item whose current version on the server will be lost. The pointers name the parts that will be lost; there are
 * none if that's the whole item.
 */
interface OverwrittenItem extends ServerChangeState {
  readonly key: ItemKey;
  readonly pointers?: readonly string[];
}

type DifferenceNote = ProjectPlan['prepared']['comparison']['notes'][number];

const isAboutFormerName = ({ code }: DifferenceNote): boolean =>
  code === 'former-name-missing' || code === 'former-name-in-use' || code === 'same-source';

const createExtraItem = ({ key, column }: ExtraItem, detail?: string): LocatedItem =>
  column === undefined
    ? createKeyItem('server', key, detail)
    : createItem(
        'server',
        `${getItemName(key)}.${column}`,
        t('Column of a table in {0}', getDatamodelTitle(key)),
      );

const createNoteItem = (note: DifferenceNote) =>
  createKeyItem(
    isAboutFormerName(note) ? 'warning' : 'info',
    note.key,
    [unescapePointer(note.pointer.slice(1)), describeDifference(t, note)]
      .filter((text) => text !== '')
      .join(': '),
  );

/** Returns why a plan can't be applied; `undefined` if it can. */
export function getBlockReason(plan: ProjectPlan, errors: ProjectErrors): string | undefined {
  return plan.prepared.compiled.problems.length + errors.blocking.length > 0
    ? t('The project has problems that prevent the apply.')
    : countUncompared(plan) > 0
      ? t("Some items can't be read, so nothing can be applied.")
      : undefined;
}

/** Lists what could not be compared after an apply, and why: whether it differs is unknown. */
export const createUncomparedSections = (
  plan: ComparedSides,
  folder: vscode.Uri,
): readonly LocatedSection[] =>
  createSections([[t('Not compared'), 'warning', listUncomparedItems(plan, folder)]]);

/** The two sides of a plan, and what of them could be compared. */
type ComparedSides = Pick<ProjectPlan, 'project' | 'reading' | 'limits' | 'prepared'>;

const countUncompared = (plan: ComparedSides): number => {
  const { pulled, itemsUnderOtherNames } = plan.prepared;
  return (
    plan.reading.failedParts.length +
    splitUnreadFiles(plan).withinLimits.length +
    pulled.conversionErrors.length +
    itemsUnderOtherNames.length
  );
};

/** Lists what could not be compared, and why. */
const listUncomparedItems = (
  { project, reading, limits, prepared: { pulled, itemsUnderOtherNames } }: ComparedSides,
  folder: vscode.Uri,
): readonly LocatedItem[] => [
  ...reading.failedParts.map((unread) => createItem('question', describeUnreadPart(unread))),
  ...splitUnreadFiles({ project, reading, limits }).withinLimits.map((problem) =>
    createProblemItem(folder, problem),
  ),
  ...pulled.conversionErrors.map(({ key, userMessage }) =>
    createKeyItem('question', key, formatMessage(t, userMessage)),
  ),
  ...itemsUnderOtherNames.map((key) =>
    createKeyItem('question', key, t("On the instance, it has a name that the project doesn't manage.")),
  ),
];

const createOverwrittenItem = ({ key, pointers = [] }: OverwrittenItem): LocatedItem =>
  createKeyItem('warning', key, pointers.map((pointer) => unescapePointer(pointer.slice(1))).join(', '));

const getDatamodelTitle = (key: ItemKey): string => ('datamodel' in key ? key.datamodel : '');

/** Creates the item of an item of the project, with its name, kind and location. */
const createKeyItem = (icon: string, key: ItemKey, detail = ''): LocatedItem =>
  createItem(icon, getItemName(key), [describeItemKind(key), ...(detail === '' ? [] : [detail])].join(' · '));

const createItem = (icon: string, text: string, detail = ''): LocatedItem => ({
  icon,
  text,
  ...(detail === '' ? {} : { detail }),
});

const createFileItem = (
  folder: vscode.Uri,
  { path, line, column }: FilePosition & { readonly path: string },
  message: string,
): LocatedItem => ({
  ...createItem('error', `${path}:${line}`, message),
  location: new vscode.Location(vscode.Uri.joinPath(folder, path), new vscode.Position(line - 1, column - 1)),
});

const createProblemItem = (folder: vscode.Uri, problem: ProjectProblem): LocatedItem =>
  createFileItem(folder, problem, formatMessage(t, problem.message));

const limitItems = (items: readonly LocatedItem[]): readonly LocatedItem[] =>
  items.length <= maxItems
    ? items
    : [...items.slice(0, maxItems), createItem('ellipsis', t('and {0} more', items.length - maxItems))];
