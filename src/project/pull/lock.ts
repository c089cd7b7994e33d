import { join } from 'node:path';
import { type JsonObject, type JsonValue, getMember, isJsonObject, stringify } from '../../base/json.ts';
import { describeFileError } from '../../base/fileErrors.ts';
import { type Message, MessageError, createMessage } from '../../base/localize.ts';
import { compareTexts, sortByText } from '../../base/sortByText.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { getHashedStems, getPlainStem } from '../fileNames.ts';
import { findConflictMarker } from '../files/conflictMarkers.ts';
import { parseJsonFile } from '../files/jsonFile.ts';
import { getPosition } from '../files/project.ts';
import { type TextFile, readTextFile } from '../files/readTextFile.ts';
import { type ItemKey, parseItemKey } from '../item.ts';
import { type NumberedReference, numberedReferenceTypes } from '../instance/parties.ts';
import type { PartHashes } from '../compare/parts.ts';

/** The only version of the format that is read and written. */
const lockVersion = 1;

/** The last seen state of an item on an instance: as the last pull or apply that recorded it has found it there. */
export interface LockEntry {
  /** The identifier of the item on the instance. */
  readonly oid?: string;
  /** For a table: the identifiers of its columns, by name. */
  readonly columns?: Readonly<Record<string, string>>;
  readonly parts: PartHashes;
  /**
   * A hash of the content of the applied file, if the instance has stored something different, such as columns that it
   * derives from SQL. Only the status of a project reads it: pulls and plans compare contents.
   */
  readonly appliedFile?: string | undefined;
  /**
   * What the instance had after an apply in addition to `parts`, or different from them: what it may have set by itself
   * in items that the apply has created, and what it had in an item that was never pulled. Parts that others are known
   * to have added are not included.
   */
  readonly unpulledParts?: PartHashes | undefined;
  /**
   * For rules: true if another datamodel with the same title has replaced theirs since, and no pull or apply has found
   * these rules in it.
   */
  readonly isOfReplaced?: boolean | undefined;
}

/** The last seen state of the instance of an environment. Never contains names of people or secrets. */
export interface Lock {
  /** By the text of the key (`formatItemKey`). */
  readonly entries: ReadonlyMap<string, LockEntry>;
  /** The parties that files refer to by number. */
  readonly numberedReferences: readonly NumberedReference[];
  /** A hash of the instance's address; absent before the first pull. */
  readonly instance?: string;
  /** Whether the instance listed its users and groups. If so, names in files may come from these lists. */
  readonly hasDirectory?: boolean;
}

export const emptyLock: Lock = { entries: new Map(), numberedReferences: [] };

/** Why a lock file can't be used. It is not overwritten then. */
export type LockFault = 'unreadable' | 'broken' | 'newer-version' | 'unknown-format';

/** A lock file cannot be used. Its message says what to do. */
export class LockError extends MessageError {
  override readonly name = 'LockError';
  readonly fault: LockFault;
  /** The line of the lock file, if it is broken; the first one is 1. */
  readonly line: number | undefined;

  constructor(fault: LockFault, message: Message, line?: number) {
    super(message);
    this.fault = fault;
    this.line = line;
  }
}

/** Returns the path of the lock file of an environment, relative to the project. */
export const getLockPath = (environment: string): string =>
  `environments/${getPlainStem([[environment]]) ?? getHashedStems([[environment]])[0] ?? ''}.lock.json`;

/** Reads the text of the lock file of an environment. Never throws. */
export const readLockText = (folder: string, environment: string): Promise<TextFile> =>
  readTextFile(join(folder, getLockPath(environment)));

/**
 * Reads the lock file of an environment. It is empty if there is no file.
 * @param file the file, if it has been read already
 * @throws LockError
 */
export async function readLock(folder: string, environment: string, file?: TextFile): Promise<Lock> {
  const path = getLockPath(environment);
  const lockFile = file ?? (await readLockText(folder, environment));
  if ('text' in lockFile) {
    return parseLock(lockFile.text, path);
  }
  switch (lockFile.fault) {
    case 'missing':
      return emptyLock;
    case 'invalid-encoding':
      throw createBrokenError(path, 1);
    case 'unreadable':
      throw new LockError(
        'unreadable',
        createMessage("Can't read {0}. {1}", path, describeFileError(lockFile.code)),
      );
  }
}

const createBrokenError = (path: string, line: number): LockError =>
  new LockError(
    'broken',
    createMessage(
      "{0} isn't valid at line {1}. Restore it from version control, or delete it. If you delete it, values that differ become conflicts.",
      path,
      line,
    ),
    line,
  );

const createConflictError = (path: string, line: number): LockError =>
  new LockError(
    'broken',
    createMessage(
      '{0} has an unresolved merge conflict at line {1}. Keep the version of either branch, and then pull.',
      path,
      line,
    ),
    line,
  );

/**
 * Parses the text of a lock file.
 * @param path the path of the file, for messages
 * @throws LockError
 */
export function parseLock(text: string, path: string): Lock {
  const formattedLock = parseFormattedLock(text);
  if (formattedLock !== undefined) {
    return formattedLock;
  }
  const marker = findConflictMarker(text);
  if (marker !== undefined) {
    throw createConflictError(path, getPosition(text, marker).line);
  }
  const parsed = parseJsonFile(text);
  if ('fault' in parsed) {
    throw createBrokenError(path, getPosition(text, parsed.fault.offset).line);
  }
  const version = getMember(parsed.value, 'version');
  if (typeof version === 'number' && version > lockVersion) {
    throw new LockError(
      'newer-version',
      createMessage('{0} was written by a newer version of Datamodel Studio. Update Datamodel Studio.', path),
    );
  }
  const lock = version === lockVersion ? readLockValue(parsed.value) : undefined;
  const repeated = lock && findRepeatedNumber(lock);
  if (repeated !== undefined) {
    throw new LockError(
      'broken',
      createMessage(
        '{0} has the number {1} for two users or groups, probably because two branches were merged. Restore one of the versions from version control, and pull again.',
        path,
        repeated.number,
      ),
    );
  }
  if (lock === undefined) {
    throw new LockError(
      'unknown-format',
      createMessage(
        "{0} isn't a Datamodel Studio lock file. Restore it from version control, or delete it. If you delete it, values that differ become conflicts.",
        path,
      ),
    );
  }
  return lock;
}

/**
 * Parses a text that is exactly as {@link formatLock} writes it. Then it has no comments and no duplicate keys, so that
 * `JSON.parse` loses nothing. Returns `undefined` for any other text.
 */
function parseFormattedLock(text: string): Lock | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
  const lock = getMember(value, 'version') === lockVersion ? readLockValue(value) : undefined;
  return lock !== undefined &&
    findRepeatedNumber(lock) === undefined &&
    formatParsedLock(lock, value) === text
    ? lock
    : undefined;
}

/** Returns the text of a lock like {@link formatLock}, but with the items as parsed, which is much faster. */
const formatParsedLock = (lock: Lock, value: JsonValue): string =>
  formatLines(
    lock,
    Object.entries(getMember(value, 'items') ?? {}).map(
      ([key, entry]) => `${stringify(key)}: ${stringify(entry)}`,
    ),
  );

function findRepeatedNumber({ numberedReferences }: Lock): NumberedReference | undefined {
  const numbers = new Set<number>();
  return numberedReferences.find(({ number }) => {
    const isRepeated = numbers.has(number);
    numbers.add(number);
    return isRepeated;
  });
}

function readLockValue(value: JsonValue): Lock | undefined {
  const items = getMember(value, 'items');
  const bound = getMember(value, 'bound');
  const instance = getMember(value, 'instance');
  const hasDirectory = getMember(value, 'hasDirectory');
  if (!isJsonObject(items) || !isJsonArray(bound)) {
    return undefined;
  }
  const entries = Object.entries(items).map(([key, entry]) => [key, readLockEntry(key, entry)] as const);
  const parties = bound.map(readNumberedReference);
  const validEntries = entries.filter((entry): entry is [string, LockEntry] => entry[1] !== undefined);
  const validParties = parties.filter((party) => party !== undefined);
  return validEntries.length === entries.length && validParties.length === parties.length
    ? {
        entries: new Map(validEntries),
        numberedReferences: validParties,
        ...(typeof instance === 'string' ? { instance } : {}),
        ...(typeof hasDirectory === 'boolean' ? { hasDirectory } : {}),
      }
    : undefined;
}

/**
 * Returns the entry of a JSON value; `undefined` if it isn't one.
 * @param key the text of the key of the item
 */
export function readLockEntry(key: string, entry: JsonValue): LockEntry | undefined {
  const itemKey: ItemKey | undefined = parseItemKey(key);
  const oid = getMember(entry, 'oid');
  const columns = getMember(entry, 'columns');
  const parts = getMember(entry, 'parts');
  const appliedFile = getMember(entry, 'appliedFile');
  const unpulledParts = getMember(entry, 'unpulledParts');
  const isOfReplaced = getMember(entry, 'isOfReplaced') === true;
  return itemKey === undefined ||
    !isTextRecord(parts) ||
    (columns !== undefined && !isTextRecord(columns)) ||
    (unpulledParts !== undefined && !isTextRecord(unpulledParts)) ||
    (oid !== undefined && typeof oid !== 'string')
    ? undefined
    : {
        ...(oid === undefined ? {} : { oid }),
        ...(columns === undefined ? {} : { columns }),
        parts: new Map(Object.entries(parts)),
        ...(typeof appliedFile === 'string' ? { appliedFile } : {}),
        ...(unpulledParts === undefined ? {} : { unpulledParts: new Map(Object.entries(unpulledParts)) }),
        ...(isOfReplaced ? { isOfReplaced } : {}),
      };
}

const isTextRecord = (value: JsonValue | undefined): value is Readonly<Record<string, string>> =>
  value !== undefined &&
  isJsonObject(value) &&
  Object.values(value).every((member) => typeof member === 'string');

function readNumberedReference(value: JsonValue): NumberedReference | undefined {
  const [number, type, id] = ['number', 'type', 'id'].map((name) => getMember(value, name));
  const kind = numberedReferenceTypes.find((name) => name === type);
  return typeof number === 'number' && kind !== undefined && typeof id === 'string'
    ? { number, type: kind, id }
    : undefined;
}

/** Returns the text of a lock file: sorted, and one item per line, so that version control merges it. */
export const formatLock = (lock: Lock): string =>
  formatLines(
    lock,
    sortByText([...lock.entries], ([key]) => key).map(
      ([key, entry]) => `${stringify(key)}: ${formatLockEntry(entry)}`,
    ),
  );

/** Returns the text of a lock file with a line for each item. */
function formatLines(
  { numberedReferences, instance, hasDirectory }: Omit<Lock, 'entries'>,
  itemLines: readonly string[],
): string {
  const members = [
    `"version": ${lockVersion}`,
    ...(instance === undefined ? [] : [`"instance": ${stringify(instance)}`]),
    ...(hasDirectory === undefined ? [] : [`"hasDirectory": ${hasDirectory}`]),
  ];
  const numberedReferenceLines = numberedReferences
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, type, id }) => stringify({ number, type, id }));
  return `{
  ${members.join(',\n  ')},
  "bound": [${joinLines(numberedReferenceLines)}],
  "items": {${joinLines(itemLines)}}
}
`;
}

/** Returns the JSON of an entry; equal entries have equal texts. */
export const formatLockEntry = (entry: LockEntry): string => stringify(toLockEntryJson(entry));

/** Returns an entry as JSON, as {@link readLockEntry} reads it. */
export const toLockEntryJson = ({
  oid,
  columns,
  parts,
  appliedFile,
  unpulledParts,
  isOfReplaced,
}: LockEntry): JsonObject => ({
  ...(oid === undefined ? {} : { oid }),
  ...(columns === undefined
    ? {}
    : {
        columns: Object.fromEntries(Object.entries(columns).toSorted(([a], [b]) => compareTexts(a, b))),
      }),
  parts: Object.fromEntries(parts),
  ...(appliedFile === undefined ? {} : { appliedFile }),
  ...(unpulledParts === undefined ? {} : { unpulledParts: Object.fromEntries(unpulledParts) }),
  ...(isOfReplaced === true ? { isOfReplaced } : {}),
});

const joinLines = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n    ${lines.join(',\n    ')}\n  `;
