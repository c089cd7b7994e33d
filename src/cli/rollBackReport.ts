import { getRuleSubject, isSameSubject } from '../catalog/ruleSubject.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import {
  type UnrestorableItem,
  findRollBackLosses,
  selectUnrestorableItems,
} from '../changes/journal/unrestorableItems.ts';
import { getDoubtfulDocuments, getWrittenDocuments } from '../changes/journal/writtenDocuments.ts';
import { reconcile } from '../changes/run/reconcile.ts';
import { ConflictError, RulesRefusedError, type StoppedError } from '../changes/run/writeErrors.ts';
import { getObjects } from '../changes/model/jsonMembers.ts';
import { ApiError, HttpError } from '../client/errors.ts';
import { getRuleRefusal } from '../client/httpError.ts';
import type { PlatformClient } from '../client/platformClient.ts';
import type { Datamodel } from '../contract/datamodel.ts';
import { sortByText } from '../base/sortByText.ts';
import type { CommandContext } from './command.ts';
import type { Instance } from './instance.ts';
import { formatNames } from './itemLabels.ts';
import {
  formatPendingDocument,
  formatWrittenDocument,
  loadJournalNames,
  toDocumentOutput,
} from './writtenDocuments.ts';

type RestoreContext = Pick<CommandContext, 'output'> & { readonly instance: Pick<Instance, 'getSession'> };

/** Returns the titles of the datamodels that a change has deleted. */
const getDeletedTitles = (entry: HistoryEntry): readonly string[] =>
  getWrittenDocuments(entry).flatMap(({ action, kind, name }) =>
    action === 'delete' && kind === 'datamodel' ? [name] : [],
  );

/** Returns the titles of the datamodels whose tables a change has deleted. */
const getTitlesWithDeletedTables = (entry: HistoryEntry): readonly string[] =>
  getWrittenDocuments(entry).flatMap(({ action, kind, containerTitle }) =>
    action === 'delete' && kind === 'table' && containerTitle !== '' ? [containerTitle] : [],
  );

/** Joins texts in alphabetical order, without duplicates. */
export const joinSorted = (texts: readonly string[]): string =>
  sortByText([...new Set(texts)], (text) => text).join(', ');

/** What is different after a rollback than before the change. */
export interface RollBackDifferences {
  readonly unrestorable: readonly UnrestorableItem[];
  /** The names of what is restored with new IDs. */
  readonly newIds: readonly string[];
  /** The names of the viewpoints whose bookmarks are lost: those that were deleted, and those that the change created. */
  readonly lostBookmarks: readonly string[];
}

export const noDifferences: RollBackDifferences = { unrestorable: [], newIds: [], lostBookmarks: [] };

/**
 * Finds what would be different after a rollback of an interrupted change. If the response to its last write was lost, the
 * instance is asked whether it was applied.
 * @throws ApiError
 */
export async function previewRollBack(
  entry: HistoryEntry,
  instance: Pick<Instance, 'getSession'>,
): Promise<RollBackDifferences> {
  const { client } = await instance.getSession();
  try {
    return await findRollBackDifferences({
      ...entry,
      writeStates: await reconcile(entry, client, { willContinue: false }),
    });
  } catch (error) {
    if (!(error instanceof ConflictError)) {
      throw error;
    }
    // The rollback would be refused.
    return findRollBackDifferences(entry);
  }
}

/** Finds what is different after a rollback of a change, of which only writes count that are known to be done. */
export async function findRollBackDifferences(entry: HistoryEntry): Promise<RollBackDifferences> {
  const losses = await findRollBackLosses(entry);
  const created = getWrittenDocuments(entry).flatMap(({ action, kind, name }) =>
    action === 'create' && kind === 'viewpoint' ? [name] : [],
  );
  return {
    unrestorable: selectUnrestorableItems(losses),
    newIds: losses.flatMap(({ code, name }) =>
      code === 'new-id' ? [name] : code === 'new-rule-id' ? [`rules on ${name}`] : [],
    ),
    lostBookmarks: [...losses.flatMap(({ code, name }) => (code === 'bookmarks' ? [name] : [])), ...created],
  };
}

/**
 * Returns lines on what a rollback restores with new IDs, and whose bookmarks are lost.
 * @param options `isPreview`: nothing is rolled back yet
 */
export const describeReplacedItems = (
  { newIds, lostBookmarks }: Pick<RollBackDifferences, 'newIds' | 'lostBookmarks'>,
  { isPreview }: { readonly isPreview: boolean },
): readonly string[] => [
  ...(newIds.length === 0
    ? []
    : [`${isPreview ? 'Will get new IDs' : 'Have new IDs'}: ${formatNames(newIds)}.`]),
  ...(lostBookmarks.length === 0
    ? []
    : [
        `${isPreview ? 'Will be lost' : 'Lost'}: any bookmarks of the ${lostBookmarks.length === 1 ? 'viewpoint' : 'viewpoints'} ${formatNames(lostBookmarks)}.`,
      ]),
];

/**
 * Describes what a rollback can't restore, and how that affects who sees which data.
 * @param options `isPreview`: nothing is rolled back yet
 */
export function describeUnrestorableItems(
  items: readonly UnrestorableItem[],
  { isPreview = false }: { readonly isPreview?: boolean } = {},
): string {
  const broken = items.filter(({ code }) => code === 'broken');
  const unshared = items.filter(({ code }) => code === 'sharing');
  const waiting = items.filter((item) => !isPermanentlyLost(item));
  const intro = isPreview ? "Won't be restored" : 'Not restored';
  const names = joinSorted(
    waiting.map(({ name, code }) => (code === 'column-settings' ? `settings of ${name}` : name)),
  );
  const build = isPreview ? 'After the rollback, build' : 'Build';
  const remedy = waiting.every(({ code }) => code === 'column-settings')
    ? `${build} the datamodel, and apply the project again.`
    : `Until a relation exists, rules on one of its tables don't restrict the other, so more rows might be visible. ${build} the datamodel and apply the project again before you share it.`;
  return [
    ...(broken.length === 0
      ? []
      : [
          // The relations aren't named, since the journal may not contain the names of their tables.
          broken.length === 1
            ? "1 relation can't be restored because one of its columns had already been deleted."
            : `${broken.length} relations can't be restored because each of them had already lost a column.`,
        ]),
    ...(unshared.length === 0
      ? []
      : [
          `${intro}, because sharing requires an app and a user or group: the sharing of ${joinSorted(unshared.map(({ name }) => name))}.`,
        ]),
    ...(waiting.length === 0
      ? []
      : [`${intro}, because a build must create columns first: ${names}. ${remedy}`]),
  ].join(' ');
}

/**
 * Prints how much of a change a rollback has undone.
 * @param entry the change, as its journal is after the rollback
 * @param unrestorable what the rollback hasn't restored
 * @returns whether something may be left that the rollback hasn't undone, since the outcome of a request is unknown
 */
export async function reportRollBackResult(
  entry: HistoryEntry,
  unrestorable: readonly UnrestorableItem[],
  { instance, output }: RestoreContext,
): Promise<boolean> {
  const count = unrestorable.length;
  const isDoubtful = (['unverified', 'later'] as const).some(
    (doubt) => getDoubtfulDocuments(entry, doubt).length > 0,
  );
  const names = isDoubtful
    ? await readIfPossible(() => loadJournalNames([entry], instance, new AbortController().signal))
    : undefined;
  const unverified = getDoubtfulDocuments(entry, 'unverified', names)
    .map((document) => formatWrittenDocument(toDocumentOutput(document)))
    .join(', ');
  const later = describeLaterEffects(entry, names);
  if (count > 0) {
    output.printMessage(
      `The change was rolled back, except for ${count === 1 ? '1 item' : `${count} items`}.`,
      'warning',
    );
    output.printMessage(describeUnrestorableItems(unrestorable), 'warning');
  } else if (unverified === '') {
    output.printMessage('Done. The change was rolled back.');
  }
  if (unverified !== '') {
    output.printMessage(
      `${count === 0 ? 'The change was rolled back, except for requests whose outcome is unknown. They' : 'The outcome of other requests is unknown. They'} ${unverified}. Check that on the instance.`,
      'warning',
    );
  }
  if (later !== undefined) {
    output.printMessage(later);
  }
  return unverified !== '';
}

/** Names what an ended change might still write; `undefined` if nothing. */
export function describeLaterEffects(
  entry: HistoryEntry,
  names?: ReadonlyMap<string, string>,
): string | undefined {
  const documents = getDoubtfulDocuments(entry, 'later', names);
  return documents.length === 0
    ? undefined
    : `A request that has shown no effect so far might still take effect: ${documents.map(formatPendingDocument).join(', ')}.`;
}

/** Returns whether an item can't be restored later, either, so that the user has nothing left to do for it. */
export const isPermanentlyLost = ({ code }: UnrestorableItem): boolean =>
  code === 'broken' || code === 'sharing';

/**
 * Prints what must be built after a rollback: only a build restores the data of what was deleted and, on some
 * instances, the columns of custom tables (platform-facts.md, 2.2). A datamodel that had to be built before its rules
 * could be restored needs no other build.
 * @param entry the change that was rolled back
 */
export async function reportNeededBuilds(entry: HistoryEntry, context: RestoreContext): Promise<void> {
  const deleted = getDeletedTitles(entry);
  const datamodels =
    deleted.length === 0
      ? []
      : await readIfPossible(async () =>
          readDatamodels((await context.instance.getSession()).client, deleted),
        );
  const built = new Set(datamodels?.filter(isBuilt).map(({ title }) => title));
  const titles = joinSorted([
    ...deleted.filter((title) => !built.has(title)),
    ...getTitlesWithDeletedTables(entry),
  ]);
  if (titles !== '') {
    context.output.printMessage(
      `Build ${titles} afterward: what was restored has no data until then, and custom tables might have no columns.`,
      'warning',
    );
  }
}

const isBuilt = ({ lastBuildTime, lastSuccessfulBuildTime, lastPublishTime }: Datamodel): boolean =>
  [lastBuildTime, lastSuccessfulBuildTime, lastPublishTime].some(Boolean);

/**
 * Warns if a rollback stopped because a restored datamodel must be built before it can have rules: once it's built,
 * nothing restricts its rows until the rollback is finished.
 * @param entry the change that is being rolled back
 */
export async function warnOfMissingRules(
  entry: HistoryEntry,
  { cause }: Pick<StoppedError, 'cause'>,
  context: RestoreContext,
): Promise<void> {
  if (!(cause instanceof RulesRefusedError) || !needsBuild(cause)) {
    return;
  }
  const titles = (await readIfPossible(() => findTitlesWithoutRules(entry, context))) ?? ['A datamodel'];
  if (titles.length === 0) {
    return;
  }
  const isOne = titles.length === 1;
  context.output.printMessage(
    isOne
      ? `${joinSorted(titles)}: restored without data security rules. From its build until these are restored, everyone with access to it sees all rows. Before you share it, build it, and roll back again right after the build.`
      : `${joinSorted(titles)}: restored without data security rules. From their builds until these are restored, everyone with access to them sees all rows. Before you share them, build them, and roll back again right after the builds.`,
    'warning',
  );
}

const needsBuild = ({ refusedRules }: RulesRefusedError): boolean =>
  refusedRules.some(({ error }) => error instanceof ApiError && getRuleRefusal(error) === 'needs-build');

/**
 * Finds the datamodels that were deleted, exist again, and lack the rules that they had.
 * @throws ApiError
 */
async function findTitlesWithoutRules(
  entry: HistoryEntry,
  { instance }: RestoreContext,
): Promise<readonly string[]> {
  const { client } = await instance.getSession();
  const titles: string[] = [];
  for (const datamodel of await readDatamodels(client, getDeletedTitles(entry))) {
    if (hadRules(entry, datamodel) && !(await hasRules(client, datamodel))) {
      titles.push(datamodel.title);
    }
  }
  return titles;
}

function hadRules({ before }: HistoryEntry, datamodel: Datamodel): boolean {
  const subject = getRuleSubject(datamodel);
  return before.some(
    ({ ref, document }) =>
      ref.kind === 'rules' && isSameSubject(ref.subject, subject) && getObjects(document).length > 0,
  );
}

/**
 * Returns whether a datamodel has rules. Before its first build, some instances answer 404 (platform-facts.md, 3.1).
 */
async function hasRules(client: PlatformClient, datamodel: Datamodel): Promise<boolean> {
  const subject = getRuleSubject(datamodel);
  try {
    const { value } = await (subject.kind === 'live'
      ? client.liveRules.list(subject)
      : client.extractRules.list(subject));
    return value.length > 0;
  } catch (error) {
    if (error instanceof HttpError && error.isNotFound) {
      return false;
    }
    throw error;
  }
}

/** @throws ApiError */
async function readDatamodels(
  client: PlatformClient,
  titles: readonly string[],
): Promise<readonly Datamodel[]> {
  const { value } = await client.datamodels.list({});
  return value.filter(({ title }) => titles.includes(title));
}

/** Returns what a function reads; `undefined` if the instance couldn't be read. */
export async function readIfPossible<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    return undefined;
  }
}
