import { setImmediate } from 'node:timers/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformClient } from '../../../../src/client/platformClient.ts';
import { writableGuard } from '../../../fakes/guards.ts';
import type { WriteGuard } from '../../../../src/client/guard.ts';
import { TransportFailure } from '../../../../src/client/transport.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  parseLossless,
  stringify,
} from '../../../../src/base/json.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { InstanceCatalog } from '../../../../src/catalog/instanceCatalog.ts';
import type { CatalogChange } from '../../../../src/catalog/instanceCatalog.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { createCatalogSource } from '../../../../src/connections/createCatalogSource.ts';
import { History } from '../../../../src/changes/journal/history.ts';
import { demoSeed } from '../../../../src/sandbox/seeds/demo/demo.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import type { Seed } from '../../../../src/sandbox/seeds/seed.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';
import { Writer } from '../../../../src/changes/run/writer.ts';
import { MemoryTransport } from '../../../fakes/memoryTransport.ts';
import { SeedCollector } from '../../../support/seedCollector.ts';
import { createSandbox } from '../../sandbox/support.ts';
import { createSharedSessions } from '../../../fakes/fakeSessions.ts';

export const connectionId = 'c1';

/** The demo without its files, created once for all tests. */
const getDemoSeed = memoize((): Seed => {
  const folder = mkdtempSync(join(tmpdir(), 'writes-seed-'));
  const collector = new SeedCollector();
  demoSeed.apply(collector, folder);
  rmSync(folder, { recursive: true, force: true });
  return {
    name: 'demo',
    apply(store) {
      collector.users.forEach((user) => store.insertUser(user));
      collector.groups.forEach((group) => store.insertGroup(group));
      collector.datamodels.forEach((model) => store.insertDatamodel(model));
      collector.extractRules.forEach((rule) => store.insertExtractRule(rule));
      collector.liveRules.forEach((rule) => store.insertLiveRule(rule));
      collector.viewpoints.forEach((viewpoint) => store.insertViewpoint(viewpoint));
      collector.customData.forEach((object) => store.insertCustomData(object));
    },
  };
});

function memoize<T>(create: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: create() }).value;
}

/**
 * What happens to a write. `request`: the request is lost and never arrives; `answer`: its response is lost. `refusal`
 * has status 403, `wait` 429; `busy` has status 429 with a short wait, and so has `busy-done`, though the request took
 * effect.
 */
export type WriteFault = 'request' | 'answer' | 'refusal' | 'wait' | 'busy' | 'busy-done';

const busyResponse = { status: 429, headers: { 'retry-after': '1' }, body: '' };

/** Leaves only the IDs and names of the columns of a table. */
function shortenColumns(text: string): string {
  const table = JSON.parse(text) as JsonObject;
  const columns = getColumns(table).map(({ oid = null, id = null, name = null }) => ({ oid, id, name }));
  return JSON.stringify({ ...table, columns });
}

/** A sandbox in memory, by default with the demo, and clients of it whose requests and responses can be lost. */
export class ChangeFixture implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'writes-'));
  readonly sandbox;
  readonly transport: MemoryTransport;
  readonly client: PlatformClient;
  readonly catalog: InstanceCatalog;
  readonly changes: CatalogChange[] = [];
  /** The cube sets that the user has named. */
  cubeSets: readonly RuleSubject[] = [];
  /** The requests that the connection allows. */
  guard: WriteGuard = writableGuard;
  /** Requests with empty responses, as the guide allows for writes; by method and path. */
  hasEmptyResponse: (line: string) => boolean = () => false;
  /** Whether responses have only IDs and names of columns; by method and path. */
  shortensColumns: (line: string) => boolean = () => false;
  /** Lists that are returned in an object with their count; by method and path. */
  returnsListInObject: (line: string) => boolean = () => false;
  /** Whether datamodels are returned without their datasets and relations. */
  omitsContents = false;
  /** Returns the status that a read is refused with, by method and path. */
  getReadRefusal: (line: string) => number | undefined = () => undefined;
  /** Returns what goes wrong with a write request, by method and path. */
  getWriteFault: (line: string) => WriteFault | undefined = () => undefined;
  /** Whether every request fails with status 500, from now on or after the current one. */
  failsAllRequests = false;
  failsAfterRequest = false;

  constructor(sandboxOptions: NonNullable<Parameters<typeof createSandbox>[0]> = {}) {
    this.sandbox = createSandbox({ seed: getDemoSeed(), ...sandboxOptions });
    const { app, tokens } = this.sandbox;
    this.transport = new MemoryTransport(async ({ method, url, headers, body }) => {
      const { pathname, search } = new URL(url);
      if (this.failsAllRequests) {
        return { status: 500, body: '{"error":{"message":"Out of order"}}' };
      }
      const readRefusal = method === 'GET' ? this.getReadRefusal(`${method} ${pathname}`) : undefined;
      if (readRefusal !== undefined) {
        return { status: readRefusal, body: '{"error":{"message":"Refused"}}' };
      }
      const fault = method === 'GET' ? undefined : this.getWriteFault(`${method} ${pathname}`);
      this.failsAllRequests = this.failsAfterRequest;
      if (fault === 'request') {
        return new TransportFailure('reset', { mayHaveBeenSent: true });
      }
      if (fault === 'refusal') {
        return { status: 403, body: '{"error":{"message":"Refused"}}' };
      }
      if (fault === 'wait') {
        // Longer than any client waits.
        return { status: 429, headers: { 'retry-after': '86400' }, body: '' };
      }
      if (fault === 'busy') {
        return busyResponse;
      }
      const response = await app.request(`http://127.0.0.1:4000${pathname}${search}`, {
        method,
        // As a socket would report it.
        headers:
          body === undefined ? headers : { ...headers, 'content-length': `${Buffer.byteLength(body)}` },
        ...(body === undefined ? {} : { body }),
      });
      const fullText = await response.text();
      if (fault === 'busy-done') {
        return busyResponse;
      }
      const isDatamodel = method === 'GET' && /\/datamodels\/[^/]+(?:\/schema)?$/.test(pathname);
      const text =
        this.omitsContents && isDatamodel
          ? omitContents(fullText)
          : this.shortensColumns(`${method} ${pathname}`)
            ? shortenColumns(fullText)
            : fullText;
      return fault === 'answer'
        ? new TransportFailure('reset', { mayHaveBeenSent: true })
        : {
            status: response.status,
            headers: Object.fromEntries(response.headers),
            body: this.hasEmptyResponse(`${method} ${pathname}`)
              ? ''
              : this.returnsListInObject(`${method} ${pathname}`)
                ? `{"items":${text},"total":1}`
                : text,
          };
    });
    this.client = new PlatformClient({
      baseUrl: 'http://127.0.0.1:4000',
      tokenSource: () => Promise.resolve(tokens.adminToken),
      transport: this.transport,
      log: silentLog,
      clock: this.sandbox.clock,
      guard: { getRefusal: (sent) => this.guard.getRefusal(sent) },
      random: () => 0,
    });
    this.catalog = new InstanceCatalog(createCatalogSource(this.client, { getPageSize: () => 100 }));
    this.catalog.onDidChange((change) => this.changes.push(change));
  }

  /** A new window: another writer on the same history. */
  open(limits = { maxBytes: 50_000_000, maxAgeMs: 1e12 }) {
    const history = new History({
      folder: join(this.folder, 'history'),
      getLimits: () => limits,
      clock: this.sandbox.clock,
      log: silentLog,
    });
    const sessions = createSharedSessions(() => ({ client: this.client, catalog: this.catalog }));
    const writer = new Writer({
      sessions,
      history,
      getCubeSets: () => this.cubeSets,
      clock: this.sandbox.clock,
      log: silentLog,
    });
    return { history, writer };
  }

  read(ref: ResourceRef): Promise<JsonValue | undefined> {
    return new DocumentReader(this.client).readDocument(ref);
  }

  async readObject(ref: ResourceRef): Promise<JsonObject> {
    const document = await this.read(ref);
    if (!isJsonObject(document)) {
      throw new Error(`There is no ${JSON.stringify(ref)}`);
    }
    return document;
  }

  /** All write requests so far, as method and path. */
  getWriteRequests(): readonly string[] {
    return this.transport.requestLines.filter((line) => !line.startsWith('GET'));
  }

  [Symbol.dispose](): void {
    this.client.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Omits the datasets and relations from the text of a datamodel. */
function omitContents(text: string): string {
  const document = parseLossless(text);
  if (!isJsonObject(document)) {
    return text;
  }
  const { datasets: _datasets, relations: _relations, ...others } = document;
  return stringify(others);
}

/** A live rule that lets one user see one country. */
export const createCountryRule = (member: string) => ({
  _id: `id of ${member}`,
  table: 'Tickets',
  column: 'Country',
  datatype: 'text',
  members: [member],
  shares: [{ type: 'user', partyId: 'u1' }],
});

/** An operation of one or more writes. */
export const createOperation = (
  writes: readonly Write[],
  cause: Operation['cause'] = 'save',
  name = 'It',
): Operation => ({ connectionId, cause, subject: { name, within: [] }, writes });

const datasetNames: Readonly<Record<string, string>> = {
  Orders: 'Sales',
  'Order Items': 'Sales',
  Returns: 'Sales',
  Calendar: 'Time',
  'Monthly Store Sales': 'Custom Tables',
  'Customer Value': 'Custom Tables',
  'Store Ranking': 'Custom Tables',
};

/** A table of the demo's Retail model. */
export const createTableRef = (table: string) =>
  ({
    kind: 'table',
    datamodelId: createSeedOid('Retail'),
    datasetId: createSeedOid(`Retail/dataset/${datasetNames[table] ?? 'Master Data'}`),
    tableId: createSeedOid(`Retail/${table}`),
  }) as const;

export const getIds = ({ kind: _kind, ...ids }: ResourceRef): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ids).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

export const createTableUpdate = (table: string, body: JsonObject): Write => ({
  endpoint: 'tables.update',
  params: getIds(createTableRef(table)),
  body,
  target: createTableRef(table),
});

/** The columns of a table document. */
export const getColumns = (table: JsonValue | undefined): readonly JsonObject[] =>
  isJsonObject(table) && Array.isArray(table['columns'])
    ? (table['columns'] as readonly JsonValue[]).filter(isJsonObject)
    : [];

/** Returns the error that a call rejects with. */
export async function getFailure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('It succeeded');
    },
    (reason: unknown) => reason,
  );
}

/**
 * Advances time until a promise has settled: pauses for busy servers and between reads cost no real time. Only as far as
 * the next timer, since work between two pauses takes no time.
 */
export async function advanceUntilSettled<T>(fixture: ChangeFixture, promise: Promise<T>): Promise<T> {
  const { clock } = fixture.sandbox;
  const state = { isOver: false };
  const watched = promise.finally(() => {
    state.isOver = true;
  });
  watched.catch(() => undefined);
  while (!state.isOver) {
    // Requests in progress are answered first: their time limits are timers, too.
    for (let turn = 0; turn < 5; turn += 1) {
      await setImmediate();
    }
    await clock.advance(clock.nextDelay ?? 0);
  }
  // The history sorts operations by when they began.
  await clock.advance(1);
  return watched;
}
