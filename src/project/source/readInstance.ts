import type { JsonObject } from '../../base/json.ts';
import { MessageError, createMessage } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import { sortByText } from '../../base/sortByText.ts';
import { getCubeSetRuleSubject, getRuleSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { readCompleteDatamodel } from '../../changes/model/readCompleteDatamodel.ts';
import { readCountedViewpoints } from '../../changes/model/readViewpointDocuments.ts';
import { getObjects, getText } from '../../changes/model/jsonMembers.ts';
import { HttpError } from '../../client/errors.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { readUsersAndGroups } from '../../connections/readUsersAndGroups.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { countUnreadable, toPartialResult } from '../../contract/partialResult.ts';
import type { InstanceDocuments } from '../instance/convertInstance.ts';
import type { ItemKey } from '../item.ts';
import { type LockItems, hasRulesInLock } from './lockItems.ts';
import { type Selection, isSelected } from './selection.ts';

/** A part of an instance that is read with requests of its own. */
export type InstancePart =
  | { readonly kind: 'datamodels' | 'viewpoints' | 'people' }
  | { readonly kind: 'datamodel' | 'rules'; readonly datamodel: string }
  | { readonly kind: 'cubeSetRules'; readonly cubeSet: string }
  | { readonly kind: 'customData'; readonly name: string };

/** A part of an instance that could not be read, and why. */
export interface UnreadPart {
  readonly part: InstancePart;
  readonly error: unknown;
}

/** The result of reading an instance. */
export interface InstanceReading {
  readonly documents: Omit<InstanceDocuments, 'numberedReferences'>;
  /** What could not be read; the rest was read completely. */
  readonly failedParts: readonly UnreadPart[];
  /** The identifiers of all datamodels and viewpoints that the instance lists, selected or not. */
  readonly listedIds: readonly string[];
  /**
   * False if viewpoints were selected, but the instance answered that it has no service for them. If the project has
   * viewpoints, `markMissingViewpointsUnread` doesn't trust this answer.
   */
  readonly offersViewpoints: boolean;
  /** Whether the instance listed all of its users and groups to this token. */
  readonly hasUserLists: boolean;
  readonly scope: ReadScope;
  /** Returns whether an item was selected to be read. */
  readonly isSelected: (key: ItemKey) => boolean;
  /**
   * Returns whether an item was not read, because it was not selected or the read failed: then it's unknown whether the
   * instance has it.
   */
  readonly isNotRead: (key: ItemKey) => boolean;
}

/** The token is not allowed to list the users and groups of the instance. */
export class MissingDirectoryError extends MessageError {
  override readonly name = 'MissingDirectoryError';

  constructor() {
    super(
      createMessage(
        "The instance doesn't list all users and groups for this token, but it did for the last pull. Use an administrator's token.",
      ),
    );
  }
}

/** A server returned fewer items than the total that it reported. */
export class IncompleteListError extends MessageError {
  override readonly name = 'IncompleteListError';

  constructor(count: number, total: number) {
    super(createMessage('The server returned {0} of {1}. Try again.', count, total));
  }
}

/** Options for reading an instance. */
export interface ReadOptions {
  readonly selection: Selection;
  readonly signal: AbortSignal;
  readonly log: Log;
  /**
   * What was last seen on the instance. If the instance listed its users and groups then, files may contain their
   * names. If it doesn't list them now, the users and groups count as unread.
   */
  readonly lock?: LockItems;
  /** Called when a part has been read. */
  readonly onProgress?: (readCount: number, total: number) => void;
  /** Called after each page of viewpoints, which are one of the parts; the total is what the server reports. */
  readonly onViewpointsRead?: (readCount: number, total: number | undefined) => void;
}

/**
 * Reads the selected resources of an instance: one request for the list of datamodels, two for each datamodel, one for
 * each cube set and each custom data object, and pages of 500 for viewpoints, users and groups. A part that can't be
 * read doesn't stop the others.
 * @throws ApiError if the datamodels can't be listed
 * @throws the reason of the signal if it is aborted
 */
export async function readInstance(client: PlatformClient, options: ReadOptions): Promise<InstanceReading> {
  const { signal } = options;
  const list = await toPartialResult(client.datamodels.listSummaries(signal).then(({ value }) => value));
  return new InstanceReader(client, options).read(list.value, {
    failure: countUnreadable(list) === 0 ? undefined : list.failure,
  });
}

class InstanceReader {
  readonly #client: PlatformClient;
  readonly #options: ReadOptions;
  readonly #unread: UnreadPart[] = [];
  #offersViewpoints = true;
  #readCount = 0;
  #total = 0;

  constructor(client: PlatformClient, options: ReadOptions) {
    this.#client = client;
    this.#options = options;
  }

  async read(
    listed: readonly Datamodel[],
    { failure }: { readonly failure: Error | undefined },
  ): Promise<InstanceReading> {
    const { selection } = this.#options;
    if (failure !== undefined) {
      this.#unread.push({ part: { kind: 'datamodels' }, error: failure });
    }
    const selected = listed.filter(({ title }) => selection.includesDatamodel(title));
    this.#total = selected.length + selection.cubeSets.length + selection.customData.size + 2;
    const [usersAndGroups, viewpoints, datamodels, cubeSets, customData] = await Promise.all([
      this.#countWhenRead(this.#readUsersAndGroups()),
      this.#countWhenRead(this.#readViewpoints()),
      Promise.all(selected.map((datamodel) => this.#countWhenRead(this.#readDatamodel(datamodel)))),
      Promise.all(
        selection.cubeSets.map((name) =>
          this.#countWhenRead(
            this.#readRules({ kind: 'cubeSetRules', cubeSet: name }, getCubeSetRuleSubject(name)).then(
              (rules) => ({ name, rules }),
            ),
          ),
        ),
      ),
      Promise.all(
        [...selection.customData].map(([name, filter]) =>
          this.#countWhenRead(this.#readCustomData(name, filter)),
        ),
      ),
    ]);
    const listedIds = [
      ...listed.map(({ oid }) => oid),
      ...(viewpoints ?? []).map(({ id }) => getText(id)).filter((id) => id !== ''),
    ];
    // Sorted, because the order in which parts fail depends on the order of the responses.
    const unread = sortByText(this.#unread, ({ part }) => formatPart(part));
    const scope: ReadScope = {
      listedIds,
      unreadParts: unread.map(({ part }) => part),
      listedTitles: listed.map(({ title }) => title),
      listedViewpoints: viewpoints?.map(({ name }) => getText(name)),
    };
    return {
      documents: {
        datamodels: datamodels.filter((datamodel) => datamodel !== undefined),
        cubeSets,
        customData: customData.filter((named) => named !== undefined),
        viewpoints: (viewpoints ?? []).filter(({ name }) => selection.includesViewpoint(getText(name))),
        users: usersAndGroups.users,
        groups: usersAndGroups.groups,
      },
      listedIds,
      offersViewpoints: this.#offersViewpoints,
      hasUserLists: usersAndGroups.isComplete,
      failedParts: unread,
      scope,
      isSelected: (key) => isSelected(selection, key),
      isNotRead: createNotReadCheck(selection, scope),
    };
  }

  async #countWhenRead<T>(reading: Promise<T>): Promise<T> {
    const value = await reading;
    this.#readCount += 1;
    this.#options.onProgress?.(this.#readCount, this.#total);
    return value;
  }

  async #readUsersAndGroups(): Promise<
    Pick<InstanceDocuments, 'users' | 'groups'> & { readonly isComplete: boolean }
  > {
    const { log, signal } = this.#options;
    const { users, groups, problem } = await readUsersAndGroups(this.#client, log, signal);
    signal.throwIfAborted();
    const isComplete = users?.isComplete === true && groups?.isComplete === true;
    if (problem !== undefined) {
      this.#unread.push({ part: { kind: 'people' }, error: problem });
    } else if (!isComplete && this.#options.lock?.hasDirectory === true) {
      this.#unread.push({ part: { kind: 'people' }, error: new MissingDirectoryError() });
    }
    return { users: users?.items ?? [], groups: groups?.items ?? [], isComplete };
  }

  /**
   * Returns the viewpoints; `undefined` if none are selected, the instance doesn't offer them, or they can't be read.
   */
  async #readViewpoints(): Promise<readonly JsonObject[] | undefined> {
    const { signal, selection, onViewpointsRead } = this.#options;
    if (!selection.hasViewpoints) {
      return undefined;
    }
    try {
      const { documents, total = 0 } = await readCountedViewpoints(
        this.#client,
        { with: ['details', 'visibility'] },
        signal,
        onViewpointsRead,
      );
      if (documents.length < total) {
        this.#unread.push({
          part: { kind: 'viewpoints' },
          error: new IncompleteListError(documents.length, total),
        });
        return undefined;
      }
      return documents;
    } catch (error) {
      signal.throwIfAborted();
      // Instances before L2023.11, or without the license, have no viewpoints (rest-api.md, "Versioning").
      this.#offersViewpoints = !(error instanceof HttpError && error.isNotFound);
      if (this.#offersViewpoints) {
        this.#unread.push({ part: { kind: 'viewpoints' }, error });
      }
      return undefined;
    }
  }

  async #readDatamodel(datamodel: Datamodel): Promise<InstanceDocuments['datamodels'][number] | undefined> {
    const { signal } = this.#options;
    const { title } = datamodel;
    const readDocument = async (): Promise<JsonObject | undefined> => {
      try {
        return await readCompleteDatamodel(this.#client, datamodel.oid, signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#unread.push({ part: { kind: 'datamodel', datamodel: title }, error });
        return undefined;
      }
    };
    const reading = readDocument();
    const [document, rules] = await Promise.all([
      reading,
      this.#readRules(
        { kind: 'rules', datamodel: title },
        getRuleSubject(datamodel),
        // A list of datamodels may leave out the times of builds.
        async () =>
          wasNeverBuilt(datamodel) &&
          wasNeverBuilt(await reading) &&
          !(this.#options.lock !== undefined && hasRulesInLock(this.#options.lock, datamodel)),
      ),
    ]);
    return document === undefined ? undefined : { document, rules };
  }

  /** @param mayBeMissing returns whether a 404 means that there are no rules */
  async #readRules(
    part: InstancePart,
    subject: RuleSubject,
    mayBeMissing: () => Promise<boolean> = async () => false,
  ): Promise<readonly JsonObject[]> {
    const { signal } = this.#options;
    const { liveRules, extractRules } = this.#client;
    try {
      const { json } =
        subject.kind === 'live'
          ? await liveRules.list(subject, signal)
          : await extractRules.list(subject, signal);
      return getObjects(json);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HttpError && error.isNotFound && (await mayBeMissing()))) {
        this.#unread.push({ part, error });
      }
      return [];
    }
  }

  /** Returns the custom data objects that match a filter; `undefined` if they can't be read. */
  async #readCustomData(
    name: string,
    filter: JsonObject,
  ): Promise<InstanceDocuments['customData'][number] | undefined> {
    const { signal } = this.#options;
    try {
      const { json } = await this.#client.customData.query(filter, signal);
      return { name, objects: getObjects(json) };
    } catch (error) {
      signal.throwIfAborted();
      this.#unread.push({ part: { kind: 'customData', name }, error });
      return undefined;
    }
  }
}

/**
 * Returns whether a datamodel was never built or published successfully. Before that, some instances answer 404 for its
 * rules (platform-facts.md, 3.1). `lastBuildTime` alone doesn't show it, because a failed build sets it, too.
 */
const wasNeverBuilt = (datamodel: Datamodel | JsonObject | undefined): boolean =>
  datamodel !== undefined &&
  !['lastSuccessfulBuildTime', 'lastPublishTime'].some((name) => datamodel[name]) &&
  (!datamodel['lastBuildTime'] || datamodel['lastSuccessfulBuildTime'] === null);

/** The parts of an instance that a reading covers. */
export interface ReadScope {
  /** The parts that could not be read. */
  readonly unreadParts: readonly InstancePart[];
  /** The identifiers of all datamodels and viewpoints that the instance lists, selected or not. */
  readonly listedIds: readonly string[];
  /** The titles of all datamodels that the instance lists. */
  readonly listedTitles: readonly string[];
  /** The names of all viewpoints; `undefined` if none were read. */
  readonly listedViewpoints: readonly string[] | undefined;
}

/** Creates {@link InstanceReading.isNotRead}. */
export function createNotReadCheck(
  selection: Selection,
  { unreadParts, listedTitles, listedViewpoints }: Omit<ReadScope, 'listedIds'>,
): (key: ItemKey) => boolean {
  const titles = new Set(listedTitles);
  const unreadKeys = new Set(unreadParts.map(formatPart));
  const isUnread = (part: InstancePart): boolean => unreadKeys.has(formatPart(part));
  // Without the names of parties, all of them would become numbers.
  const arePartiesUnread = isUnread({ kind: 'people' });
  return (key) => {
    if (!isSelected(selection, key)) {
      return true;
    }
    switch (key.kind) {
      case 'viewpoint':
        return listedViewpoints === undefined || arePartiesUnread;
      case 'cubeSetRules':
        return arePartiesUnread || isUnread({ kind: 'cubeSetRules', cubeSet: key.cubeSet });
      case 'customData':
        return (
          !selection.customData.has(key.name) ||
          arePartiesUnread ||
          isUnread({ kind: 'customData', name: key.name })
        );
      case 'datamodel':
      case 'dataset':
      case 'table':
      case 'tableExpression':
      case 'columnExpression':
      case 'relation':
      case 'rules': {
        const { datamodel } = key;
        return (
          (!titles.has(datamodel) && isUnread({ kind: 'datamodels' })) ||
          isUnread({ kind: 'datamodel', datamodel }) ||
          (key.kind === 'rules' && (arePartiesUnread || isUnread({ kind: 'rules', datamodel })))
        );
      }
    }
  };
}

function formatPart(part: InstancePart): string {
  switch (part.kind) {
    case 'datamodel':
    case 'rules':
      return JSON.stringify([part.kind, part.datamodel]);
    case 'cubeSetRules':
      return JSON.stringify([part.kind, part.cubeSet]);
    case 'customData':
      return JSON.stringify([part.kind, part.name]);
    case 'datamodels':
    case 'people':
    case 'viewpoints':
      return part.kind;
  }
}
