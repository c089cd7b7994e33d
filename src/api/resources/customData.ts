import { stringify } from '../../base/json.ts';
import {
  type CustomDataChange,
  type CustomDataFilter,
  type CustomDataObject,
  customDataObjectSchema,
} from '../../contract/customData.ts';
import type { Answer } from '../answer.ts';
import {
  customDataChangePayload,
  filterPayload,
  newCustomDataPayload,
} from '../payloads/customDataPayload.ts';
import type { WriteDocument } from '../payloads/document.ts';
import { readDone, readList, readWritten } from '../reading.ts';
import type { Send } from '../send.ts';

/**
 * The collection that the whole system shares; not for sensitive or personal data (spec, "Custom data"). A filter
 * selects by equality at the root or by `$exists`; further operators follow the same syntax (platform-facts 4).
 */
export class CustomDataResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async list(signal?: AbortSignal): Promise<Answer<readonly CustomDataObject[]>> {
    return readList(await this.#send('customData.list', {}, { signal }), customDataObjectSchema);
  }

  /** The objects that match. Ask this before a change or a deletion: both reach every match. */
  async query(
    filter: CustomDataFilter | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<readonly CustomDataObject[]>> {
    const query = () => ({ query: stringify(filterPayload(filter)) });
    return readList(await this.#send('customData.query', {}, { query, signal }), customDataObjectSchema);
  }

  async create(object: WriteDocument, signal?: AbortSignal): Promise<Answer<CustomDataObject | undefined>> {
    const body = () => newCustomDataPayload(object);
    return readWritten(
      await this.#send('customData.create', {}, { body, signal }),
      customDataObjectSchema,
      '_id',
    );
  }

  /** Updates all objects that match `queryForSearch`; the bodies of such answers are not shown (spec). */
  async updateMatching(
    change: CustomDataChange | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<undefined>> {
    const body = () => customDataChangePayload(change);
    return readDone(await this.#send('customData.updateMatching', {}, { body, signal }));
  }

  /** Deletes all objects that match; `{}` is every object. */
  async deleteMatching(
    filter: CustomDataFilter | WriteDocument,
    signal?: AbortSignal,
  ): Promise<Answer<undefined>> {
    const body = () => filterPayload(filter);
    return readDone(await this.#send('customData.deleteMatching', {}, { body, signal }));
  }
}
