import { type JsonValue, isJsonObject } from '../base/json.ts';

/** An item of an answer that is not what the contract says; the other items are. */
export interface Unreadable {
  /** Where in the answer the item lies, as keys and indices. */
  readonly path: readonly (string | number)[];
  /** Where in the item it is wrong, and what was expected there. */
  readonly at: readonly (string | number)[];
  readonly expected: string | undefined;
  /** The item as it came. It is shown and copied, and never sent. */
  readonly item: JsonValue;
}

/** What could be read of an answer, and what could not. */
export interface Readable<T> {
  readonly value: T;
  readonly unreadable: readonly Unreadable[];
  /** How many more items cannot be read; of a great many only the first are told. */
  readonly untold?: number | undefined;
  /** What the answer failed with for whoever needs all of it; only where something is unreadable. */
  readonly failure?: Error | undefined;
}

/** An error of an answer that could be read in part. */
interface PartlyRead extends Error {
  readonly readable: Readable<unknown>;
}

const isPartlyRead = (error: unknown): error is PartlyRead => error instanceof Error && 'readable' in error;

/**
 * What could be read of an answer, for whoever shows it. Whoever reckons with it needs all of it, and awaits the answer
 * itself, which rejects where a part cannot be read.
 * @throws what the answer throws where nothing of it can be read
 */
export async function readableOf<T>(asking: Promise<T>): Promise<Readable<T>> {
  try {
    return { value: await asking, unreadable: [] };
  } catch (error) {
    if (isPartlyRead(error)) {
      return { ...(error.readable as Readable<T>), failure: error };
    }
    throw error;
  }
}

/**
 * All of an answer.
 * @throws what the answer failed with where a part of it could not be read
 */
export async function wholeOf<T>(reading: Promise<Readable<T>>): Promise<T> {
  const { value, unreadable, failure } = await reading;
  if (unreadable.length > 0) {
    throw failure ?? new Error('A part could not be read');
  }
  return value;
}

/** What could not be read of an answer. */
export type Unread = Pick<Readable<unknown>, 'unreadable' | 'untold'>;

/** How many items of an answer could not be read, told or not. */
export const countUnreadable = ({ unreadable, untold = 0 }: Unread): number => unreadable.length + untold;

/** What an unreadable item calls itself, as far as it can be told. */
export function nameOfUnreadable({ item }: Unreadable): string | undefined {
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
