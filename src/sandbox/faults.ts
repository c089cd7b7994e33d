import * as z from 'zod';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Limits the requests that a fault applies to. */
const scopeShape = {
  /** Applies only to paths that start with this. */
  pathPrefix: z.string().optional(),
  methods: z.array(z.enum(methods)).optional(),
  /** Applies only to every nth matching request: 3 means the third, the sixth, … */
  every: z.int().min(1).optional(),
  /** Fraction of the matching requests, 0 to 1. They are spread evenly, not at random, so that tests are stable. */
  rate: z.number().min(0).max(1).optional(),
  /** Stops after it was applied this many times. */
  count: z.int().min(1).optional(),
  /** Applies the fault before or after the request takes effect; `before` by default. */
  when: z.enum(['before', 'after']).optional(),
};

const textSchema = z.string();
const millisecondsSchema = z.int().min(0);
const errorStatusSchema = z.int().min(400).max(599);

/** The fault switches (decisions.md, "Sandbox"). */
const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms: millisecondsSchema, ...scopeShape }),
  /** An error with a body in the platform's format. */
  z.strictObject({ kind: z.literal('status'), status: errorStatusSchema, ...scopeShape }),
  /** 429; `retryAfter` in seconds. */
  z.strictObject({ kind: z.literal('tooManyRequests'), retryAfter: z.int().min(0), ...scopeShape }),
  /** A web page instead of JSON, as proxies and login pages send. */
  z.strictObject({ kind: z.literal('html'), status: z.int().min(200).max(599).optional(), ...scopeShape }),
  z.strictObject({
    kind: z.literal('emptyBody'),
    status: z.int().min(200).max(599).optional(),
    ...scopeShape,
  }),
  /** A redirect; on POST, PUT, PATCH and DELETE unless `methods` specifies otherwise. */
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.int().min(301).max(308).optional(),
    location: textSchema.optional(),
    ...scopeShape,
  }),
  /** 413 for bodies above this many bytes. */
  z.strictObject({ kind: z.literal('bodyLimit'), bytes: z.int().min(0), ...scopeShape }),
  /** The connection is closed without a response. */
  z.strictObject({ kind: z.literal('drop'), ...scopeShape }),
  /** The connection is closed in the middle of the body. */
  z.strictObject({ kind: z.literal('truncate'), ...scopeShape }),
  /** No response at all; the connection stays open. */
  z.strictObject({ kind: z.literal('hang'), ...scopeShape }),
  /** A body that does not end, or one of `bytes` bytes. */
  z.strictObject({ kind: z.literal('endless'), bytes: z.int().min(1).optional(), ...scopeShape }),
  /** Each build takes this much longer. */
  z.strictObject({ kind: z.literal('slowBuilds'), ms: millisecondsSchema, count: scopeShape.count }),
  /** Each build fails with this message. */
  z.strictObject({
    kind: z.literal('failingBuilds'),
    message: textSchema.optional(),
    table: textSchema.optional(),
    count: scopeShape.count,
  }),
]);
export type Fault = z.infer<typeof faultSchema>;

/** Body of PUT /sandbox/faults: the active faults. An empty list turns all of them off. */
export const faultsSchema = z.strictObject({ faults: z.array(faultSchema) });

type BuildFault = Extract<Fault, { kind: 'slowBuilds' | 'failingBuilds' }>;
/** A fault that applies to a request. */
export type RequestFault = Exclude<Fault, BuildFault>;

/** The properties of a request that faults are matched against. `bodyBytes` is its `content-length`, or 0. */
export interface InterceptedRequest {
  readonly method: string;
  readonly path: string;
  readonly bodyBytes: number;
}

/** The faults to apply to one request: a delay (0 for none), then at most one other fault. */
export interface SelectedFaults {
  readonly delayMs: number;
  readonly fault: Exclude<RequestFault, { kind: 'latency' }> | undefined;
}

/** An active fault, with the number of matching requests or builds and how many of them it was applied to. */
interface FaultSwitch {
  readonly fault: Fault;
  matchCount: number;
  appliedCount: number;
}

const writeMethods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The fault switches of one sandbox. */
export class Faults {
  #switches: readonly FaultSwitch[];

  constructor(faults: readonly Fault[] = []) {
    this.#switches = faults.map(createSwitch);
  }

  /** The active faults, as they were set. */
  get activeFaults(): readonly Fault[] {
    return this.#switches.map(({ fault }) => fault);
  }

  /** Replaces all active faults; counting restarts at 0. */
  set(faults: readonly Fault[]): void {
    this.#switches = faults.map(createSwitch);
  }

  /** Counts a request, and returns the faults to apply to it. */
  selectForRequest(request: InterceptedRequest): SelectedFaults {
    let delayMs = 0;
    for (const entry of this.#switches) {
      const { fault } = entry;
      if (
        fault.kind === 'slowBuilds' ||
        fault.kind === 'failingBuilds' ||
        !matchesRequest(fault, request) ||
        !recordMatch(entry)
      ) {
        continue;
      }
      if (fault.kind !== 'latency') {
        return { delayMs, fault };
      }
      delayMs += fault.ms;
    }
    return { delayMs, fault: undefined };
  }

  /** Counts a build that starts, and returns the faults to apply to it. */
  selectForBuild(): {
    readonly delayMs: number;
    readonly failure: { message: string; table?: string } | undefined;
  } {
    let delayMs = 0;
    let failure: { message: string; table?: string } | undefined;
    for (const entry of this.#switches) {
      const { fault } = entry;
      if (fault.kind === 'slowBuilds' && recordMatch(entry)) {
        delayMs += fault.ms;
      }
      if (fault.kind === 'failingBuilds' && recordMatch(entry)) {
        const table = fault.table === undefined ? {} : { table: fault.table };
        failure = { message: fault.message ?? 'The build failed because of a fault switch', ...table };
      }
    }
    return { delayMs, failure };
  }
}

const createSwitch = (fault: Fault): FaultSwitch => ({ fault, matchCount: 0, appliedCount: 0 });

function matchesRequest(fault: RequestFault, { method, path, bodyBytes }: InterceptedRequest): boolean {
  const matchedMethods: readonly string[] | undefined =
    fault.methods ?? (fault.kind === 'redirect' ? writeMethods : undefined);
  return (
    path.startsWith(fault.pathPrefix ?? '') &&
    (matchedMethods === undefined || matchedMethods.includes(method)) &&
    (fault.kind !== 'bodyLimit' || bodyBytes > fault.bytes)
  );
}

/** Counts a matching request or build; returns true if the fault applies to it. */
function recordMatch(entry: FaultSwitch): boolean {
  const { fault } = entry;
  if (fault.count !== undefined && entry.appliedCount >= fault.count) {
    return false;
  }
  entry.matchCount += 1;
  const { every = 1, rate = 1 } = 'every' in fault || 'rate' in fault ? fault : {};
  const isApplied =
    entry.matchCount % every === 0 &&
    Math.floor(entry.matchCount * rate) > Math.floor((entry.matchCount - 1) * rate);
  entry.appliedCount += isApplied ? 1 : 0;
  return isApplied;
}
