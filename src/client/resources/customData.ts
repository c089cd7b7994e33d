import type { EndpointLabels } from '../endpointMethods.ts';
import { stringify } from '../../base/json.ts';
import {
  type CustomDataChange,
  type CustomDataFilter,
  type CustomDataObject,
  customDataObjectSchema,
} from '../../contract/customData.ts';
import type { ApiResponse } from '../apiResponse.ts';
import { HttpError } from '../errors.ts';
import type { DocumentToWrite } from '../payloads/documentToWrite.ts';
import { readIgnoringBody, readList, readWrittenItem } from '../reading.ts';
import type { Send } from '../send.ts';

/**
 * The collection that all users of an instance share; not for sensitive or personal data (rest-api.md, "Custom data
 * API"). A filter selects by equality at the root or by `$exists`; further operators follow the same syntax
 * (platform-facts.md, 4).
 */
export class CustomDataResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(signal?: AbortSignal): Promise<ApiResponse<readonly CustomDataObject[]>> {
    return readList(await this.#send('customData.list', {}, { signal }), customDataObjectSchema);
  }

  /**
   * The objects that match. Query this before a change or a deletion: both affect every match. If nothing matches, the
   * vendor's contract has a 404 "Documents not found" (platform-facts.md, 6.2). For that response, this method,
   * {@link updateMatching}, and {@link deleteMatching} return an empty result, since nothing was changed.
   */
  async query(
    filter: CustomDataFilter | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<readonly CustomDataObject[]>> {
    const { createFilterPayload } = await import('../payloads/customDataPayload.ts');
    const createQuery = () => ({ query: stringify(createFilterPayload(filter)) });
    try {
      return readList(
        await this.#send('customData.query', {}, { query: createQuery, signal }),
        customDataObjectSchema,
      );
    } catch (error) {
      return { ...convertNoMatchError(error), value: [] };
    }
  }

  async create(
    object: DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<CustomDataObject | undefined>> {
    const { createCustomDataPayload } = await import('../payloads/customDataPayload.ts');
    const createBody = () => createCustomDataPayload(object);
    return readWrittenItem(
      await this.#send('customData.create', {}, { createBody, signal }),
      customDataObjectSchema,
      '_id',
    );
  }

  /**
   * Updates all objects that match `queryForSearch`; the bodies of such responses are not documented (rest-api.md,
   * "What is not described"), and the object of the vendor's contract (platform-facts.md, 6.2) has no known fields.
   */
  async updateMatching(
    change: CustomDataChange | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<undefined>> {
    const { createCustomDataChangePayload } = await import('../payloads/customDataPayload.ts');
    const createBody = () => createCustomDataChangePayload(change);
    try {
      return readIgnoringBody(await this.#send('customData.updateMatching', {}, { createBody, signal }));
    } catch (error) {
      return convertNoMatchError(error);
    }
  }

  /** Deletes all objects that match; `{}` is every object. */
  async deleteMatching(
    filter: CustomDataFilter | DocumentToWrite,
    signal?: AbortSignal,
  ): Promise<ApiResponse<undefined>> {
    const { createFilterPayload } = await import('../payloads/customDataPayload.ts');
    const createBody = () => createFilterPayload(filter);
    try {
      return readIgnoringBody(await this.#send('customData.deleteMatching', {}, { createBody, signal }));
    } catch (error) {
      return convertNoMatchError(error);
    }
  }
}

/**
 * Converts the error of a request that matched nothing to an empty response.
 * @throws the original error if it has another cause: for example, a web page means that the server lacks the path
 */
function convertNoMatchError(error: unknown): ApiResponse<undefined> {
  if (
    error instanceof HttpError &&
    error.status === 404 &&
    (error.hasProblemBody || /\bdocuments? not found\b/i.test(error.serverMessage ?? ''))
  ) {
    return { value: undefined, text: '', json: undefined, status: 200 };
  }
  throw error;
}

export const customDataLabels: EndpointLabels<'customData'> = {
  'customData.list': (t) => t('Loading the custom data'),
  'customData.query': (t) => t('Searching the custom data'),
  'customData.create': (t) => t('Creating the custom data object'),
  'customData.updateMatching': (t) => t('Changing the custom data'),
  'customData.deleteMatching': (t) => t('Deleting the custom data'),
};
