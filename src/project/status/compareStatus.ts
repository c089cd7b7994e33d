import { isJsonObject } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import type { FileItem, Project } from '../files/project.ts';
import { orderAsPulled } from '../instance/contentOrder.ts';
import { type ConvertedInstance, convertInstance } from '../instance/convertInstance.ts';
import { type ItemKey, type ProjectItem, formatItemKey, getOwnerKeys } from '../item.ts';
import { assignPaths } from '../paths.ts';
import { createDerivedCheck } from '../compare/compareContents.ts';
import { type ContentMatch, matchContents } from '../compare/matchContents.ts';
import type { Lock, LockEntry } from '../pull/lock.ts';
import { isLastSeen, mergeItem } from '../pull/mergeItem.ts';
import { type PartHashes, getPartName } from '../compare/parts.ts';
import { type PullEntry, type PullUnit, createUnits, getEntries } from '../pull/pullUnits.ts';
import type { ItemStatus, SideState } from './itemStatus.ts';

/** What an instance has. */
export interface ServerState {
  readonly pulled: ConvertedInstance;
  /** True for what could not be read, can't be a file, or is not managed. */
  readonly isUnknown: (key: ItemKey) => boolean;
}

/** What a status is computed from. */
export interface StatusInput {
  readonly project: Project;
  readonly lock: Lock;
  /** `undefined` as long as the instance was not read. */
  readonly server: ServerState | undefined;
  readonly isManaged: (key: ItemKey) => boolean;
}

const nothingSeen: PartHashes = new Map();

const emptyInstance = convertInstance({
  datamodels: [],
  cubeSets: [],
  viewpoints: [],
  customData: [],
  users: [],
  groups: [],
  numberedParties: [],
});

/** An item that differs, with what it was compared from. */
export interface ComparedItem {
  readonly unit: PullUnit;
  readonly entry: PullEntry;
  readonly status: ItemStatus;
}

/** The items of a project with the states of their sides. */
export interface StatusComparison {
  readonly units: readonly PullUnit[];
  /** The items that differ, sorted by path. */
  readonly items: readonly ComparedItem[];
}

/**
 * Compares the items of a project with what the last pull has seen, and with what the instance has now if that is known.
 * Remembers the comparisons of contents: a second call compares only the contents that have changed.
 */
export class StatusComparer {
  /** Whether an item is what was last seen, for the last hashes that it was compared with. */
  readonly #seen = new WeakMap<ProjectItem, { readonly base: LockEntry; readonly isSeen: boolean }>();
  /** How the content of a file matches that of the instance that it was last compared with. */
  readonly #matches = new WeakMap<
    ProjectItem,
    { readonly theirs: ProjectItem; readonly match: ContentMatch }
  >();

  compare({ project, lock, server, isManaged }: StatusInput): StatusComparison {
    const pulled = server?.pulled ?? emptyInstance;
    const { units } = createUnits({ project, lock, pulled });
    const differing = units
      .flatMap((unit) => getEntries(unit).map((entry) => ({ unit, entry })))
      .filter(({ entry }) => isManaged(entry.key) && !project.isUnknown(entry.key))
      .flatMap(({ unit, entry }) => {
        const sides = this.#getSides(unit, entry, server);
        return sides === undefined ? [] : [{ unit, entry, ...sides }];
      });
    const paths = assignMissingPaths(
      project,
      differing.flatMap(({ entry }) => (entry.mine === undefined ? [entry.key] : [])),
    );
    const items = differing.map(({ unit, entry, ...sides }) => ({
      unit,
      entry,
      status: {
        key: entry.key,
        path: entry.mine?.path ?? paths.get(formatItemKey(entry.key)) ?? '',
        ...sides,
      },
    }));
    return { units, items: sortByText(omitImpliedDeletions(items), ({ status }) => status.path) };
  }

  /** Returns the states of both sides; `undefined` if nothing has changed, or both have the same. */
  #getSides(
    unit: PullUnit,
    entry: PullEntry,
    server: ServerState | undefined,
  ): Pick<ItemStatus, 'here' | 'server' | 'isConflict'> | undefined {
    const { mine, theirs, base } = entry;
    const here = this.#getState(mine, base, (item, { parts }) =>
      isLastSeen(orderAsPulled(item.key, item.content), selectParts(item, parts)),
    );
    if (server === undefined || server.isUnknown(entry.key)) {
      return here === 'unchanged' ? undefined : { here, server: 'unknown', isConflict: false };
    }
    const there = this.#getState(theirs, base, (item, { parts }) => isLastSeen(item.content, parts));
    const match =
      mine === undefined || theirs === undefined
        ? undefined
        : this.#match(mine, theirs, server.pulled.getPulledName);
    // An apply would change nothing, although the file doesn't have all that the instance has.
    const isApplied = match === 'applied' && base !== undefined;
    const changed = isApplied ? 'unchanged' : here;
    if (
      (mine === undefined && theirs === undefined) ||
      match === 'equal' ||
      (changed === 'unchanged' && there === 'unchanged')
    ) {
      return undefined;
    }
    const haveBothChanged = changed !== 'unchanged' && there !== 'unchanged';
    return { here: changed, server: there, isConflict: haveBothChanged && isInConflict(unit, entry) };
  }

  #getState<Item extends ProjectItem>(
    item: Item | undefined,
    base: LockEntry | undefined,
    isSeen: (item: Item, base: LockEntry) => boolean,
  ): SideState {
    if (item === undefined) {
      return base === undefined ? 'unchanged' : 'deleted';
    }
    if (base === undefined) {
      return 'added';
    }
    const cached = this.#seen.get(item);
    if (cached?.base === base) {
      return cached.isSeen ? 'unchanged' : 'changed';
    }
    const result = isSeen(item, base);
    this.#seen.set(item, { base, isSeen: result });
    return result ? 'unchanged' : 'changed';
  }

  #match(
    mine: FileItem,
    theirs: ProjectItem,
    getPulledName: ConvertedInstance['getPulledName'],
  ): ContentMatch {
    const cached = this.#matches.get(mine);
    if (cached?.theirs === theirs) {
      return cached.match;
    }
    const match = matchContents(mine, theirs, getPulledName);
    this.#matches.set(mine, { theirs, match });
    return match;
  }
}

/** Leaves out what was deleted together with the table or the datamodel that it belongs to. */
function omitImpliedDeletions(items: readonly ComparedItem[]): readonly ComparedItem[] {
  const sides = ['here', 'server'] as const;
  const deleted = new Set(
    items.flatMap(({ status }) =>
      sides
        .filter((side) => status[side] === 'deleted')
        .map((side) => `${side} ${formatItemKey(status.key)}`),
    ),
  );
  return deleted.size === 0
    ? items
    : items.filter(
        ({ status }) =>
          !sides.some(
            (side) =>
              status[side] === 'deleted' &&
              getOwnerKeys(status.key).some((owner) => deleted.has(`${side} ${formatItemKey(owner)}`)),
          ),
      );
}

/** Leaves out the hashes of members that a file doesn't have: on the instance, these members stay as they are. */
function selectParts({ content }: ProjectItem, parts: PartHashes): PartHashes {
  if (!isJsonObject(content)) {
    return parts;
  }
  return new Map(
    [...parts].filter(([pointer]) => Object.hasOwn(content, getPartName(pointer.split('/', 2).join('/')))),
  );
}

function isInConflict({ owner }: PullUnit, { key, mine, theirs, base }: PullEntry): boolean {
  if (mine === undefined || theirs === undefined) {
    return true;
  }
  // A table that was seen without SQL had none.
  const lastSeen = base?.parts ?? (owner.base === undefined ? undefined : nothingSeen);
  return (
    'conflicts' in
    mergeItem({
      mine: orderAsPulled(key, mine.content),
      lastSeen,
      theirs: theirs.content,
      isDerived: createDerivedCheck(key, mine.content, theirs.content),
    })
  );
}

const assignMissingPaths = (project: Project, keys: readonly ItemKey[]): ReadonlyMap<string, string> =>
  keys.length === 0 ? new Map() : assignPaths(keys, project.items);
