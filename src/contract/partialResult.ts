import { type JsonValue, isJsonObject } from '../base/json.ts';

/** An item of a response that does not match the contract, while the other items do. */
export interface UnreadableItem {
  /** The position of the item in the response, as keys and indices. */
  readonly path: readonly (string | number)[];
  /** The position of the fault in the item, as keys and indices. */
  readonly faultPath: readonly (string | number)[];
  /** The expected type, without any part of the actual value. */
  readonly expected: string | undefined;
  /** The item as received. It can be displayed and copied, and is never sent. */
  readonly item: JsonValue;
}

/** The readable and unreadable parts of a response. */
export interface PartialResult<T> {
  readonly value: T;
  readonly unreadable: readonly UnreadableItem[];
  /** Number of unreadable items that are not in `unreadable`, because a long list is cut off. */
  readonly omittedCount?: number | undefined;
  /** The error for callers that need the complete response; only set if something is unreadable. */
  readonly failure?: Error | undefined;
}

/** The error of a response that could be read in part. */
interface PartialReadError extends Error {
  readonly readable: PartialResult<unknown>;
}

const isPartialReadError = (error: unknown): error is PartialReadError =>
  error instanceof Error && 'readable' in error;

/**
 * The readable part of a response, for display. Callers that depend on completeness await the response itself, which
 * rejects if a part cannot be read.
 * @throws what the response throws if nothing of it can be read
 */
export async function toPartialResult<T>(request: Promise<T>): Promise<PartialResult<T>> {
  try {
    return { value: await request, unreadable: [] };
  } catch (error) {
    if (isPartialReadError(error)) {
      return { ...(error.readable as PartialResult<T>), failure: error };
    }
    throw error;
  }
}

/**
 * The complete response.
 * @throws the failure of the response if a part of it could not be read
 */
export async function requireComplete<T>(result: Promise<PartialResult<T>>): Promise<T> {
  const { value, unreadable, failure } = await result;
  if (unreadable.length > 0) {
    throw failure ?? new Error('A part could not be read');
  }
  return value;
}

/** The unreadable part of a response. */
export type UnreadableItems = Pick<PartialResult<unknown>, 'unreadable' | 'omittedCount'>;

/** Number of unreadable items in a response, listed or not. */
export const countUnreadable = ({ unreadable, omittedCount = 0 }: UnreadableItems): number =>
  unreadable.length + omittedCount;

/** The name of an unreadable item, or another text that identifies it, if it has one. */
export function getUnreadableName({ item }: UnreadableItem): string | undefined {
  if (!isJsonObject(item)) {
    return undefined;
  }
  const getText = (key: string): string | undefined => {
    const value = item[key];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const [table, column] = [getText('table'), getText('column')];
  const dimension = table === undefined || column === undefined ? undefined : `${table}.${column}`;
  return (
    getText('title') ?? getText('name') ?? dimension ?? getText('oid') ?? getText('_id') ?? getText('id')
  );
}
