import { type Message, MessageError } from '../../base/localize.ts';
import { sortByText } from '../../base/sortByText.ts';
import { type ItemKey, type ItemKind, type ProjectItem, formatItemKey } from '../item.ts';

/** The identifiers of an item on its instance. */
export interface ItemIdentity {
  readonly key: ItemKey;
  readonly oid: string;
  /** For a table: the identifiers of its columns, by name. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** Resources of an instance that are not stored in files, and why. */
export interface ConversionNote {
  readonly code: 'broken-relation' | 'equal-relations' | 'nameless' | 'unknown-party-type';
  readonly kind: ItemKind;
  /**
   * What the resources belong to: the title of a datamodel, or the name of a dataset or a cube set. Empty for
   * viewpoints.
   */
  readonly parent: string;
  readonly count: number;
  /**
   * The known identifiers of the resources: they exist on the instance, although no item represents them. Empty for
   * relations that have lost a column.
   */
  readonly oids: readonly string[];
  /**
   * The items that the resources belong to. These items aren't converted, so neither their files nor the instance are
   * changed.
   */
  readonly keys?: readonly ItemKey[];
  /** The relations that have lost a column: see {@link isBrokenRelation}. */
  readonly brokenRelations?: readonly ItemIdentity[];
}

/** Resources of an instance as items of a project. */
export interface ConvertedItems {
  readonly items: readonly ProjectItem[];
  readonly identities: readonly ItemIdentity[];
  readonly notes: readonly ConversionNote[];
  /** The items of datamodels that contain what may be the ID of a user or group: their content depends on the names. */
  readonly keysWithParties?: readonly ItemKey[];
}

/** Two resources of an instance have the same name and would share one file. */
export class EqualNamesError extends MessageError {
  override readonly name = 'EqualNamesError';
  readonly key: ItemKey;
  /** Where the two resources are, for messages, such as the names of their datasets. */
  readonly places: readonly [string, string];

  constructor(key: ItemKey, message: Message, places: readonly [string, string]) {
    super(message);
    this.key = key;
    this.places = places;
  }
}

/** A text of an instance cannot be stored in a file: it has half a surrogate pair, which UTF-8 cannot represent. */
export class UnwritableTextError extends MessageError {
  override readonly name = 'UnwritableTextError';
  readonly key: ItemKey;

  constructor(key: ItemKey, message: Message) {
    super(message);
    this.key = key;
  }
}

/** A datamodel, a viewpoint, or a custom data object that can't be converted to files, and why. */
export interface ConversionError {
  readonly key: ItemKey;
  readonly userMessage: Message;
}

/** Sorts items by their keys. */
export const sortItems = (items: readonly ProjectItem[]): readonly ProjectItem[] =>
  sortByText(items, ({ key }) => formatItemKey(key));

/**
 * Returns a function that checks whether the instance may have an item that couldn't be converted. If a datamodel
 * couldn't be converted, that is true of all of its items.
 */
export function createNotConvertedCheck({
  conversionErrors,
  notes,
}: {
  readonly conversionErrors: readonly ConversionError[];
  readonly notes: readonly ConversionNote[];
}): (key: ItemKey) => boolean {
  const datamodels = new Set(
    conversionErrors.flatMap(({ key }) => ('datamodel' in key ? key.datamodel : [])),
  );
  const keys = new Set(
    [...conversionErrors.map(({ key }) => key), ...getUnconvertedKeys(notes)].map((key) =>
      formatItemKey(key),
    ),
  );
  if (datamodels.size === 0 && keys.size === 0) {
    return () => false;
  }
  return (key) =>
    ('datamodel' in key && datamodels.has(key.datamodel)) || (keys.size > 0 && keys.has(formatItemKey(key)));
}

/**
 * Returns the relations of an instance that have lost a column, except for those without an ID. No file can have one.
 */
export const getBrokenRelations = (notes: readonly ConversionNote[]): readonly ItemIdentity[] =>
  notes.flatMap(({ brokenRelations = [] }) => brokenRelations.filter(({ oid }) => oid !== ''));

/** Returns the items that were not converted, according to the notes. */
export const getUnconvertedKeys = (notes: readonly ConversionNote[]): readonly ItemKey[] =>
  notes.flatMap(({ keys = [] }) => keys);
