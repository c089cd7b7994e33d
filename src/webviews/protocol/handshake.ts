/**
 * Connects page and host, whichever of them starts first and whatever is lost until then: the page calls until it is
 * acknowledged, and the host queues its messages until the page listens. A reloaded page calls with another ID, and
 * everything is sent again.
 */

/** The message that a page sends when it listens; `page` is new with each load. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly page: string;
}

/** The acknowledgment of a call. It is not passed on to features. */
interface ReadyAck {
  readonly type: 'heard';
  readonly page: string;
}

const isMessageOfType = (
  message: unknown,
  type: string,
): message is { readonly type: string; readonly page?: unknown } =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type;

/** The host's end. */
export class HostHandshake<Out> {
  readonly #send: (message: Out | ReadyAck) => void;
  readonly #queue: Out[] = [];
  #pageId: string | undefined;

  constructor(send: (message: Out | ReadyAck) => void) {
    this.#send = send;
  }

  /** Sends a message to the page, immediately or as soon as it listens. */
  post(message: Out): void {
    if (this.#pageId === undefined) {
      this.#queue.push(message);
    } else {
      this.#send(message);
    }
  }

  /**
   * Must see each message of the page first.
   * @returns true for a repeated call: a page calls again until it is acknowledged
   */
  handleMessage(message: unknown): boolean {
    if (!isMessageOfType(message, 'ready')) {
      return false;
    }
    const page = typeof message.page === 'string' ? message.page : '';
    const isKnown = page === this.#pageId;
    this.#pageId = page;
    this.#send({ type: 'heard', page });
    this.#queue.splice(0).forEach((waiting) => this.#send(waiting));
    return isKnown;
  }
}

/** The delay before a page calls again, initially and at most. */
const initialRetryMs = 250;
const maxRetryMs = 4000;

/** The page's end. */
export class PageHandshake {
  readonly #readyMessage: ReadyMessage;
  readonly #send: (message: ReadyMessage) => void;
  readonly #schedule: (callback: () => void, delayMs: number) => void;
  #isAcknowledged = false;

  /**
   * @param page unlike that of any page before it
   * @param later runs something after so many milliseconds
   */
  constructor(
    page: string,
    send: (message: ReadyMessage) => void,
    later: (callback: () => void, delayMs: number) => void,
  ) {
    this.#readyMessage = { type: 'ready', page };
    this.#send = send;
    this.#schedule = later;
  }

  /** Calls the host until it answers. */
  call(waitMs = initialRetryMs): void {
    if (this.#isAcknowledged) {
      return;
    }
    this.#send(this.#readyMessage);
    this.#schedule(() => this.call(Math.min(waitMs * 2, maxRetryMs)), waitMs);
  }

  /**
   * Must see each message of the host first; any message shows that the host has received the call.
   * @returns true for the acknowledgment, which is not meant for anyone else
   */
  handleMessage(message: unknown): boolean {
    this.#isAcknowledged = true;
    return isMessageOfType(message, 'heard');
  }
}
