import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { IdOrOutput, IdUse } from '../../changes/model/undoWrites.ts';
import type { Write } from '../../changes/model/operation.ts';

/** The writes of an operation, in order; IDs of what it creates come from the responses of earlier writes. */
export class WriteList {
  readonly #writes: Write[] = [];

  get writes(): readonly Write[] {
    return this.#writes;
  }

  /** Adds writes that need no ID from an earlier write. */
  addAll(writes: readonly Write[]): void {
    this.#writes.push(...writes);
  }

  /**
   * Adds a write. If it belongs to something that an earlier write creates, it has no target yet.
   * @param uses where IDs are inserted that earlier writes return; known IDs are in the write already
   * @returns its index
   */
  add({ target, ...write }: Write, uses: readonly IdUse[] = []): number {
    const outputRefs = uses.flatMap(({ into, id }) => (typeof id === 'string' ? [] : [{ into, ...id }]));
    const isInNewItem = outputRefs.some(({ into: [root] }) => root === 'params');
    this.#writes.push({
      ...write,
      ...(target === undefined || isInNewItem ? {} : { target }),
      ...(outputRefs.length === 0 ? {} : { outputRefs }),
    });
    return this.#writes.length - 1;
  }
}

/** The parameters of a write, and the IDs in them that only an earlier write returns. */
export function createParams<Name extends string>(
  ids: Readonly<Record<Name, IdOrOutput>>,
): { readonly params: Readonly<Record<Name, string>>; readonly uses: readonly IdUse[] } {
  const entries = Object.entries(ids) as [Name, IdOrOutput][];
  return {
    params: Object.fromEntries(
      entries.map(([name, id]) => [name, typeof id === 'string' ? id : '']),
    ) as Record<Name, string>,
    uses: entries.map(([name, id]) => ({ into: ['params', name], id })),
  };
}

/** A value with all known IDs inserted, and the positions of the others. */
export interface ResolvedValue<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly uses: readonly IdUse[];
}

/** A body of a write whose IDs are resolved. */
export type ResolvedBody = ResolvedValue<JsonObject>;
