import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import type { EndpointId, PathDialect } from '../contract/endpoints.ts';
import { getEndpoint } from './apiError.ts';
import { DialectDetector } from './dialect.ts';
import type { EndpointMethods } from './endpointMethods.ts';
import type { WriteGuard } from './guard.ts';
import { HttpError } from './httpError.ts';
import { observeSend, type SendObserver } from './observeSend.ts';
import { Pipeline } from './pipeline.ts';
import { BuildsResource } from './resources/builds.ts';
import { CustomDataResource } from './resources/customData.ts';
import { DatamodelsResource } from './resources/datamodels.ts';
import { DatasetsResource, RelationsResource, TablesResource } from './resources/datamodelParts.ts';
import { ExtractRulesResource, LiveRulesResource } from './resources/rules.ts';
import { GroupsResource, SessionResource, UsersResource } from './resources/people.ts';
import { ViewpointsResource } from './resources/viewpoints.ts';
import { type RetryPolicy, defaultRetryPolicy } from './pacing.ts';
import type { Send } from './send.ts';
import type { ServerCapabilities } from './serverCapabilities.ts';
import type { Transport } from './transport.ts';

export interface PlatformClientDeps {
  /** `http` or `https`, with an optional path before the platform's own. */
  readonly baseUrl: string;
  /** The current API token; `undefined` when the connection is signed out. Called once per request. */
  readonly tokenSource: () => Promise<string | undefined>;
  /** The tenant on whose behalf viewpoint calls run (rest-api.md, "Viewpoint API"). */
  readonly tenantId?: string;
  /** Owned by the client from now on: it is disposed with it. */
  readonly transport: Transport;
  readonly log: Log;
  readonly clock: Clock;
  readonly guard: WriteGuard;
  /** The remembered dialect of the instance (see {@link PlatformClient.onDidChangeDialect}); `plain` by default. */
  readonly dialect?: PathDialect;
  /** Returns a number from 0 up to 1; spreads the pauses between attempts. */
  readonly random?: () => number;
  readonly retry?: RetryPolicy;
  /** Time limit of one exchange, in milliseconds; 60 seconds by default. */
  readonly timeoutMs?: number;
  /** Maximum number of concurrent requests; 6 by default. */
  readonly concurrency?: number;
}

const defaultTimeoutMs = 60_000;
const defaultConcurrency = 6;

/**
 * The platform's REST API: a typed method for every endpoint of the contract, named after its ID. The parameters of the
 * path come first, then the data to write, then options, and an AbortSignal last. Every method returns an `ApiResponse`
 * and rejects with an `ApiError`, or with an import error if files of the installation are missing. Nothing is sent
 * before the first call. The code that creates and checks the body of a write is loaded by the first such write:
 * callers that only read do not need it.
 */
export class PlatformClient implements EndpointMethods, Disposable {
  readonly session: SessionResource;
  readonly groups: GroupsResource;
  readonly users: UsersResource;
  readonly extractRules: ExtractRulesResource;
  readonly liveRules: LiveRulesResource;
  readonly datamodels: DatamodelsResource;
  readonly datasets: DatasetsResource;
  readonly tables: TablesResource;
  readonly relations: RelationsResource;
  readonly builds: BuildsResource;
  readonly customData: CustomDataResource;
  readonly viewpoints: ViewpointsResource;
  /** The capabilities of the server that were detected so far. */
  readonly capabilities: ServerCapabilities = {};
  readonly #transport: Transport;
  readonly #pipeline: Pipeline;
  readonly #dialect: DialectDetector;
  readonly #send: Send;

  constructor(deps: PlatformClientDeps) {
    this.#transport = deps.transport;
    this.#pipeline = new Pipeline({
      ...deps,
      random: deps.random ?? Math.random,
      retry: deps.retry ?? defaultRetryPolicy,
      timeoutMs: deps.timeoutMs ?? defaultTimeoutMs,
      concurrency: deps.concurrency ?? defaultConcurrency,
    });
    this.#dialect = new DialectDetector(this.#pipeline, deps.dialect ?? 'plain');
    const send = this.#createSend();
    this.#send = send;
    this.session = new SessionResource(send);
    this.groups = new GroupsResource(send);
    this.users = new UsersResource(send);
    this.extractRules = new ExtractRulesResource(send);
    this.liveRules = new LiveRulesResource(send, this.capabilities);
    this.datamodels = new DatamodelsResource(send, this.capabilities);
    this.datasets = new DatasetsResource(send);
    this.tables = new TablesResource(send, this.capabilities);
    this.relations = new RelationsResource(send);
    this.builds = new BuildsResource(send);
    this.customData = new CustomDataResource(send);
    this.viewpoints = new ViewpointsResource(send);
  }

  /** The dialect of the instance's datamodel paths that was detected so far. */
  get dialect(): PathDialect {
    return this.#dialect.current;
  }

  /** Fires when the instance turns out to use the other dialect, so that it can be remembered for the next session. */
  get onDidChangeDialect(): Event<PathDialect> {
    return this.#dialect.onDidChange;
  }

  /**
   * Checks if the connection allows an operation, before anything is prepared; the guard is checked again when the
   * operation is sent.
   * @throws ReadOnlyError when the connection does not allow such an operation now
   */
  checkWriteAllowed(endpoint: EndpointId): void {
    this.#pipeline.checkWriteAllowed(endpoint);
  }

  /** Creates a function that sends requests and records from the responses whether the user may change rules. */
  #createSend(): Send {
    const send: Send = (endpoint, params, options = {}) => this.#dialect.send(endpoint, params, options);
    return async (endpoint, params, options) => {
      if (getEndpoint(endpoint).requiresAdministrator !== true) {
        return send(endpoint, params, options);
      }
      try {
        const response = await send(endpoint, params, options);
        this.capabilities.allowsRuleChanges = true;
        return response;
      } catch (error) {
        if (error instanceof HttpError && error.isForbidden) {
          this.capabilities.allowsRuleChanges = false;
        }
        throw error;
      }
    };
  }

  /** Returns the endpoints of rules, whose requests that change rules are passed to an observer. */
  observeRules(observer: SendObserver): Pick<PlatformClient, 'extractRules' | 'liveRules'> {
    const send = observeSend(this.#send, observer);
    return {
      extractRules: new ExtractRulesResource(send),
      liveRules: new LiveRulesResource(send, this.capabilities),
    };
  }

  /** Aborts operations in progress, which fail with a `ConnectionClosedError`, and closes the connections. */
  dispose(): void {
    this.#pipeline.dispose();
    this.#dialect.dispose();
    this.#transport.dispose();
  }
}
