import { type Session, sessionSchema } from '../../contract/people.ts';
import type { Answer } from '../answer.ts';
import { readOne } from '../reading.ts';
import type { Send } from '../send.ts';

/** The session check (spec, "Session check and lookup"). */
export class SessionResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Whether the token is good: `isauthenticated`, however the server spells it (spec, "Authentication" 3; contract
   * v0.9). One that is signed out answers `false` with a success.
   * @throws SchemaError where the field is missing or no boolean
   */
  async check(signal?: AbortSignal): Promise<Answer<Session>> {
    return readOne(await this.#send('session.check', {}, { signal }), sessionSchema);
  }
}
