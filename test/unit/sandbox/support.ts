import { createTokens } from '../../../src/sandbox/auth.ts';
import { createApp } from '../../../src/sandbox/app.ts';
import { BrokenResponse } from '../../../src/sandbox/faultResponses.ts';
import { BuildService } from '../../../src/sandbox/builds/buildService.ts';
import type {
  BuildEngine,
  BuildJob,
  BuildOutcome,
  EngineTasks,
} from '../../../src/sandbox/engine/buildEngine.ts';
import type { DatamodelType } from '../../../src/contract/datamodel.ts';
import { getTimestamp } from '../../../src/sandbox/editContext.ts';
import { createEngineTasks, runTask } from '../../../src/sandbox/engine/tasks.ts';
import { Faults } from '../../../src/sandbox/faults.ts';
import { createIdGenerator } from '../../../src/sandbox/ids.ts';
import { createDatamodelDocument } from '../../../src/sandbox/models/datamodelDocument.ts';
import type { ProfileName, SameSharesMode } from '../../../src/sandbox/profiles/profile.ts';
import { getProfile } from '../../../src/sandbox/profiles/profiles.ts';
import { builtInUsers, type Seed } from '../../../src/sandbox/seeds/seed.ts';
import { Store } from '../../../src/sandbox/store.ts';
import { silentLog } from '../../../src/base/log.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';

/** The IDs of the users and groups in the sandbox of every test. */
export const partyIds = {
  ann: '0000000000000000000000a1',
  bob: '0000000000000000000000b2',
  sales: '0000000000000000000000c3',
  finance: '0000000000000000000000d4',
} as const;

const createUser = (id: string, name: string) => ({
  _id: id,
  userName: name,
  email: '',
  firstName: name,
  lastName: '',
});

/** A seed with only the users and groups of {@link partyIds}. */
export const testSeed: Seed = {
  name: 'empty',
  apply(store) {
    store.insertUser(createUser(partyIds.ann, 'Ann'));
    store.insertUser(createUser(partyIds.bob, 'Bob'));
    store.insertGroup({ _id: partyIds.sales, name: 'Sales', members: [partyIds.ann] });
    store.insertGroup({
      _id: partyIds.finance,
      name: 'Finance',
      members: [partyIds.bob, builtInUsers.user._id],
    });
  },
};

/** An engine whose builds end at once with `outcome`, or else when the test ends them. */
class FakeEngine implements BuildEngine {
  readonly jobs: BuildJob[] = [];
  readonly #running: { resolve: (outcome: BuildOutcome) => void; reject: (error: Error) => void }[] = [];
  /** The result of builds that end at once; `undefined` makes them wait for {@link finish} or {@link crash}. */
  outcome: BuildOutcome | ((job: BuildJob) => BuildOutcome) | undefined = {
    status: 'done',
    columns: {},
    rowCounts: {},
  };

  run(job: BuildJob, signal: AbortSignal): Promise<BuildOutcome> {
    this.jobs.push(job);
    if (this.outcome !== undefined) {
      return Promise.resolve(typeof this.outcome === 'function' ? this.outcome(job) : this.outcome);
    }
    const { promise, resolve, reject } = Promise.withResolvers<BuildOutcome>();
    this.#running.push({ resolve, reject });
    signal.addEventListener('abort', () => resolve({ status: 'cancelled' }), { once: true });
    return promise;
  }

  finish(outcome: BuildOutcome): void {
    this.#running.shift()?.resolve(outcome);
  }

  crash(error: Error): void {
    this.#running.shift()?.reject(error);
  }
}

/** A JSON response. `body` is the result of JSON.parse. */
export interface Reply {
  readonly status: number;
  // Tests read responses of every shape.
  readonly body: ReturnType<typeof JSON.parse>;
  readonly text: string;
  readonly headers: Headers;
  /** How the listener should break the connection; `undefined` if it should not. */
  readonly connectionFault: BrokenResponse['fault'] | undefined;
}

export interface SendOptions {
  readonly as?: 'administrator' | 'user' | 'nobody';
  readonly headers?: Readonly<Record<string, string>>;
}

const port = 4000;

/** One sandbox in memory, called without a socket. */
export function createSandbox(
  options: {
    readonly seed?: Seed;
    readonly retentionMs?: number;
    readonly maxBodyBytes?: number;
    readonly profile?: ProfileName;
    readonly sameShares?: SameSharesMode;
    /** Replaces tasks of the engine. */
    readonly tasks?: Partial<EngineTasks>;
    /** Empty models that exist and are built, or published, from the start. */
    readonly built?: readonly { readonly title: string; readonly type: DatamodelType }[];
  } = {},
) {
  const store = new Store(':memory:');
  const clock = new FakeClock();
  const ids = createIdGenerator(clock);
  const engine = new FakeEngine();
  const faults = new Faults();
  const tokens = createTokens();
  store.seed(options.seed ?? testSeed, '/nowhere');
  const builds = new BuildService({
    engine,
    store,
    faults,
    clock,
    ids,
    log: silentLog,
    folder: '/nowhere',
    delayMs: 0,
    retentionMs: options.retentionMs ?? 600_000,
  });
  for (const { title, type } of options.built ?? []) {
    const oid = ids.createOid();
    const model = createDatamodelDocument({
      oid,
      title,
      type,
      creator: undefined,
      timestamp: getTimestamp(clock),
    });
    store.datamodels.insert(model);
    store.datamodels.setBuiltSchema(oid, model);
  }
  const errors: string[] = [];
  const app = createApp({
    store,
    builds,
    tasks: { ...createEngineTasks(async (task) => ({ result: runTask(task) })), ...options.tasks },
    profile: getProfile(options.profile ?? 'guide', options.sameShares),
    faults,
    clock,
    ids,
    tokens,
    log: {
      ...silentLog,
      error: (_tag, message, facts) => errors.push(`${message} ${JSON.stringify(facts)}`),
    },
    maxBodyBytes: options.maxBodyBytes ?? 1_000_000,
    identity: { pid: 1, folder: '/nowhere' },
    getPort: () => port,
  });
  const authorization = { administrator: tokens.adminToken, user: tokens.userToken, nobody: undefined };

  /** Sends a request; a text body is sent as it is, anything else as JSON. */
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    { as = 'administrator', headers }: SendOptions = {},
  ): Promise<Reply> => {
    const token = authorization[as];
    const response = await app.request(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson =
      response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return {
      status: response.status,
      text,
      headers: response.headers,
      connectionFault: response instanceof BrokenResponse ? response.fault : undefined,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
  return { app, store, clock, engine, faults, tokens, builds, errors, send };
}

export type TestSandbox = ReturnType<typeof createSandbox>;

/** A CSV connection that lists these files. */
export const createCsvConnection = (...files: string[]) => ({
  provider: 'CSV',
  schema: files[0],
  parameters: { ApiVersion: '2', files },
});

export const createColumn = (id: string, type = 18) => ({ id, type });

/** An extract model with a base dataset and a custom one; two base tables that can be related. */
export async function createRetail({ send }: TestSandbox) {
  const create = async (path: string, body: unknown): Promise<Reply['body']> => {
    const reply = await send('POST', path, body);
    if (reply.status !== 201) {
      throw new Error(`${path} answers ${reply.status} ${reply.text}`);
    }
    return reply.body;
  };
  const model = await create('/api/v2/datamodels', { title: 'Retail' });
  const path = `/api/v2/datamodels/${model.oid}`;
  const dataset = await create(`${path}/datasets`, {
    name: 'Files',
    type: 'extract',
    connection: createCsvConnection('orders.csv', 'customers.csv'),
  });
  const customDataset = await create(`${path}/datasets`, { name: 'Custom', type: 'custom' });
  const datasetPath = `${path}/datasets/${dataset.oid}`;
  const customPath = `${path}/datasets/${customDataset.oid}`;
  const orders = await create(`${datasetPath}/tables`, {
    id: 'orders.csv',
    name: 'Orders',
    columns: [createColumn('Id', 8), createColumn('Customer', 8), createColumn('Total', 40)],
  });
  const customers = await create(`${datasetPath}/tables`, {
    id: 'customers.csv',
    name: 'Customers',
    columns: [createColumn('Id', 8), createColumn('Name')],
  });
  const createEnd = (table: Reply['body'], columnIndex: number) => ({
    dataset: dataset.oid,
    table: table.oid,
    column: table.columns[columnIndex].oid,
  });
  const ends = [createEnd(orders, 1), createEnd(customers, 0)];
  return {
    model,
    path,
    dataset,
    datasetPath,
    custom: customDataset,
    customPath,
    orders,
    customers,
    ends,
    create,
    createEnd,
  };
}

/** A rule of the extract model Retail. */
export const createRule = (changes: Readonly<Record<string, unknown>> = {}) => ({
  table: 'Orders',
  column: 'Region',
  datatype: 'text',
  members: ['North'],
  allMembers: null,
  shares: [{ party: partyIds.ann, type: 'user' }],
  ...changes,
});

/** A rule of the live model Support. */
export const createLiveRule = (changes: Readonly<Record<string, unknown>> = {}) => ({
  ...createRule({ shares: [{ partyId: partyIds.ann, type: 'user' }] }),
  fullname: 'live:Support',
  live: true,
  ...changes,
});
