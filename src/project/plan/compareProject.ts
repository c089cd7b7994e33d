import { jsonEquals } from '../../base/canonicalJson.ts';
import type { JsonValue } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';
import type { Project } from '../files/project.ts';
import type { ConvertedInstance } from '../instance/convertInstance.ts';
import {
  createNotConvertedCheck,
  getBrokenRelations,
  getUnconvertedKeys,
} from '../instance/conversionResult.ts';
import {
  type ItemKey,
  type ItemKind,
  type ProjectItem,
  formatItemKey,
  getOwnerKeys,
  isBrokenRelation,
  renamedFromMember,
} from '../item.ts';
import type { Lock, LockEntry } from '../pull/lock.ts';
import { renameLockEntries } from '../pull/renamedEntries.ts';
import { compareContents, isCustomTable } from '../compare/compareContents.ts';
import type {
  Comparison,
  DifferenceNote,
  ExtraItem,
  ItemChange,
  PartChange,
  ServerChangeState,
} from '../compare/itemChange.ts';
import { getColumnsByName, normalizeContent, normalizeWanted } from '../compare/normalizeContent.ts';
import { renameParties } from '../compare/partyNames.ts';
import { type Renamer, deriveRenamer, getFormerKey } from '../pull/renames.ts';
import { isUnchangedSinceApply, isUnchangedSincePull, toInstancePart } from './unchangedParts.ts';
import { DeletionFactory, createLossCheck, isBuiltColumn, neverPulled } from './deletions.ts';

/** What can be deleted on an instance because the project doesn't have it: items, and columns of tables. */
export type PrunedKind = Exclude<ItemKind, 'tableExpression' | 'columnExpression'> | 'column';

/** What is compared. */
export interface CompareInput {
  readonly project: Project;
  readonly lock: Lock;
  readonly pulled: ConvertedInstance;
  /** Returns whether an item could not be read from the instance, or is not managed. Such an item is not changed. */
  readonly isUnknownOnInstance: (key: ItemKey) => boolean;
  /** Returns whether an item can't be compared because its content has users and groups that could not be read. */
  readonly hasUnreadParties?: (key: ItemKey) => boolean;
  readonly prunedKinds: ReadonlySet<PrunedKind>;
}

/** A comparison, and the renames that it took into account. */
export interface ProjectComparison extends Comparison {
  readonly renamer: Renamer;
  /**
   * Returns whether an item can't be compared: it could not be read in the project or on the instance, or is not
   * managed.
   */
  readonly isUncomparable: (key: ItemKey) => boolean;
}

/**
 * Compares the wanted state of a project with an instance. An item that could not be read in the project or on the
 * instance is never changed.
 */
export const compareProject = (input: CompareInput): ProjectComparison =>
  new ProjectComparer(input).compare();

class ProjectComparer {
  readonly #input: CompareInput;
  readonly #renamer: Renamer;
  /** The entries of the lock. Items that both the project and the instance have renamed have their new names. */
  readonly #lockEntries: Lock['entries'];
  readonly #deletions: DeletionFactory;
  readonly #isNotConverted: (key: ItemKey) => boolean;
  /** The items of the instance by their keys in the project. */
  readonly #current: ReadonlyMap<string, ProjectItem>;
  /** The contents of the tables of the project, by the texts of their keys. */
  readonly #wantedTables: ReadonlyMap<string, JsonValue>;
  /** The texts of the keys on the instance. */
  readonly #instanceKeys: ReadonlySet<string>;
  #changes: ItemChange[] = [];
  #extras: ExtraItem[] = [];
  readonly #notes: DifferenceNote[] = [];
  readonly #uncomparedItems: ItemKey[] = [];
  #unchangedCount = 0;

  constructor(input: CompareInput) {
    this.#input = input;
    this.#renamer = deriveRenamer({ ...input, items: input.project.items });
    this.#lockEntries = renameLockEntries(input.lock, input).entries;
    this.#deletions = new DeletionFactory(input.pulled.items, (key) => this.#getLockEntry(key));
    this.#isNotConverted = createNotConvertedCheck(input.pulled);
    this.#wantedTables = new Map(
      input.project.items
        .filter(({ key }) => key.kind === 'table')
        .map(({ key, content }) => [formatItemKey(key), content]),
    );
    this.#instanceKeys = new Set(input.pulled.items.map(({ key }) => formatItemKey(key)));
    this.#current = indexItemsByProjectKey(input.pulled.items, this.#renamer);
  }

  compare(): ProjectComparison {
    const { project, pulled } = this.#input;
    for (const item of project.items) {
      this.#compareItem(item);
    }
    const wanted = new Set(project.items.map(({ key }) => formatItemKey(key)));
    for (const item of pulled.items) {
      if (!wanted.has(formatItemKey(this.#renamer.toProjectKey(item.key)))) {
        this.#addInstanceOnlyItem(item);
      }
    }
    getBrokenRelations(pulled.notes).forEach(({ key }) => this.#addBrokenRelation(key));
    this.#keepRulesOfExtras();
    this.#addImpliedRelations();
    for (const key of getUnconvertedKeys(pulled.notes)) {
      if (!this.#input.isUnknownOnInstance(key)) {
        this.#notes.push({ code: 'unknown-party-type', key, pointer: '' });
      }
    }
    const sort = <Entry extends { readonly key: ItemKey }>(entries: readonly Entry[]): readonly Entry[] =>
      sortByText(entries, ({ key }) => formatItemKey(key));
    const extras = sort(this.#omitImplied(this.#extras));
    for (const { key } of extras.filter((extra) => isBrokenRelation(extra.key))) {
      this.#notes.push({ code: 'broken-relation', key, pointer: '' });
    }
    return {
      changes: sort(this.#omitImplied(this.#changes)),
      extraItems: extras,
      notes: sort(this.#notes),
      uncomparedItems: this.#uncomparedItems,
      unchangedCount: this.#unchangedCount,
      renamer: this.#renamer,
      isUncomparable: (key) =>
        this.#isUncomparable(key, ...getOwnerKeys(key)) || this.#input.hasUnreadParties?.(key) === true,
    };
  }

  #isUncomparable(...keys: readonly ItemKey[]): boolean {
    const { project, isUnknownOnInstance } = this.#input;
    return keys.some(
      (key) => isUnknownOnInstance(key) || project.mayBeInUnreadFile(key) || this.#isNotConverted(key),
    );
  }

  #compareItem({ key, content }: ProjectItem): void {
    const item = this.#current.get(formatItemKey(key));
    if (
      this.#isUncomparable(key, ...getOwnerKeys(key), ...(item === undefined ? [] : [item.key])) ||
      (item !== undefined && this.#input.hasUnreadParties?.(item.key) === true)
    ) {
      this.#uncomparedItems.push(key);
      return;
    }
    if (item !== undefined && this.#renamer.isEmpty && jsonEquals(content, item.content)) {
      // Most files are exactly as a pull wrote them, and normalizing takes longer than everything else.
      this.#unchangedCount += 1;
      return;
    }
    const file = renameParties(key, content, this.#input.pulled.getPulledName);
    if (item === undefined) {
      this.#changes.push({
        action: 'create',
        key,
        parts: [{ pointer: '', after: normalizeContent(key, file) }],
        // If the instance still has an item with this key, the project renames that item, such as the rules of a
        // renamed column.
        isChangedOnServer:
          this.#getLockEntry(key) !== undefined && !this.#instanceKeys.has(formatItemKey(key)),
      });
      this.#addCreationNote(key, content);
      return;
    }
    const isRenamed = formatItemKey(item.key) !== formatItemKey(key);
    const current = this.#normalizeCurrent(item);
    const table = item.key.kind === 'table' ? item.key : undefined;
    const lockEntry = this.#getLockEntry(item.key);
    const { parts, notes, extraColumns, expectedAdditions } = compareContents({
      key,
      wanted: normalizeWanted(key, file),
      current,
      getColumnName: (name) =>
        table === undefined ? name : this.#renamer.toProjectColumn(table.datamodel, table.table, name),
      prunesColumns: this.#input.prunedKinds.has('column'),
      isPartUnchanged: (part) =>
        lockEntry === undefined ||
        isUnchangedSincePull(toInstancePart(part), item, lockEntry.parts) ||
        isUnchangedSinceApply(toInstancePart(part), item.content, lockEntry),
    });
    this.#notes.push(...notes.map((note) => ({ ...note, key })));
    this.#extras.push(...extraColumns.map((column) => ({ key: item.key, column })));
    this.#addFormerNameNote(key, content);
    if (parts.length === 0 && !(isRenamed && isRenamable(key))) {
      this.#unchangedCount += 1;
      return;
    }
    const change: ItemChange = {
      action: 'update',
      key,
      ...(isRenamed ? { from: item.key } : {}),
      parts,
      ...(expectedAdditions.length === 0 ? {} : { expectedAdditions }),
      ...this.#getServerState(item, key, parts),
    };
    this.#changes.push(this.#deletions.addReplacedRules(this.#deletions.addDeletedSql(change, item.key)));
  }

  /** Returns the content of an item of the instance, with the names of the project in its references. */
  #normalizeCurrent({ key, content }: ProjectItem): JsonValue {
    const normalized = normalizeContent(key, content);
    return key.kind === 'datamodel' || key.kind === 'dataset' || key.kind === 'table'
      ? this.#renamer.renameReferences(key.datamodel, normalized)
      : normalized;
  }

  #addFormerNameNote(key: ItemKey, content: JsonValue): void {
    const former = getFormerKey(key, content);
    if (former !== undefined && this.#current.has(formatItemKey(former))) {
      this.#notes.push({ code: 'former-name', key, pointer: `/${renamedFromMember}` });
    }
  }

  /** Notes why an item that has a former name is created: the name may be misspelled. */
  #addCreationNote(key: ItemKey, content: JsonValue): void {
    const former = getFormerKey(key, content);
    if (former === undefined) {
      return;
    }
    const code = this.#instanceKeys.has(formatItemKey(former))
      ? 'former-name-in-use'
      : this.#hasRenameCandidates(key)
        ? 'former-name-missing'
        : 'first-apply';
    const formerName = former.kind === 'table' ? former.table : former.viewpoint;
    this.#notes.push({ code, key, pointer: `/${renamedFromMember}`, formerName });
  }

  /** Returns whether the instance has items that a new item could have been before. */
  #hasRenameCandidates({ kind, ...names }: ItemKey): boolean {
    return 'datamodel' in names
      ? this.#instanceKeys.has(formatItemKey({ kind: 'datamodel', datamodel: names.datamodel }))
      : this.#input.pulled.items.some(({ key }) => key.kind === kind);
  }

  /** Adds an item that only the instance has. */
  #addInstanceOnlyItem({ key, content }: ProjectItem): void {
    const projectKey = this.#renamer.toProjectKey(key);
    if (this.#isUncomparable(key, projectKey, ...getOwnerKeys(projectKey))) {
      this.#uncomparedItems.push(key);
    } else if (key.kind === 'tableExpression' || key.kind === 'columnExpression') {
      // The SQL of a column that the project doesn't have is not a separate difference.
      if (projectKey.kind !== 'columnExpression' || this.#wantsColumn(projectKey)) {
        this.#extras.push({ key });
      }
    } else if (this.#input.prunedKinds.has(key.kind) && !this.#hasUnconvertedRules(key)) {
      this.#changes.push(this.#deletions.createDeletion({ key, content }));
    } else {
      this.#extras.push({ key });
    }
  }

  /** Returns whether an item is a datamodel with rules that no file can contain: deleting it would hide their loss. */
  #hasUnconvertedRules(key: ItemKey): boolean {
    return (
      key.kind === 'datamodel' &&
      getUnconvertedKeys(this.#input.pulled.notes).some(
        (unconverted) => unconverted.kind === 'rules' && unconverted.datamodel === key.datamodel,
      )
    );
  }

  #wantsColumn({ datamodel, table, column }: Extract<ItemKey, { kind: 'columnExpression' }>): boolean {
    const key = formatItemKey({ kind: 'table', datamodel, table });
    return getColumnsByName(this.#wantedTables.get(key)).has(column);
  }

  #addBrokenRelation(key: ItemKey): void {
    if (this.#isUncomparable(key, ...getOwnerKeys(key))) {
      return;
    }
    if (this.#input.prunedKinds.has('relation')) {
      this.#changes.push(this.#deletions.createRelationDeletion(key));
    } else {
      this.#extras.push({ key });
    }
  }

  /**
   * Deletes the relations of deleted tables and columns as well: the platform doesn't accept that they lose a column.
   */
  #addImpliedRelations(): void {
    const losesColumn = createLossCheck(this.#changes);
    const implied = this.#extras.filter(({ key }) => losesColumn(key));
    this.#extras = this.#extras.filter((extra) => !implied.includes(extra));
    this.#changes.push(...implied.map(({ key }) => this.#deletions.createRelationDeletion(key)));
  }

  /**
   * Keeps the rules of columns that only the instance has and that are kept: otherwise, more of these columns would be
   * visible. In the names of `kept`, `undefined` stands for any datamodel, or for all columns of a table.
   */
  #keepRulesOfExtras(): void {
    const kept = new Set(
      this.#extras.flatMap(({ key, column }) =>
        key.kind === 'table'
          ? // A cube set has tables of any datamodel.
            [formatNames(key.datamodel, key.table, column), formatNames(undefined, key.table, column)]
          : [],
      ),
    );
    const isKept = ({ action, key }: ItemChange): boolean =>
      action === 'delete' &&
      (key.kind === 'rules' || key.kind === 'cubeSetRules') &&
      [undefined, key.column].some((column) =>
        kept.has(formatNames(key.kind === 'rules' ? key.datamodel : undefined, key.table, column)),
      );
    const keptChanges = new Set(this.#changes.filter(isKept));
    this.#extras.push(...[...keptChanges].map(({ key }) => ({ key })));
    this.#changes = this.#changes.filter((change) => !keptChanges.has(change));
  }

  /** Leaves out entries that belong to a datamodel or table that is itself deleted, or that only the instance has. */
  #omitImplied<Entry extends { readonly key: ItemKey; readonly action?: string }>(
    entries: readonly Entry[],
  ): readonly Entry[] {
    const owners = new Set(
      [...this.#changes, ...this.#extras]
        .filter((entry) => !('action' in entry) || entry.action === 'delete')
        .filter((entry) => !('column' in entry))
        .map(({ key }) => formatItemKey(key)),
    );
    return entries.filter(
      ({ key, action = 'delete' }) =>
        action !== 'delete' || !getOwnerKeys(key).some((owner) => owners.has(formatItemKey(owner))),
    );
  }

  #getLockEntry(key: ItemKey): LockEntry | undefined {
    return this.#lockEntries.get(formatItemKey(key));
  }

  #getServerState(
    { key, content }: ProjectItem,
    to: ItemKey,
    parts: readonly PartChange[],
  ): ServerChangeState & Pick<ItemChange, 'serverPointers'> {
    const entry = this.#getLockEntry(key);
    if (entry === undefined) {
      // If the lock has it under its name in the project, it was renamed on the instance since.
      return this.#getLockEntry(to) === undefined ? neverPulled : { isChangedOnServer: true };
    }
    const isGenerated = ({ pointer, before }: PartChange): boolean =>
      isCustomTable(content) && isBuiltColumn(pointer, before, entry.parts);
    const serverPointers = parts
      .filter((changed) => {
        const part = toInstancePart(changed);
        return !isGenerated(part) && !isUnchangedSincePull(part, { key, content }, entry.parts);
      })
      .map(({ pointer }) => pointer);
    return serverPointers.length === 0
      ? { isChangedOnServer: false }
      : { isChangedOnServer: true, serverPointers };
  }
}

/**
 * Returns items of the instance by the texts of their keys in the project. If two items have the same key, the one that
 * the project renames is returned: the instance may already have rules on the new name of a column, and these are not
 * the current rules of the column.
 */
export function indexItemsByProjectKey(
  items: readonly ProjectItem[],
  renamer: Renamer,
): ReadonlyMap<string, ProjectItem> {
  const index = new Map<string, ProjectItem>();
  for (const item of items) {
    const text = formatItemKey(renamer.toProjectKey(item.key));
    if (!index.has(text) || text !== formatItemKey(item.key)) {
      index.set(text, item);
    }
  }
  return index;
}

const formatNames = (...names: readonly (string | undefined)[]): string => JSON.stringify(names);

/** Returns whether a new name alone is a change. Other items get a new key only from a renamed table or column. */
const isRenamable = ({ kind }: ItemKey): boolean => kind === 'table' || kind === 'viewpoint';
