/**
 * Connects a page and its host, regardless of which one starts first: VS Code drops messages to a page that does not
 * listen yet. The page sends `ready` until it is acknowledged, and the host queues its messages until then. A reloaded
 * page sends `ready` with another ID, so that the host sends its state again.
 */

/** Sent by a page that has started to listen. `page` is a random ID, which is new after each load of the page. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly page: string;
}

/** The acknowledgment of `ready`. It is handled here, and not passed on to the page's listeners. */
interface ReadyAck {
  readonly type: 'acknowledged';
  readonly page: string;
}

const isMessageOfType = (
  message: unknown,
  type: string,
): message is { readonly type: string; readonly page?: unknown } =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type;

/** The host's side of the handshake. */
export class HostHandshake<Outgoing> {
  readonly #send: (message: Outgoing | ReadyAck) => void;
  readonly #queue: Outgoing[] = [];
  #pageId: string | undefined;

  constructor(send: (message: Outgoing | ReadyAck) => void) {
    this.#send = send;
  }

  /** Sends a message to the page, or queues it until the page listens. */
  post(message: Outgoing): void {
    if (this.#pageId === undefined) {
      this.#queue.push(message);
    } else {
      this.#send(message);
    }
  }

  /**
   * Handles `ready`; must be called with each message of the page before anything else handles it.
   * @returns true for a repeated `ready` of the same page, which must be ignored
   */
  handleMessage(message: unknown): boolean {
    if (!isMessageOfType(message, 'ready')) {
      return false;
    }
    const pageId = typeof message.page === 'string' ? message.page : '';
    const isRepeated = pageId === this.#pageId;
    this.#pageId = pageId;
    this.#send({ type: 'acknowledged', page: pageId });
    this.#queue.splice(0).forEach((queuedMessage) => this.#send(queuedMessage));
    return isRepeated;
  }
}

/** The delay before `ready` is repeated; it is doubled after each attempt, up to the maximum. */
const initialRetryMs = 250;
const maxRetryMs = 4000;

/** The page's side of the handshake. */
export class PageHandshake {
  readonly #readyMessage: ReadyMessage;
  readonly #send: (message: ReadyMessage) => void;
  readonly #schedule: (callback: () => void, delayMs: number) => void;
  #isAcknowledged = false;

  /**
   * @param pageId unique for each load of the page
   * @param schedule calls the callback after the delay, like `setTimeout`
   */
  constructor(
    pageId: string,
    send: (message: ReadyMessage) => void,
    schedule: (callback: () => void, delayMs: number) => void,
  ) {
    this.#readyMessage = { type: 'ready', page: pageId };
    this.#send = send;
    this.#schedule = schedule;
  }

  /** Sends `ready`, and repeats it until the host has acknowledged it. */
  sendReady(retryMs = initialRetryMs): void {
    if (this.#isAcknowledged) {
      return;
    }
    this.#send(this.#readyMessage);
    this.#schedule(() => this.sendReady(Math.min(retryMs * 2, maxRetryMs)), retryMs);
  }

  /**
   * Must be called with each message of the host before anything else handles it. Any message proves that the host has
   * received `ready`.
   * @returns true for the acknowledgment, which listeners must not receive
   */
  handleMessage(message: unknown): boolean {
    this.#isAcknowledged = true;
    return isMessageOfType(message, 'acknowledged');
  }
}
