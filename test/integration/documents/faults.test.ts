import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { toCanonicalText } from '../../../src/base/canonicalJson.ts';
import { RulesDifferError } from '../../../src/changes/rules/ruleItems.ts';
import { isServerManagedField } from '../../../src/contract/serverManagedFields.ts';
import type { DocumentRef } from '../../../src/documents/documentAddress.ts';
import { parseJsonText } from '../../../src/documents/jsonText.ts';
import { IncompleteSaveError, SaveNotAppliedError } from '../../../src/documents/saveProblems.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import type { Operation } from '../../../src/changes/model/operation.ts';
import { defined, useSandbox } from '../client/sandboxFixture.ts';
import { realClient } from '../client/support.ts';
import {
  type World,
  connectionId,
  demoDocuments,
  open,
  getPath,
  saveByHand,
  createWorld,
} from './support.ts';
import { isSoak } from '../../support/soak.ts';

/**
 * Every document that can be saved, under every fault of the server: afterwards the server has the old document or the
 * new one, the editor reports which, the next save continues from there, and the history restores the old one. `npm run
 * soak` tests all pairs.
 */
const writes = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * One fault in many tests affects a single request; the waits are short because the client's timeout is. The timeout is
 * longer than the sandbox needs to start the process in which expressions and filters run.
 */
const patienceMs = 3000;

type Struck = Extract<Fault, { when?: unknown }>;
const kinds: readonly Struck[] = [
  ...[400, 401, 403, 404, 408, 409, 413, 500, 502, 503, 504].map(
    (status) => ({ kind: 'status', status }) as const,
  ),
  { kind: 'tooManyRequests', retryAfter: 0 },
  { kind: 'html' },
  { kind: 'html', status: 502 },
  { kind: 'emptyBody' },
  { kind: 'emptyBody', status: 500 },
  { kind: 'redirect' },
  { kind: 'drop' },
  { kind: 'truncate' },
  { kind: 'hang' },
  { kind: 'endless' },
];
const all = kinds.flatMap((fault) =>
  (['before', 'after'] as const).map((when): Struck => ({ ...fault, when })),
);
const few = all.filter(
  (fault) =>
    fault.kind === 'drop' ||
    (fault.kind === 'emptyBody' && fault.status === undefined) ||
    (fault.kind === 'status' && fault.status === 400) ||
    fault.kind === 'truncate',
);

const documents = [
  'dataset',
  'table',
  'tableExpression',
  'columnExpression',
  'relation',
  'rule',
  'columnRules',
  'viewpoint',
  'customDataObject',
] as const satisfies readonly DocumentRef['kind'][];

const fixture = useSandbox();
let client: PlatformClient | undefined;
beforeAll(() => {
  const { url, adminToken } = fixture.sandbox;
  ({ client } = realClient(url, adminToken, { deps: { timeoutMs: patienceMs } }));
});
afterAll(() => client?.dispose());

let turn = 0;

type Json = Record<string, unknown>;

const listed = (rule: Json): Json => ({ ...rule, members: [`M${turn}`], allMembers: null });

/** Changes that differ each time. */
const changes: Readonly<Record<(typeof documents)[number], (text: string) => string>> = {
  dataset: edited((dataset) => ({
    ...dataset,
    connection: { ...(dataset['connection'] as Json), schema: `Turn ${turn}` },
  })),
  table: edited((table) => ({ ...table, description: `Turn ${turn}` })),
  tableExpression: (sql) => `${sql.replace(/ -- \d+$/, '')} -- ${turn}`,
  columnExpression: (sql) => `${sql.replace(/ -- \d+$/, '')} -- ${turn}`,
  relation: edited((relation) => ({ ...relation, columns: (relation['columns'] as unknown[]).toReversed() })),
  rule: edited(listed),
  columnRules: (text) => {
    const [first = {}, ...rest] = JSON.parse(text) as Json[];
    return JSON.stringify([listed(first), ...rest]);
  },
  viewpoint: edited((viewpoint) => ({ ...viewpoint, description: `Turn ${turn}` })),
  customDataObject: edited((object) => ({ ...object, turn })),
};

function edited(change: (value: Json) => Json): (text: string) => string {
  return (text) => JSON.stringify(change(JSON.parse(text) as Json));
}

/** The content of a text without server-managed fields; seeded rules have no creation time yet. */
function said(text: string): string {
  const parsed = parseJsonText(text, { comments: true });
  return 'value' in parsed
    ? toCanonicalText(parsed.value, (name) => name === 'created' || isServerManagedField(name))
    : text;
}

/** The errors of a save that changed nothing: it failed, or the server reported success but kept the old document. */
const reported = [ApiError, SaveNotAppliedError, RulesDifferError];

describe.each(documents)('%s', (kind) => {
  test.each(isSoak ? all : few)('$kind $status $when', async (fault) => {
    const path = getPath((await demoDocuments(fixture.client))[kind]);
    const world = createWorld(defined(client));
    const before = await open(world.documents, path);
    turn += 1;
    const wanted = changes[kind](before);

    await fixture.sandbox.setFaults([{ ...fault, methods: [...writes], count: 1 }]);
    const failure: unknown = await saveByHand(world.documents, path, wanted).then(
      () => undefined,
      (error: unknown) => error,
    );
    await fixture.sandbox.setFaults([]);

    const now = said(await open(createWorld(fixture.client).documents, path));
    expect([said(before), said(wanted)]).toContain(now);
    if (failure === undefined) {
      expect(now).toBe(said(wanted));
    } else if (!(failure instanceof IncompleteSaveError && failure.progress.isUnknown)) {
      expect(reported.some((problem) => failure instanceof problem)).toBe(true);
      expect(now).toBe(said(before));
    }
    await saveByHand(world.documents, path, wanted, { overwrite: true });
    expect(said(await open(createWorld(fixture.client).documents, path))).toBe(said(wanted));

    const [last] = await world.history.readEntries(connectionId);
    await carriedOut(world, (await world.writer.planRestore(defined(last))).operation);
    expect(said(await open(createWorld(fixture.client).documents, path))).toBe(said(before));
  });
});

/** Carries out an operation, approving its plan if there is one. */
async function carriedOut({ writer }: World, operation: Operation): Promise<void> {
  const { planHash } = await writer.plan(operation);
  await writer.run(operation, { approval: writer.approve(planHash) });
}
