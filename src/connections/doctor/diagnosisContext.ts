import { combineSignals, raceAbort } from '../../client/abort.ts';
import type { ProxySettings } from '../../client/network.ts';
import type { Transport } from '../../client/transport.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import type { Connection } from '../connection.ts';
import type { TokenStore } from '../tokenStore.ts';
import type { WriteRefusal } from '../writeLocks.ts';
import type { Probes, ProbeSocket } from './probes.ts';
import type { Route } from './route.ts';

/** The dependencies of the doctor. Settings are read again for each diagnosis: the user may just have changed one. */
export interface DoctorDeps {
  readonly probes: Probes;
  /** Finds the address of a connection; starts the sandbox if needed. */
  readonly ensureAddress: (connection: Connection) => Promise<string>;
  readonly tokens: Pick<TokenStore, 'get'>;
  readonly locks: { getRefusal(connection: Connection): WriteRefusal | undefined };
  /** The route of requests, and whether certificates are checked: the same settings as the client's. */
  readonly getNetworkSettings: () => ProxySettings & { readonly strictSSL: boolean };
  /** The certificates that the user added, as PEM texts; rejects if they cannot be read. */
  readonly loadCertificates: () => Promise<readonly string[]>;
  /** The transport of the client's requests. */
  readonly createTransport: () => Promise<Transport>;
  readonly clock: Clock;
  readonly log: Log;
  /** The client's timeout for a response. */
  readonly getLimits: () => { readonly timeoutMs: number };
}

/**
 * Upper limit for each step, since the user waits for the diagnosis, whatever the client's timeout is. In milliseconds.
 */
const maxStepMs = 20_000;

/** A step exceeded its time limit. */
export class StepTimeout extends Error {
  override readonly name = 'StepTimeout';
}

/** A diagnosis in progress: holds the results of earlier steps for later ones. */
export class DiagnosisContext implements Disposable {
  readonly deps: DoctorDeps;
  readonly connection: Connection;
  /** Cancels the diagnosis. */
  readonly signal: AbortSignal;
  #address: string | undefined;
  #route: Route | undefined;
  #socket: ProbeSocket | undefined;
  #transport: Transport | undefined;

  constructor(deps: DoctorDeps, connection: Connection, signal: AbortSignal) {
    this.deps = deps;
    this.connection = connection;
    this.signal = signal;
  }

  /** Time limit of one step, in milliseconds. */
  get stepTimeoutMs(): number {
    return Math.min(maxStepMs, this.deps.getLimits().timeoutMs);
  }

  /** The address of the instance, after the step `address`. */
  get address(): string {
    return requireStepResult(this.#address);
  }

  set address(address: string) {
    this.#address = address;
  }

  /** The route of requests, after the step `address`. */
  get route(): Route {
    return requireStepResult(this.#route);
  }

  set route(route: Route) {
    this.#route = route;
  }

  /** The open connection, after the step `tcp`. */
  get socket(): ProbeSocket {
    return requireStepResult(this.#socket);
  }

  set socket(socket: ProbeSocket) {
    this.#socket = socket;
  }

  /** The transport for HTTP, created on first use and closed with the diagnosis. */
  async getTransport(): Promise<Transport> {
    this.#transport ??= await this.deps.createTransport();
    return this.#transport;
  }

  /** Closes the socket of the network steps; the HTTP steps open their own connections. */
  closeSocket(): void {
    this.#socket?.dispose();
    this.#socket = undefined;
  }

  dispose(): void {
    this.closeSocket();
    this.#transport?.dispose();
  }

  /**
   * Runs a task within the time limit of one step.
   * @throws StepTimeout, the reason of the diagnosis' signal, or whatever the task throws
   */
  async withTimeout<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = combineSignals(this.deps.clock, [this.signal], this.stepTimeoutMs);
    try {
      return await raceAbort(deadline.signal, () => task(deadline.signal));
    } catch (error) {
      this.signal.throwIfAborted();
      throw deadline.hasTimedOut ? new StepTimeout('The step took too long', { cause: error }) : error;
    } finally {
      deadline.dispose();
    }
  }
}

/** The result of an earlier step; the order of the steps guarantees that it exists. */
function requireStepResult<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('A step ran before the one it depends on');
  }
  return value;
}
