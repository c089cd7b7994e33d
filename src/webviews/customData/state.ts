import { isJsonObject, type JsonValue, parseLossless } from '../../base/json.ts';
import { collectKeys, type ObjectKey } from '../../catalog/customData/collectKeys.ts';
import { parseJsonObject } from '../../catalog/customData/parseJsonObject.ts';
import type { ToCustomData } from '../protocol/customData.ts';
import type { Localize } from '../../base/localize.ts';

export type Question = Extract<ToCustomData, { type: 'question' }>;

/** The data that the page has received from its host. */
export interface CustomDataPageState {
  readonly connection: string;
  /** Absent until the host has sent it. */
  readonly connectionId?: string | undefined;
  readonly isLoading: boolean;
  readonly failure?: string | undefined;
  /** The filter of the displayed objects. */
  readonly filter: string;
  readonly objects: readonly JsonValue[];
  /** The keys to propose in filters: those of the largest response so far, since a narrow filter returns few keys. */
  readonly keys: readonly ObjectKey[];
  /** The number of objects that `keys` were collected from. */
  readonly keySourceSize: number;
  /** The change that the user is asked to confirm. */
  readonly question?: Question | undefined;
  /** The last change or undo, if it was completed since the last question. */
  readonly changed?: Extract<ToCustomData, { type: 'changed' }> | undefined;
}

export const initialCustomDataState: CustomDataPageState = {
  connection: '',
  isLoading: true,
  filter: '{}',
  objects: [],
  keys: [],
  keySourceSize: 0,
};

/** Returns the page state after a message from the host. */
export function reduceCustomDataState(
  state: CustomDataPageState,
  message: ToCustomData,
): CustomDataPageState {
  switch (message.type) {
    case 'title':
      return { ...state, connection: message.connection, connectionId: message.connectionId };
    case 'loading':
      return { ...state, isLoading: true, failure: undefined, question: undefined };
    case 'objects': {
      const objects = getItems(parseLossless(message.text));
      const isLarger = objects.length >= state.keySourceSize;
      return {
        ...state,
        isLoading: false,
        filter: message.filter,
        objects,
        keys: isLarger ? collectKeys(objects) : state.keys,
        keySourceSize: isLarger ? objects.length : state.keySourceSize,
      };
    }
    case 'failed':
      return { ...state, isLoading: false, failure: message.message };
    case 'question':
      return { ...state, isLoading: false, question: message, changed: undefined };
    case 'cancelled':
      return { ...state, isLoading: false, question: undefined };
    case 'changed':
      return { ...state, question: undefined, changed: message };
  }
}

/** Returns the objects of a list response: an array, or an object with an array (platform-facts.md, 4). */
function getItems(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) {
    return value as readonly JsonValue[];
  }
  const list = isJsonObject(value) ? Object.values(value).find((member) => Array.isArray(member)) : undefined;
  return (list as readonly JsonValue[] | undefined) ?? [];
}

/** The persisted state of the page: the filter as typed and the connection, but no data from the server. */
export interface PersistedInput {
  readonly filter: string;
  readonly connectionId?: string | undefined;
}

export function readPersistedInput(persisted: unknown): PersistedInput {
  const { filter, connectionId } = (
    typeof persisted === 'object' && persisted !== null ? persisted : {}
  ) as Record<string, unknown>;
  return {
    filter: typeof filter === 'string' ? filter : '',
    connectionId: typeof connectionId === 'string' ? connectionId : undefined,
  };
}

/** Returns the problem with the typed text of a filter or of fields to set; `undefined` if it is valid or empty. */
export function validateObjectText(text: string, t: Localize): string | undefined {
  const result = parseJsonObject(text);
  if (!('problem' in result) || result.problem === 'empty') {
    return undefined;
  }
  return result.problem === 'syntax'
    ? t('Incomplete JSON object.')
    : t('Expected a JSON object: { "key": value }');
}
