import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { toCanonicalText } from '../../../src/base/canonicalJson.ts';
import { RulesDifferError } from '../../../src/changes/rules/ruleItems.ts';
import { isServerManagedField } from '../../../src/contract/serverManagedFields.ts';
import type { DocumentRef } from '../../../src/documents/documentAddress.ts';
import { parseJsonText } from '../../../src/documents/jsonText.ts';
import { IncompleteSaveError, SaveNotAppliedError } from '../../../src/documents/saveErrors.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import type { Operation } from '../../../src/changes/model/operation.ts';
import { useSandbox } from '../client/sandboxFixture.ts';
import { createRealClient } from '../client/realClient.ts';
import {
  type EditorWindow,
  connectionId,
  getDemoDocuments,
  openDocument,
  getPath,
  saveLikeEditor,
  openWindow,
} from './editorWindow.ts';
import { isSoak } from '../../support/soak.ts';
import { expectDefined } from '../../support/expectations.ts';
import { planRestore } from '../../support/planRestore.ts';

/**
 * Saves each kind of document under each fault of the server. After every save, the server must have either the old
 * document or the new one, the editor must report which, the next save must work, and the history must be able to
 * restore the old document. Only `npm run soak` tests all combinations.
 */
const writeMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * The client's timeout: short, because some faults make every test wait for it, but longer than the sandbox needs to
 * start the process in which expressions and filters run.
 */
const timeoutMs = 3000;

type TimedFault = Extract<Fault, { when?: unknown }>;
const untimedFaults: readonly TimedFault[] = [
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
const allFaults = untimedFaults.flatMap((fault) =>
  (['before', 'after'] as const).map((when): TimedFault => ({ ...fault, when })),
);
const commonFaults = allFaults.filter(
  (fault) =>
    fault.kind === 'drop' ||
    (fault.kind === 'emptyBody' && fault.status === undefined) ||
    (fault.kind === 'status' && fault.status === 400) ||
    fault.kind === 'truncate',
);

const documentKinds = [
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
  ({ client } = createRealClient(url, adminToken, { deps: { timeoutMs } }));
});
afterAll(() => client?.dispose());

let changeNumber = 0;

type Json = Record<string, unknown>;

const withMember = (rule: Json): Json => ({ ...rule, members: [`M${changeNumber}`], allMembers: null });

/** For each kind of document, changes its text; the change differs on each call. */
const changes: Readonly<Record<(typeof documentKinds)[number], (text: string) => string>> = {
  dataset: editJson((dataset) => ({
    ...dataset,
    connection: { ...(dataset['connection'] as Json), schema: `Turn ${changeNumber}` },
  })),
  table: editJson((table) => ({ ...table, description: `Turn ${changeNumber}` })),
  tableExpression: (sql) => `${sql.replace(/ -- \d+$/, '')} -- ${changeNumber}`,
  columnExpression: (sql) => `${sql.replace(/ -- \d+$/, '')} -- ${changeNumber}`,
  relation: editJson((relation) => ({
    ...relation,
    columns: (relation['columns'] as unknown[]).toReversed(),
  })),
  rule: editJson(withMember),
  columnRules: (text) => {
    const [firstRule = {}, ...rest] = JSON.parse(text) as Json[];
    return JSON.stringify([withMember(firstRule), ...rest]);
  },
  viewpoint: editJson((viewpoint) => ({ ...viewpoint, description: `Turn ${changeNumber}` })),
  customDataObject: editJson((object) => ({ ...object, turn: changeNumber })),
};

function editJson(change: (value: Json) => Json): (text: string) => string {
  return (text) => JSON.stringify(change(JSON.parse(text) as Json));
}

/** The content of a text without server-managed fields; seeded rules have no creation time yet. */
function getContent(text: string): string {
  const parsed = parseJsonText(text, { allowsComments: true });
  return 'value' in parsed
    ? toCanonicalText(parsed.value, (name) => name === 'created' || isServerManagedField(name))
    : text;
}

/** The errors after a save that changed nothing: the save failed, or the server reported success without a change. */
const errorsWithoutChange = [ApiError, SaveNotAppliedError, RulesDifferError];

describe.each(documentKinds)('%s', (kind) => {
  test.each(isSoak ? allFaults : commonFaults)(
    'fault $kind $status $when the write: the save is complete or changes nothing',
    async (fault) => {
      const path = getPath((await getDemoDocuments(fixture.client))[kind]);
      const window = openWindow(expectDefined(client));
      const before = await openDocument(window.documents, path);
      changeNumber += 1;
      const changed = changes[kind](before);

      await fixture.sandbox.setFaults([{ ...fault, methods: [...writeMethods], count: 1 }]);
      const failure: unknown = await saveLikeEditor(window.documents, path, changed).then(
        () => undefined,
        (error: unknown) => error,
      );
      await fixture.sandbox.setFaults([]);

      const currentContent = getContent(await openDocument(openWindow(fixture.client).documents, path));
      expect([getContent(before), getContent(changed)]).toContain(currentContent);
      if (failure === undefined) {
        expect(currentContent).toBe(getContent(changed));
      } else if (!(failure instanceof IncompleteSaveError && failure.progress.hasUnknownOutcome)) {
        expect(errorsWithoutChange.some((problem) => failure instanceof problem)).toBe(true);
        expect(currentContent).toBe(getContent(before));
      }
      await saveLikeEditor(window.documents, path, changed, { overwrite: true });
      expect(getContent(await openDocument(openWindow(fixture.client).documents, path))).toBe(
        getContent(changed),
      );

      const [last] = await window.history.readEntries(connectionId);
      await performOperation(window, (await planRestore(window.writer, expectDefined(last))).operation);
      expect(getContent(await openDocument(openWindow(fixture.client).documents, path))).toBe(
        getContent(before),
      );
    },
  );
});

/** Carries out an operation, approving its plan if there is one. */
async function performOperation({ writer }: EditorWindow, operation: Operation): Promise<void> {
  const { planHash } = await writer.plan(operation);
  await writer.run(operation, { approval: writer.approve(planHash) });
}
