import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { ValueStorage } from '../base/valueStorage.ts';
import { datamodelTypes } from '../contract/datamodel.ts';
import { tableTypes } from '../contract/table.ts';

/** A pinned datamodel or table, with what is needed to show it before any request. */
const pinSchema = z.object({
  connectionId: z.string().min(1),
  datamodel: z.object({
    oid: z.string().min(1),
    title: z.string(),
    type: z.enum(datamodelTypes).optional(),
    server: z.string().optional(),
  }),
  table: z
    .object({
      datasetId: z.string().min(1),
      oid: z.string().min(1),
      name: z.string(),
      /** Absent in the pins of older versions. */
      type: z.enum(tableTypes).optional().catch(undefined),
      hidden: z.boolean().optional(),
    })
    .optional(),
});
export type Pin = z.infer<typeof pinSchema>;
export type PinnedTable = NonNullable<Pin['table']>;

/** The user's pins at the top of the Connections view, oldest first. */
export class Pins implements Disposable {
  readonly #storage: ValueStorage;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  #all: readonly Pin[];

  constructor(storage: ValueStorage) {
    this.#storage = storage;
    this.#all = this.#readStoredPins();
  }

  get all(): readonly Pin[] {
    return this.#all;
  }

  has(pin: Pin): boolean {
    return this.#all.some((other) => getPinKey(other) === getPinKey(pin));
  }

  add(pin: Pin): void {
    if (!this.has(pin)) {
      this.#write((stored) => [
        ...stored.filter((other) => getPinKey(other) !== getPinKey(pin)),
        pinSchema.parse(pin),
      ]);
    }
  }

  remove(pin: Pin): void {
    this.#write((stored) => stored.filter((other) => getPinKey(other) !== getPinKey(pin)));
  }

  /** Removes the pins of a connection that the user has removed. */
  removeConnection(connectionId: string): void {
    if (this.#readStoredPins().some((other) => other.connectionId === connectionId)) {
      this.#write((stored) => stored.filter((other) => other.connectionId !== connectionId));
    }
  }

  /** Updates what is shown of a pinned table; does nothing if it is the same as before. */
  updateTable(pin: Pin, table: PinnedTable): void {
    const isOutdated = (other: Pin): boolean =>
      getPinKey(other) === getPinKey(pin) &&
      other.table !== undefined &&
      (other.table.name !== table.name ||
        other.table.type !== table.type ||
        (other.table.hidden ?? false) !== (table.hidden ?? false));
    if (this.#all.some(isOutdated)) {
      this.#write((stored) => stored.map((other) => (isOutdated(other) ? { ...other, table } : other)));
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /** The stored pins; an unreadable one is dropped, so that the others are not lost. */
  #readStoredPins(): readonly Pin[] {
    const stored = z.array(z.unknown()).safeParse(this.#storage.read() ?? []).data ?? [];
    return stored.flatMap((entry) => pinSchema.safeParse(entry).data ?? []);
  }

  /** Changes the pins that are stored now, since another window may have changed them. */
  #write(change: (stored: readonly Pin[]) => readonly Pin[]): void {
    this.#all = change(this.#readStoredPins());
    this.#storage.write(this.#all);
    this.#onDidChange.fire();
  }
}

/** Identifies a pin; its name is not part of the key. */
const getPinKey = ({ connectionId, datamodel, table }: Pin): string =>
  [connectionId, datamodel.oid, table?.oid ?? ''].join('\n');
