/**
 * How page and host find each other, whichever of them is there first and whatever is lost until then: the page calls
 * until it is heard, and the host keeps what it has to say until somebody listens. A page that is loaded anew calls
 * under another name, and is told everything again.
 */

/** The message by which a page says that it listens; `page` is new with each load. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly page: string;
}

/** The answer to a call. No feature sees it. */
interface ReadyAck {
  readonly type: 'heard';
  readonly page: string;
}

const isMessageOfType = (
  message: unknown,
  type: string,
): message is { readonly type: string; readonly page?: unknown } =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type;

/** The end of the host. */
export class HostHandshake<Out> {
  readonly #send: (message: Out | ReadyAck) => void;
  readonly #queue: Out[] = [];
  #pageId: string | undefined;

  constructor(send: (message: Out | ReadyAck) => void) {
    this.#send = send;
  }

  /** Says something to the page, at once or as soon as it listens. */
  post(message: Out): void {
    if (this.#pageId === undefined) {
      this.#queue.push(message);
    } else {
      this.#send(message);
    }
  }

  /**
   * Looks at a message of the page before anybody else does.
   * @returns true for a call that was heard already: a page that was not answered yet calls again
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

/** How long a page waits for an answer before it calls again, and how long at most. */
const initialRetryMs = 250;
const maxRetryMs = 4000;

/** The end of the page. */
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
   * Looks at a message of the host before anybody else does; any of them says that the host has heard.
   * @returns true for the answer to the call, which is nobody else's
   */
  handleMessage(message: unknown): boolean {
    this.#isAcknowledged = true;
    return isMessageOfType(message, 'heard');
  }
}
