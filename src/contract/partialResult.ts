import { type JsonValue, isJsonObject } from '../base/json.ts';

/** An item of an answer that is not what the contract says; the other items are. */
export interface UnreadableItem {
  /** Where in the answer the item lies, as keys and indices. */
  readonly path: readonly (string | number)[];
  /** Where in the item it is wrong, and what was expected there. */
  readonly at: readonly (string | number)[];
  readonly expected: string | undefined;
  /** The item as it came. It is shown and copied, and never sent. */
  readonly item: JsonValue;
}

/** What could be read of an answer, and what could not. */
export interface PartialResult<T> {
  readonly value: T;
  readonly unreadable: readonly UnreadableItem[];
  /** How many more items cannot be read; of a great many only the first are told. */
  readonly omittedCount?: number | undefined;
  /** What the answer failed with for whoever needs all of it; only where something is unreadable. */
  readonly failure?: Error | undefined;
}

/** An error of an answer that could be read in part. */
interface PartialReadError extends Error {
  readonly readable: PartialResult<unknown>;
}

const isPartialReadError = (error: unknown): error is PartialReadError =>
  error instanceof Error && 'readable' in error;

/**
 * What could be read of an answer, for whoever shows it. Whoever reckons with it needs all of it, and awaits the answer
 * itself, which rejects where a part cannot be read.
 * @throws what the answer throws where nothing of it can be read
 */
export async function toPartialResult<T>(asking: Promise<T>): Promise<PartialResult<T>> {
  try {
    return { value: await asking, unreadable: [] };
  } catch (error) {
    if (isPartialReadError(error)) {
      return { ...(error.readable as PartialResult<T>), failure: error };
    }
    throw error;
  }
}

/**
 * All of an answer.
 * @throws what the answer failed with where a part of it could not be read
 */
export async function requireComplete<T>(reading: Promise<PartialResult<T>>): Promise<T> {
  const { value, unreadable, failure } = await reading;
  if (unreadable.length > 0) {
    throw failure ?? new Error('A part could not be read');
  }
  return value;
}

/** What could not be read of an answer. */
export type UnreadableItems = Pick<PartialResult<unknown>, 'unreadable' | 'omittedCount'>;

/** How many items of an answer could not be read, told or not. */
export const countUnreadable = ({ unreadable, omittedCount = 0 }: UnreadableItems): number =>
  unreadable.length + omittedCount;

/** What an unreadable item calls itself, as far as it can be told. */
export function getUnreadableName({ item }: UnreadableItem): string | undefined {
  if (!isJsonObject(item)) {
    return undefined;
  }
  const word = (key: string): string | undefined => {
    const value = item[key];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const [table, column] = [word('table'), word('column')];
  const dimension = table === undefined || column === undefined ? undefined : `${table}.${column}`;
  return word('title') ?? word('name') ?? dimension ?? word('oid') ?? word('_id') ?? word('id');
}
