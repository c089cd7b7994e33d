import { createHash } from 'node:crypto';
import { toCanonicalText } from '../../base/canonicalJson.ts';
import { type JsonValue, parseLossless, stringify } from '../../base/json.ts';
import { formatItemKey } from '../item.ts';
import type { Comparison, DeletedItem, ItemChange, PartChange } from '../compare/itemChange.ts';
import type { KeptProtection } from './keptProtection.ts';

/** The number of hexadecimal digits in the hash of current values. */
const partsHashLength = 16;

const hash = (value: JsonValue): string => createHash('sha256').update(toCanonicalText(value)).digest('hex');

/**
 * Returns a hash of a plan: of its instance, of every change with the values on the instance and in the project and
 * with what is deleted with it, and of what else protects new tables and columns. Two plans with the same hash change
 * the same state in the same way.
 * @param instance identifies the instance
 * @param keptProtection what may restrict new tables and columns although only the instance has it
 * @param ignoredErrors the errors that the user has decided to ignore: a new error needs a new decision
 * @param writes what is sent, without secrets: it contains the IDs that names in the project are resolved to
 */
export const hashPlan = (
  instance: string,
  { changes }: Pick<Comparison, 'changes'>,
  {
    prunedKinds,
    keptProtection,
    ignoredErrors,
    writes,
  }: {
    readonly prunedKinds: ReadonlySet<string>;
    readonly keptProtection: readonly KeptProtection[];
    readonly ignoredErrors: readonly {
      readonly path: string;
      readonly code: string;
      readonly message: string;
    }[];
    readonly writes: readonly unknown[];
  },
): string =>
  hash([
    instance,
    [...prunedKinds].toSorted(),
    parseLossless(stringify(keptProtection)),
    ignoredErrors.map(({ path, code, message }) => [path, code, message]),
    parseLossless(stringify(writes)),
    changes.map(({ action, key, from, parts, isChangedOnServer, deletedWith = [] }) => [
      action,
      formatItemKey(key),
      from === undefined ? null : formatItemKey(from),
      isChangedOnServer,
      parts.map(toJson),
      deletedWith.map(hashDeletedItem),
    ]),
  ]);

/**
 * Returns a hash of a plan together with its effects: what breaks, and who gains and who loses access.
 * @param effects the hash of the effects (`hashEffects`); `undefined` for a plan without writes
 */
export const addEffectsToHash = (planHash: string, effects: string | undefined): string =>
  effects === undefined ? planHash : hash([planHash, effects]);

const hashDeletedItem = ({ key, content, isChangedOnServer }: DeletedItem): JsonValue => [
  formatItemKey(key),
  isChangedOnServer,
  hash(content),
];

/**
 * Returns a hash of the values that the instance has in the changed parts of an item, and in what is deleted with it.
 */
export const hashCurrentParts = ({ parts, deletedWith }: ItemChange): string =>
  hash([
    ...parts.map(({ pointer, before }) => [pointer, ...(before === undefined ? [] : [before])]),
    ...(deletedWith ?? []).map(hashDeletedItem),
  ]).slice(0, partsHashLength);

const toJson = ({ pointer, before, after }: PartChange): JsonValue => ({
  pointer,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});
