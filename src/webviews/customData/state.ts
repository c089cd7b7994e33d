import { isJsonObject, type JsonValue, parseLossless } from '../../base/json.ts';
import { collectKeys, type ObjectKey } from '../../catalog/customData/collectKeys.ts';
import { readObject } from '../../catalog/customData/readObject.ts';
import type { ToCustomData } from '../protocol/customData.ts';
import type { Localize } from '../../base/localize.ts';

export type Question = Extract<ToCustomData, { type: 'question' }>;

/** The data that the page has received. */
export interface PageState {
  readonly connection: string;
  /** Absent until the host has sent it. */
  readonly connectionId?: string | undefined;
  readonly isLoading: boolean;
  readonly failure?: string | undefined;
  /** The filter of the displayed objects. */
  readonly filter: string;
  readonly objects: readonly JsonValue[];
  /** The keys of the largest response so far, so that a narrow filter does not drop them. */
  readonly keys: readonly ObjectKey[];
  /** How many objects that response contained. */
  readonly keyObjects: number;
  readonly question?: Question | undefined;
  readonly changed?: Extract<ToCustomData, { type: 'changed' }> | undefined;
}

export const initialPageState: PageState = {
  connection: '',
  isLoading: true,
  filter: '{}',
  objects: [],
  keys: [],
  keyObjects: 0,
};

/** The page state after a message of its host. */
export function reducePageState(state: PageState, message: ToCustomData): PageState {
  switch (message.type) {
    case 'title':
      return { ...state, connection: message.connection, connectionId: message.connectionId };
    case 'loading':
      return { ...state, isLoading: true, failure: undefined, question: undefined };
    case 'objects': {
      const objects = getItems(parseLossless(message.text));
      const isWider = objects.length >= state.keyObjects;
      return {
        ...state,
        isLoading: false,
        filter: message.filter,
        objects,
        keys: isWider ? collectKeys(objects) : state.keys,
        keyObjects: isWider ? objects.length : state.keyObjects,
      };
    }
    case 'failed':
      return { ...state, isLoading: false, failure: message.message };
    case 'question':
      return { ...state, isLoading: false, question: message, changed: undefined };
    case 'cancelled':
      return { ...state, question: undefined };
    case 'changed':
      return { ...state, question: undefined, changed: message };
  }
}

/** The objects of a list in any of its forms (platform-facts.md, 4). */
function getItems(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value as readonly JsonValue[];
  }
  const list = isJsonObject(value) ? Object.values(value).find((member) => Array.isArray(member)) : undefined;
  return (list as readonly JsonValue[] | undefined) ?? [];
}

/** The state that a page keeps for when it is shown again: the typed text and its field, but no results. */
export interface PersistedInput {
  readonly filter: string;
  readonly connectionId?: string | undefined;
}

export function readPersistedInput(kept: unknown): PersistedInput {
  const { filter, connectionId } = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<
    string,
    unknown
  >;
  return {
    filter: typeof filter === 'string' ? filter : '',
    connectionId: typeof connectionId === 'string' ? connectionId : undefined,
  };
}

/** The problem with a filter or a change as typed; `undefined` for one that can be sent, or an empty one. */
export function validateObjectText(text: string, t: Localize): string | undefined {
  const read = readObject(text);
  if (!('problem' in read) || read.problem === 'empty') {
    return undefined;
  }
  return read.problem === 'syntax'
    ? t('This is not a whole JSON object yet.')
    : t('A JSON object is needed: { "key": value }');
}
