/**
 * How page and host find each other, whichever of them is there first and whatever is lost until then: the page calls
 * until it is heard, and the host keeps what it has to say until somebody listens. A page that is loaded anew calls
 * under another name, and is told everything again.
 */

/** The message by which a page says that it listens; `page` is new with each load. */
export interface Call {
  readonly type: 'ready';
  readonly page: string;
}

/** The answer to a call. No feature sees it. */
interface Heard {
  readonly type: 'heard';
  readonly page: string;
}

const isOf = (
  message: unknown,
  type: string,
): message is { readonly type: string; readonly page?: unknown } =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type;

/** The end of the host. */
export class HostEnd<Out> {
  readonly #send: (message: Out | Heard) => void;
  readonly #waiting: Out[] = [];
  #page: string | undefined;

  constructor(send: (message: Out | Heard) => void) {
    this.#send = send;
  }

  /** Says something to the page, at once or as soon as it listens. */
  post(message: Out): void {
    if (this.#page === undefined) {
      this.#waiting.push(message);
    } else {
      this.#send(message);
    }
  }

  /**
   * Looks at a message of the page before anybody else does.
   * @returns true for a call that was heard already: a page that was not answered yet calls again
   */
  hears(message: unknown): boolean {
    if (!isOf(message, 'ready')) {
      return false;
    }
    const page = typeof message.page === 'string' ? message.page : '';
    const isKnown = page === this.#page;
    this.#page = page;
    this.#send({ type: 'heard', page });
    this.#waiting.splice(0).forEach((waiting) => this.#send(waiting));
    return isKnown;
  }
}

/** How long a page waits for an answer before it calls again, and how long at most. */
const firstWaitMs = 250;
const longestWaitMs = 4000;

/** The end of the page. */
export class PageEnd {
  readonly #call: Call;
  readonly #send: (message: Call) => void;
  readonly #later: (callback: () => void, delayMs: number) => void;
  #isHeard = false;

  /**
   * @param page unlike that of any page before it
   * @param later runs something after so many milliseconds
   */
  constructor(
    page: string,
    send: (message: Call) => void,
    later: (callback: () => void, delayMs: number) => void,
  ) {
    this.#call = { type: 'ready', page };
    this.#send = send;
    this.#later = later;
  }

  /** Calls the host until it answers. */
  call(waitMs = firstWaitMs): void {
    if (this.#isHeard) {
      return;
    }
    this.#send(this.#call);
    this.#later(() => this.call(Math.min(waitMs * 2, longestWaitMs)), waitMs);
  }

  /**
   * Looks at a message of the host before anybody else does; any of them says that the host has heard.
   * @returns true for the answer to the call, which is nobody else's
   */
  hears(message: unknown): boolean {
    this.#isHeard = true;
    return isOf(message, 'heard');
  }
}
