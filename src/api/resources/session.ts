import { type Session, sessionSchema } from '../../contract/session.ts';
import type { Answer } from '../answer.ts';
import { readOne } from '../reading.ts';
import type { Send } from '../send.ts';

/** The session check (spec, "Session check and lookup"). */
export class SessionResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Whether the token is good: `isauthenticated` (spec, "Authentication" 3). */
  async check(signal?: AbortSignal): Promise<Answer<Session>> {
    return readOne(await this.#send('session.check', {}, { signal }), sessionSchema);
  }
}
