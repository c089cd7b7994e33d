import * as z from 'zod';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Which requests a fault meets. */
const scopeSchema = {
  /** Only paths that start so. */
  pathPrefix: z.string().optional(),
  methods: z.array(z.enum(methods)).optional(),
  /** Only each nth of the requests it meets: 3 means the third, the sixth, … */
  every: z.int().min(1).optional(),
  /** Share of the requests it meets, 0 to 1, spread evenly, so that a test can count on it. */
  rate: z.number().min(0).max(1).optional(),
  /** Ends after it has struck this often. */
  count: z.int().min(1).optional(),
  /** Whether the request has taken effect when it strikes; `before` unless said. */
  when: z.enum(['before', 'after']).optional(),
};

const textSchema = z.string();
const millisecondsSchema = z.int().min(0);
const errorStatusSchema = z.int().min(400).max(599);

/** The fault switches (design.md, section 5). */
const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('latency'), ms: millisecondsSchema, ...scopeSchema }),
  /** An error with a body as the platform writes it. */
  z.strictObject({ kind: z.literal('status'), status: errorStatusSchema, ...scopeSchema }),
  /** 429; `retryAfter` in seconds. */
  z.strictObject({ kind: z.literal('tooManyRequests'), retryAfter: z.int().min(0), ...scopeSchema }),
  /** A web page where JSON belongs, as proxies and login pages answer. */
  z.strictObject({ kind: z.literal('html'), status: z.int().min(200).max(599).optional(), ...scopeSchema }),
  z.strictObject({
    kind: z.literal('emptyBody'),
    status: z.int().min(200).max(599).optional(),
    ...scopeSchema,
  }),
  /** A redirect; on POST, PUT, PATCH and DELETE unless `methods` says otherwise. */
  z.strictObject({
    kind: z.literal('redirect'),
    status: z.int().min(301).max(308).optional(),
    location: textSchema.optional(),
    ...scopeSchema,
  }),
  /** 413 for bodies above this many bytes. */
  z.strictObject({ kind: z.literal('bodyLimit'), bytes: z.int().min(0), ...scopeSchema }),
  /** The connection is closed without an answer. */
  z.strictObject({ kind: z.literal('drop'), ...scopeSchema }),
  /** The connection is closed in the middle of the body. */
  z.strictObject({ kind: z.literal('truncate'), ...scopeSchema }),
  /** No answer at all; the connection stays open. */
  z.strictObject({ kind: z.literal('hang'), ...scopeSchema }),
  /** A body that does not end, or one of `bytes` bytes. */
  z.strictObject({ kind: z.literal('endless'), bytes: z.int().min(1).optional(), ...scopeSchema }),
  /** Each build takes so much longer. */
  z.strictObject({ kind: z.literal('slowBuilds'), ms: millisecondsSchema, count: scopeSchema.count }),
  /** Each build fails with these words. */
  z.strictObject({
    kind: z.literal('failingBuilds'),
    message: textSchema.optional(),
    table: textSchema.optional(),
    count: scopeSchema.count,
  }),
]);
export type Fault = z.infer<typeof faultSchema>;

/** Body of PUT /sandbox/faults: the switches that are on; an empty list turns all of them off. */
export const faultsSchema = z.strictObject({ faults: z.array(faultSchema) });

type BuildFault = Extract<Fault, { kind: 'slowBuilds' | 'failingBuilds' }>;
/** A fault that strikes a request. */
export type RequestFault = Exclude<Fault, BuildFault>;

/** A request as a fault sees it. `bodyBytes` is the declared length, 0 when there is none. */
export interface FaultyRequest {
  readonly method: string;
  readonly path: string;
  readonly bodyBytes: number;
}

/** What strikes one request: a wait, and then at most one other fault. */
export interface FaultStrike {
  readonly delayMs: number;
  readonly fault: Exclude<RequestFault, { kind: 'latency' }> | undefined;
}

/** A switch with what it has seen. */
interface FaultSwitch {
  readonly fault: Fault;
  met: number;
  struck: number;
}

const writeMethods: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The fault switches of one sandbox. */
export class Faults {
  #switches: readonly FaultSwitch[];

  constructor(faults: readonly Fault[] = []) {
    this.#switches = faults.map(createSwitch);
  }

  /** The switches that are on, as they were set. */
  get current(): readonly Fault[] {
    return this.#switches.map(({ fault }) => fault);
  }

  /** Replaces all switches; their counts start again. */
  set(faults: readonly Fault[]): void {
    this.#switches = faults.map(createSwitch);
  }

  /** What strikes this request. Counts it. */
  strike(request: FaultyRequest): FaultStrike {
    let delayMs = 0;
    for (const entry of this.#switches) {
      const { fault } = entry;
      if (
        fault.kind === 'slowBuilds' ||
        fault.kind === 'failingBuilds' ||
        !matchesRequest(fault, request) ||
        !shouldStrike(entry)
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

  /** What strikes a build that starts. Counts it. */
  strikeBuild(): {
    readonly delayMs: number;
    readonly failure: { message: string; table?: string } | undefined;
  } {
    let delayMs = 0;
    let failure: { message: string; table?: string } | undefined;
    for (const entry of this.#switches) {
      const { fault } = entry;
      if (fault.kind === 'slowBuilds' && shouldStrike(entry)) {
        delayMs += fault.ms;
      }
      if (fault.kind === 'failingBuilds' && shouldStrike(entry)) {
        const table = fault.table === undefined ? {} : { table: fault.table };
        failure = { message: fault.message ?? 'The build fails because a fault switch says so', ...table };
      }
    }
    return { delayMs, failure };
  }
}

const createSwitch = (fault: Fault): FaultSwitch => ({ fault, met: 0, struck: 0 });

function matchesRequest(fault: RequestFault, { method, path, bodyBytes }: FaultyRequest): boolean {
  const allowed: readonly string[] | undefined =
    fault.methods ?? (fault.kind === 'redirect' ? writeMethods : undefined);
  return (
    path.startsWith(fault.pathPrefix ?? '') &&
    (allowed === undefined || allowed.includes(method)) &&
    (fault.kind !== 'bodyLimit' || bodyBytes > fault.bytes)
  );
}

function shouldStrike(entry: FaultSwitch): boolean {
  const { fault } = entry;
  if (fault.count !== undefined && entry.struck >= fault.count) {
    return false;
  }
  entry.met += 1;
  const { every = 1, rate = 1 } = 'every' in fault || 'rate' in fault ? fault : {};
  const strikes =
    entry.met % every === 0 && Math.floor(entry.met * rate) > Math.floor((entry.met - 1) * rate);
  entry.struck += strikes ? 1 : 0;
  return strikes;
}
