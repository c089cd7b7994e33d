import { createDeadline, raceAbort } from '../../client/abort.ts';
import type { ProxySettings } from '../../client/network.ts';
import type { Transport } from '../../client/transport.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { Connection } from '../connection.ts';
import type { TokenStore } from '../tokenStore.ts';
import type { WriteRefusal } from '../writeLocks.ts';
import type { Probes, Wire } from './probes.ts';
import type { Route } from './route.ts';

/** What the doctor works with. Settings are asked for anew in each diagnosis: the person may just have changed one. */
export interface DoctorDeps {
  readonly probes: Probes;
  /** Finds the address of a connection; starts the sandbox if need be. */
  readonly locate: (connection: Connection) => Promise<string>;
  readonly tokens: Pick<TokenStore, 'get'>;
  readonly locks: { refusal(connection: Connection): WriteRefusal | undefined };
  /** Which way requests go, and whether certificates are checked: what the client goes by as well. */
  readonly network: () => ProxySettings & { readonly strictSSL: boolean };
  /** The certificates that a person added, as PEM texts; rejects when they cannot be read. */
  readonly certificates: () => Promise<readonly string[]>;
  /** What carries the client's requests. */
  readonly transport: () => Promise<Transport>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the client waits for an answer. */
  readonly limits: () => { readonly timeoutMs: number };
}

/** Somebody waits for the diagnosis: no step is given longer, whatever the client is. In milliseconds. */
const maxStepMs = 20_000;

/** A step took longer than it may. */
export class StepTimeout extends Error {
  override readonly name = 'StepTimeout';
}

/** One diagnosis under way: what its steps find out for those after them. */
export class Examination implements Disposable {
  readonly deps: DoctorDeps;
  readonly connection: Connection;
  /** Ends the diagnosis. */
  readonly signal: AbortSignal;
  #address: string | undefined;
  #route: Route | undefined;
  #wire: Wire | undefined;
  #transport: Transport | undefined;

  constructor(deps: DoctorDeps, connection: Connection, signal: AbortSignal) {
    this.deps = deps;
    this.connection = connection;
    this.signal = signal;
  }

  /** How long one step may take, in milliseconds. */
  get stepTimeoutMs(): number {
    return Math.min(maxStepMs, this.deps.limits().timeoutMs);
  }

  /** The address of the instance, after the step `address`. */
  get address(): string {
    return requireFound(this.#address);
  }

  set address(address: string) {
    this.#address = address;
  }

  /** Which way requests go, after the step `address`. */
  get route(): Route {
    return requireFound(this.#route);
  }

  set route(route: Route) {
    this.#route = route;
  }

  /** The open connection, after the step `tcp`. */
  get wire(): Wire {
    return requireFound(this.#wire);
  }

  set wire(wire: Wire) {
    this.#wire = wire;
  }

  /** What carries requests over HTTP, made when it is first asked for and closed with the diagnosis. */
  async transport(): Promise<Transport> {
    this.#transport ??= await this.deps.transport();
    return this.#transport;
  }

  /** Closes the connection that was looked at: HTTP makes its own. */
  closeWire(): void {
    this.#wire?.dispose();
    this.#wire = undefined;
  }

  dispose(): void {
    this.closeWire();
    this.#transport?.dispose();
  }

  /**
   * Runs a task with the time that one step has.
   * @throws StepTimeout, the reason of the diagnosis' signal, or whatever the task throws
   */
  async withTimeout<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = createDeadline(this.deps.clock, [this.signal], this.stepTimeoutMs);
    try {
      return await raceAbort(limit.signal, () => task(limit.signal));
    } catch (error) {
      this.signal.throwIfAborted();
      throw limit.timedOut ? new StepTimeout('The step took too long', { cause: error }) : error;
    } finally {
      limit.dispose();
    }
  }
}

/** What an earlier step has found out; steps are ordered so that it is there. */
function requireFound<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('A step ran before the one it stands on');
  }
  return value;
}
