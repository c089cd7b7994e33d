import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import type { ViewpointStatus } from '../contract/viewpointStatus.ts';
import type { Sessions } from './sessions.ts';

/** The last known status of the viewpoint service of each connection (rest-api.md, "Viewpoint API"). */
export class ViewpointServiceStatuses implements Disposable {
  readonly #sessions: Pick<Sessions, 'get'>;
  readonly #log: Log;
  readonly #statuses = new Map<string, ViewpointStatus>();
  readonly #onDidChange = new Emitter<string>();
  /** Fires with the ID of a connection when its service became ready or is no longer ready. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(sessions: Pick<Sessions, 'get'>, log: Log) {
    this.#sessions = sessions;
    this.#log = log;
  }

  /** The last known status; `undefined` if it was not asked for, or the server did not report it. */
  peek(connectionId: string): ViewpointStatus | undefined {
    return this.#statuses.get(connectionId);
  }

  /** Asks for the status. Never rejects: `undefined` if it is unknown. */
  async check(connectionId: string): Promise<ViewpointStatus | undefined> {
    const status = await this.#read(connectionId);
    this.#set(connectionId, status);
    return status;
  }

  /** Records that the service works, since it has answered. */
  setReady(connectionId: string): void {
    if (this.#statuses.get(connectionId)?.isReady === false) {
      this.#set(connectionId, undefined);
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  async #read(connectionId: string): Promise<ViewpointStatus | undefined> {
    try {
      const { client } = await this.#sessions.get(connectionId);
      const { readViewpointStatus } = await import('../contract/viewpointStatus.ts');
      return readViewpointStatus((await client.viewpoints.status()).value);
    } catch (error) {
      const { ApiError, HttpError } = await import('../client/errors.ts');
      this.#log.debug('connections', 'The status of the viewpoint service is unknown', {
        reason: error instanceof ApiError ? error.code : String(error),
      });
      return error instanceof HttpError && error.status >= 500
        ? { isReady: false, summary: `HTTP ${error.status}` }
        : undefined;
    }
  }

  #set(connectionId: string, status: ViewpointStatus | undefined): void {
    const wasReady = this.#statuses.get(connectionId)?.isReady ?? true;
    if (status === undefined) {
      this.#statuses.delete(connectionId);
    } else {
      this.#statuses.set(connectionId, status);
    }
    if (wasReady !== (status?.isReady ?? true)) {
      this.#onDidChange.fire(connectionId);
    }
  }
}
