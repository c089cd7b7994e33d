import { isJsonObject, type JsonValue, parseLossless } from '../../base/json.ts';
import { keysSeen, type SeenKey } from '../../catalog/customData/keysSeen.ts';
import { readObject } from '../../catalog/customData/readObject.ts';
import type { ToCustomData } from '../protocol/customData.ts';
import type { Words } from '../shared/words.ts';

export type Question = Extract<ToCustomData, { type: 'question' }>;

/** What the page has been told. */
export interface Told {
  readonly connection: string;
  /** Absent until the host has told it. */
  readonly connectionId?: string | undefined;
  readonly isLoading: boolean;
  readonly failure?: string | undefined;
  /** The filter whose matches are shown. */
  readonly filter: string;
  readonly objects: readonly JsonValue[];
  /** Keys of all objects that were seen so far: a narrow filter must not make them forgotten. */
  readonly keys: readonly SeenKey[];
  readonly question?: Question | undefined;
  readonly changed?: Extract<ToCustomData, { type: 'changed' }> | undefined;
}

export const nothingTold: Told = { connection: '', isLoading: true, filter: '{}', objects: [], keys: [] };

/** What the page knows after a message of its host. */
export function after(told: Told, message: ToCustomData): Told {
  switch (message.type) {
    case 'title':
      return { ...told, connection: message.connection, connectionId: message.connectionId };
    case 'loading':
      return { ...told, isLoading: true, failure: undefined, question: undefined };
    case 'objects': {
      const objects = itemsOf(parseLossless(message.text));
      const keys =
        objects.length >= told.objects.length || told.keys.length === 0 ? keysSeen(objects) : told.keys;
      return { ...told, isLoading: false, filter: message.filter, objects, keys };
    }
    case 'failed':
      return { ...told, isLoading: false, failure: message.message };
    case 'question':
      return { ...told, isLoading: false, question: message, changed: undefined };
    case 'cancelled':
      return { ...told, question: undefined };
    case 'changed':
      return { ...told, question: undefined, changed: message };
  }
}

/** The objects of a list in any of its forms (platform-facts 4). */
function itemsOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value as readonly JsonValue[];
  }
  const list = isJsonObject(value) ? Object.values(value).find((member) => Array.isArray(member)) : undefined;
  return (list as readonly JsonValue[] | undefined) ?? [];
}

/** What a page keeps for when it is shown again: what was typed and where, and nothing of what was found. */
export interface Kept {
  readonly filter: string;
  readonly connectionId?: string | undefined;
}

export function readKept(kept: unknown): Kept {
  const { filter, connectionId } = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<
    string,
    unknown
  >;
  return {
    filter: typeof filter === 'string' ? filter : '',
    connectionId: typeof connectionId === 'string' ? connectionId : undefined,
  };
}

/** What is wrong with a filter or a change as it stands; nothing for one that can be sent, or an empty one. */
export function problemOf(text: string, t: Words): string | undefined {
  const read = readObject(text);
  if (!('problem' in read) || read.problem === 'empty') {
    return undefined;
  }
  return read.problem === 'syntax'
    ? t('This is not a whole JSON object yet.')
    : t('A JSON object is needed: { "key": value }');
}
