import type { JsonObject } from '../../../src/base/json.ts';
import { findChangedColumns } from '../../../src/changes/journal/changedColumns.ts';
import type { HistoryEntry } from '../../../src/changes/journal/entry.ts';
import type { Write } from '../../../src/changes/model/operation.ts';
import { createTableUpdateWrite } from '../../../src/changes/model/tableWrites.ts';
import { getTablesBefore } from '../../../src/changes/journal/tablesBefore.ts';
import { createViewpointUpdateWrite } from '../../../src/changes/model/viewpointWrites.ts';
import { createRuleWrites } from '../../../src/changes/rules/ruleWrites.ts';
import { checkRemainingRules } from '../../../src/changes/run/requiredRuleCheck.ts';
import { getDocumentsBefore } from '../../../src/changes/run/documentsAfter.ts';
import { checkTarget } from '../../../src/changes/run/changedTarget.ts';
import { isAsUpdated, verifyWrite } from '../../../src/changes/run/documentsAfterUpdates.ts';
import { OperationProgress } from '../../../src/changes/run/operationProgress.ts';
import type { PlatformClient } from '../../../src/client/platformClient.ts';
import { viewpointKinds } from '../../../src/changes/endpoints/viewpoints.ts';
import { mergeLines } from '../../../src/documents/mergeLines.ts';
import { pairItems } from '../../../src/json/text/pairItems.ts';
import { parseJsonTree } from '../../../src/json/text/parseJsonTree.ts';
import { emptyLock, formatLock, parseLock } from '../../../src/project/pull/lock.ts';
import { type AccessChange, computeAccessDifference } from '../../../src/security/change/accessDifference.ts';
import { applyBaseline, createBaselineEntries } from '../../../src/security/audit/applyBaseline.ts';
import { auditRules } from '../../../src/security/audit/auditRules.ts';
import { auditTables } from '../../../src/security/audit/auditTables.ts';
import { auditViewpoints } from '../../../src/security/audit/auditViewpoints.ts';
import {
  addBaselineEntries,
  readBaseline,
  removeBaselinePlaces,
} from '../../../src/security/audit/baselineFile.ts';
import { groupFindings } from '../../../src/security/audit/groupFindings.ts';
import { Memberships } from '../../../src/security/membership/memberships.ts';
import { effectiveAccess, lintRules } from '../../../src/security/index.ts';
import { KnownValues } from '../../../src/security/values/knownValues.ts';
import { ValueIndex } from '../../../src/security/values/valueIndex.ts';
import {
  codeActionsAt,
  completionsAt,
  diagnose,
  getDocumentSymbols,
  type ExpressionContext,
  getFoldingRanges,
  format,
  referencesAt,
  renameIn,
  getSemanticTokens,
} from '../../../src/sql/index.ts';
import { lintViewpoint } from '../../../src/viewpoints/index.ts';
import type { StepCase } from '../../support/stepsProcess.ts';
import { tableContext } from '../sql/model.ts';

const createList = <T>(count: number, createInput: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => createInput(index));
const repeatText = (count: number, createInput: (index: number) => string, separator = ''): string =>
  createList(count, createInput).join(separator);

type Texts = Readonly<Record<string, (size: number) => string>>;

const sqlTexts: Texts = {
  'joins with bare names': (n) =>
    `SELECT Amount FROM Orders o0 ${repeatText(n, (i) => `JOIN Orders o${i + 1} ON Amount = Status `)}`,
  'joins with qualified names': (n) =>
    `SELECT Amount FROM Orders o0 ${repeatText(n, (i) => `JOIN Orders o${i + 1} ON o${i}.Amount = o${i + 1}.Status `)}`,
  'joins with unknown names': (n) =>
    `SELECT Amount FROM Orders o0 ${repeatText(n, (i) => `JOIN Orders o${i + 1} ON Nope = x${i}.y `)}`,
  'nested IN': (n) =>
    `SELECT 1 FROM Orders WHERE Amount IN (${repeatText(n, () => 'SELECT Amount FROM Orders WHERE Amount IN (')}1${')'.repeat(n + 1)}`,
  'nested IN with unknown names': (n) =>
    `SELECT 1 FROM Orders WHERE Nope IN (${repeatText(n, () => 'SELECT Nope FROM Orders WHERE Nope IN (')}1${')'.repeat(n + 1)}`,
  'nested calls': (n) => `SELECT ${'f('.repeat(n)}1${')'.repeat(n)}`,
  'alternating open quotes': (n) => `SELECT ${repeatText(n, (i) => `${['"', '`', '[', "'"][i % 4]}a${i} `)}`,
  'alternating open quotes by line': (n) =>
    `SELECT ${repeatText(n, (i) => `${['"', '`', '['][i % 3]}a${i}\n`)}`,
  'open brackets by line': (n) => `SELECT ${'[a\n'.repeat(n)}]`,
  'unclosed comments': (n) => `SELECT 1 ${'/* '.repeat(n)}`,
  'closed comments': (n) => `SELECT 1 ${'/* a */ '.repeat(n)}`,
  commas: (n) => `SELECT ${','.repeat(n)}`,
  statements: (n) => 'SELECT Amount FROM Orders; '.repeat(n),
  'broken statements': (n) => 'SELECT , Nope FROM WHERE; '.repeat(n),
  unions: (n) => repeatText(n, () => 'SELECT Amount FROM Orders', ' UNION ALL '),
};

const sqlOperations: Readonly<Record<string, (text: string, context: ExpressionContext) => unknown>> = {
  diagnose,
  complete: (text, context) => completionsAt(text, text.length, context),
  'rename a column': (text, context) =>
    renameIn(text, { table: 'Orders', column: 'Amount' }, 'Total', context),
  'rename a table': (text, context) => renameIn(text, { table: 'Orders' }, 'Sales', context),
  color: getSemanticTokens,
  fold: getFoldingRanges,
  outline: (text) => getDocumentSymbols(text),
  fix: (text, context) => codeActionsAt(text, 0, text.length, context),
  'find references': (text, context) => referencesAt(text, 8, context),
};

const createRule = (index: number, overrides: object = {}): object => ({
  _id: String(index),
  server: 's',
  elasticube: 'e',
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members: [`v${index}`],
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'group', party: `g${index}` }],
  ...overrides,
});
const createShares = (n: number): readonly object[] =>
  createList(n, (i) => ({ type: 'group', party: `g${i}` }));

const ruleLists: Readonly<Record<string, (size: number) => readonly object[]>> = {
  'groups with a list each': (n) => createList(n, (i) => createRule(i)),
  'groups with the same list': (n) => createList(n, (i) => createRule(i, { members: ['a'] })),
  'groups that hide a value each': (n) => createList(n, (i) => createRule(i, { exclusionary: true })),
  'shares and values of one rule': (n) => [
    createRule(0, { members: createList(n, (i) => `v${i}`), shares: createShares(n) }),
  ],
  'wrong shares': (n) => [createRule(0, { shares: createList(n, (i) => i) })],
  'equal rules': (n) => createList(n, () => createRule(0)),
  'rules of a column each': (n) => createList(n, (i) => createRule(i, { column: `c${i}` })),
};

const createGroupIds = (n: number): readonly string[] => createList(n, (i) => `g${i}`);
const ruleOperations: Readonly<Record<string, (rules: readonly object[], size: number) => unknown>> = {
  access: (rules, n) => effectiveAccess(rules, { groupIds: createGroupIds(n) }),
  'access with union': (rules, n) =>
    effectiveAccess(rules, { groupIds: createGroupIds(n) }, { groups: 'union' }),
  'access with intersection': (rules, n) =>
    effectiveAccess(rules, { groupIds: createGroupIds(n) }, { groups: 'intersection' }),
  'access in unknown groups': (rules) =>
    effectiveAccess(rules, { userId: 'u', groupIds: [], groupsUnknown: true }),
  lint: (rules) => lintRules(rules, tableContext.catalog),
  'lint with known values': (rules) =>
    lintRules(rules, tableContext.catalog, new KnownValues([ValueIndex.fromRules(rules)])),
  'difference to no rules': (rules) => computeAccessDifference({ before: { rules }, after: { rules: [] } }),
  'difference to other values': (rules) =>
    computeAccessDifference({
      before: { rules },
      after: { rules: rules.map((each) => ({ ...each, members: ['other'] })) },
    }),
};

/** Users in several groups, whose rules on many columns change in the same way. */
const createGroupChange = (n: number, change: (rule: object) => object): AccessChange => {
  const ids = createList(4, (i) => `g${i}`);
  const rules = createList(n, (i) =>
    ids.map((party, group) =>
      createRule(i, {
        table: `t${i}`,
        members: ['v0', `v${group + 1}`],
        shares: [{ type: 'group', party }],
      }),
    ),
  ).flat();
  const groupSets = createList(15, (i) => ids.filter((_id, group) => ((i + 1) >> group) % 2 === 1));
  return {
    before: { rules },
    after: { rules: rules.map((rule) => change(rule)) },
    memberships: new Memberships(() => undefined, groupSets),
  };
};

const groupChanges: Readonly<Record<string, (size: number) => AccessChange>> = {
  'lists that lose a value': (n) => createGroupChange(n, (rule) => ({ ...rule, members: ['v0'] })),
};

/** Tables with a rule each, for everyone else and one of three groups, linked by relations. */
const createLinkedTables = (n: number, getLinks: (index: number) => readonly number[]) => ({
  rules: createList(n, (i) =>
    createRule(i, { table: `t${i}`, shares: [{ type: 'default' }, { type: 'group', party: `g${i % 3}` }] }),
  ),
  catalog: {
    complete: true,
    tables: createList(n, (i) => ({ name: `t${i}`, columns: [{ name: 'Status' }] })),
    relations: createList(n, getLinks).flatMap((links, i) =>
      links.map((to) => ({
        columns: [
          { table: `t${i}`, column: 'Status' },
          { table: `t${to}`, column: 'Status' },
        ],
      })),
    ),
  },
});

const createStar = (n: number) => createLinkedTables(n, (i) => (i === 0 ? [] : [0]));

const linkChanges: Readonly<Record<string, (size: number) => AccessChange>> = {
  'a star without its relations': (n) => ({ before: createStar(n), after: createLinkedTables(n, () => []) }),
  'a chain cut in pieces': (n) => ({
    before: createLinkedTables(n, (i) => (i === 0 ? [] : [i - 1])),
    after: createLinkedTables(n, (i) => (i % 10 === 0 ? [] : [i - 1])),
  }),
  'a star that loses a table with rules': (n) => ({ before: createStar(n + 1), after: createStar(n) }),
  'a star with other rules': (n) => {
    const before = createStar(n);
    return { before, after: { ...before, rules: before.rules.map((each) => ({ ...each, members: ['b'] })) } };
  },
};

const createUnlinkedTables = (n: number) => createLinkedTables(n, () => []);

/** Four rules for each table; a third of all rules name a table by their own number, which mostly does not exist. */
const auditInputs: Readonly<Record<string, (size: number) => ReturnType<typeof createStar>>> =
  Object.fromEntries(
    Object.entries({ 'linked tables': createStar, 'tables without relations': createUnlinkedTables }).map(
      ([inputName, create]) => [
        inputName,
        (n: number) => {
          const { catalog } = create(n);
          const rules = createList(4 * n, (i) =>
            createRule(i, { table: `t${i % 3 === 0 ? i : i % n}`, members: i % 7 === 0 ? [] : ['a'] }),
          );
          return { rules, catalog };
        },
      ],
    ),
  );

function auditAndAccept({ rules, catalog }: ReturnType<typeof createStar>): unknown {
  const viewpoints = catalog.tables.map(({ name }) => ({
    id: name,
    name,
    groups: ['g1'],
    tables: [name],
  }));
  const findings = [
    ...auditRules(rules, catalog),
    ...auditTables(rules, catalog),
    ...auditViewpoints(viewpoints, rules, catalog),
  ];
  const causes = groupFindings([{ key: 'm', rules, findings }]);
  const remark = { instance: 'i', reason: 'r', author: 'a', date: '2026-01-01' };
  const text = addBaselineEntries('', createBaselineEntries(causes, remark));
  const options = { instance: 'i', isComplete: () => true };
  const { isKept, newCauses } = applyBaseline(causes, readBaseline(text), options);
  return [newCauses, removeBaselinePlaces(text, isKept), removeBaselinePlaces(text, () => false)];
}

const createColumnsText = (size: number): string =>
  JSON.stringify({
    details: {
      columns: createList(size, () => ({
        table: 'Orders',
        column: 'Amount',
        dim: '[Orders.Amount]',
        level: 'days',
      })),
    },
  });

const jsonTexts: Texts = {
  'duplicate keys': (n) => `{${repeatText(n, () => '"name": 1', ', ')}}`,
  'duplicate keys of a column': (n) =>
    `{"details": {"columns": [{${repeatText(n, () => '"table": "Orders"', ', ')}}]}}`,
  'syntax errors': (n) => `{${repeatText(n, () => '"name": 1', ', ')},,}`,
  words: (n) => 'nope '.repeat(n),
  'unclosed comments': (n) => `[${'/* a '.repeat(n)}]`,
  'unclosed strings': (n) => `[${'"a\n'.repeat(n)}]`,
  columns: createColumnsText,
  'columns without commas': (n) => createColumnsText(n).replaceAll(',', ' '),
  'commas of a list': (n) => `[${','.repeat(n)}`,
  colons: (n) => `{"a"${':'.repeat(n)}`,
  'a long name': (n) => createColumnsText(1).replaceAll('Amount', `${'a.'.repeat(n)}b`),
  'a long key': (n) => `{"${'n'.repeat(n)}": 1}`,
  'unknown keys': (n) => `{${repeatText(n, (i) => `"nam${i}": 1`, ', ')}}`,
  'an unclosed string of escapes': (n) => `{"name": "${'\\n'.repeat(n)}`,
  'an unclosed comment': (n) => `{/*${'*'.repeat(n)}`,
};

const jsonOperations: Readonly<Record<string, (text: string) => unknown>> = {
  'parse JSON': parseJsonTree,
  'lint viewpoint': (text) => lintViewpoint(text, tableContext.catalog),
};

/** A text of this many lines, and two versions of it to merge. */
const mergeInputs: Readonly<Record<string, (size: number) => readonly [string, string, string]>> = {
  'the first and the last line changed': (n) => [
    repeatText(n, (i) => `line ${i}\n`),
    repeatText(n, (i) => `line ${i === 0 ? 'a' : i}\n`),
    repeatText(n, (i) => `line ${i === n - 1 ? 'b' : i}\n`),
  ],
  'many lines changed by each': (n) => [
    repeatText(n, (i) => `line ${i}\n`),
    repeatText(n, (i) => `line ${i % 10 === 0 ? `a${i}` : i}\n`),
    repeatText(n, (i) => `line ${i % 10 === 5 ? `b${i}` : i}\n`),
  ],
  'all lines in another order': (n) => [
    repeatText(n, (i) => `line ${i}\n`),
    repeatText(n, (i) => `line ${n - i}\n`),
    repeatText(n, (i) => `line ${i}\n`),
  ],
};

/** A list of objects before and after a change. */
const listChanges: Readonly<Record<string, (size: number) => readonly [JsonObject[], JsonObject[]]>> = {
  'many items inserted at the start': (n) => {
    const before = createList(n, (i) => ({ a: i }));
    return [before, [...createList(n, (i) => ({ b: i })), ...before]];
  },
  'all items replaced by more': (n) => [
    createList(n, (i) => ({ a: i })),
    createList(n + 1, (i) => ({ b: i })),
  ],
};

/** The documents before the last write of an operation whose writes change a table each. */
const tableWrites: Readonly<Record<string, (size: number) => Parameters<typeof getDocumentsBefore>>> = {
  'a table each': (n) => {
    const table = { oid: 't', name: 'Orders' };
    const writes = createList(n, (i) =>
      createTableUpdateWrite({ datamodelId: 'm', datasetId: 'd', tableId: `t${i}` }, table),
    );
    return [
      n - 1,
      { connectionId: 'c', cause: 'apply', subject: { name: '', within: [] }, writes },
      {
        before: writes.flatMap(({ target: ref }) => (ref === undefined ? [] : [{ ref, document: table }])),
        states: writes.map(() => ({ state: 'done', path: '', ms: 0, answer: table })),
      },
    ];
  },
};

const ruleSubject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const ruleTarget = { kind: 'rules', subject: ruleSubject } as const;

/** Creates a change of rules that is done, with the rules before and after it. */
const createRuleChange = (
  writes: readonly Write[],
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): Parameters<typeof findChangedColumns> => [
  ruleSubject,
  [
    {
      id: 'e',
      startedAt: 1,
      operation: { connectionId: 'c', cause: 'save', subject: { name: '', within: [] }, writes },
      before: [{ ref: ruleTarget, document: before }],
      writeStates: writes.map(() => ({ state: 'done', path: '', ms: 0 })),
      denyScopes: [],
      createdRuleIds: [],
      end: 'done',
      versionsAfter: [],
      changedIds: [],
      pid: 1,
    },
  ],
  [{ ref: ruleTarget, document: after }],
];

const createRules = (count: number, value: string): readonly JsonObject[] =>
  createList(count, (i) => ({
    _id: `r${i}`,
    table: 'Orders',
    column: `c${i % 10}`,
    datatype: 'text',
    members: [value],
    allMembers: null,
    exclusionary: false,
    shares: [{ type: 'user', party: `u${i}` }],
  }));

/** Changes of this many rules, one write for all or one for each. */
const ruleChanges: Readonly<Record<string, (size: number) => Parameters<typeof findChangedColumns>>> = {
  'an import': (n) => {
    const rules = createRules(n, 'x');
    const params = { server: ruleSubject.server, elasticube: ruleSubject.elasticube };
    const body = rules.map(({ _id, ...rule }) => rule);
    return createRuleChange(
      [{ endpoint: 'extractRules.create', params, body, target: ruleTarget }],
      [],
      rules,
    );
  },
  'an update of each rule': (n) => {
    const after = createRules(n, 'y');
    const writes = after.map((body, i): Write => {
      const ruleId = `r${i}`;
      return {
        endpoint: 'extractRules.update',
        params: { ruleId },
        body,
        target: { kind: 'rule', subject: ruleSubject, ruleId },
      };
    });
    return createRuleChange(writes, createRules(n, 'x'), after);
  },
};

/** A resume with this many changed rules, and as many viewpoints that are still to be shared with more users. */
const resumes: Readonly<Record<string, (size: number) => Parameters<typeof checkRemainingRules>>> = {
  'changed rules and viewpoints': (n) => {
    const [before, after] = [createRules(n, 'x'), createRules(n, 'y')];
    const ruleWrites = createRuleWrites(ruleSubject, {
      adds: [],
      deletes: [],
      updates: before.map((rule, i) => ({ before: rule, after: after[i] ?? {} })),
    });
    const viewpoints = createList(n, (i) => ({
      id: `v${i}`,
      enabled: true,
      visibility: { apps: ['chat'], users: ['u'], groups: [] },
      details: { datasource: { title: 'Retail', fullname: 'LocalHost/Retail', modelType: 'external' } },
    }));
    const shares = viewpoints.map(({ id, visibility }) =>
      createViewpointUpdateWrite({ viewpointId: id }, { visibility: { ...visibility, users: ['u', 'v'] } }),
    );
    const documents = [
      { ref: ruleTarget, document: before },
      ...viewpoints.map((document) => ({
        ref: { kind: 'viewpoint', viewpointId: document.id } as const,
        document,
      })),
    ];
    const writes = [...ruleWrites, ...shares];
    const entry: HistoryEntry = {
      id: 'e',
      startedAt: 1,
      operation: { connectionId: 'c', cause: 'apply', subject: { name: '', within: [] }, writes },
      before: documents,
      writeStates: writes.map((_write, i) =>
        i < ruleWrites.length ? { state: 'done', path: '', ms: 0 } : { state: 'waiting' },
      ),
      denyScopes: [],
      createdRuleIds: [],
      versionsAfter: [],
      changedIds: [],
      pid: 1,
    };
    return [entry, documents, { readDocument: () => Promise.resolve(after) }];
  },
};

/** Operations of which each second write is yet to be checked before it's sent. */
const repeatedWrites: Readonly<Record<string, (size: number) => OperationProgress>> = {
  'each viewpoint written twice': (n) => {
    const before = createList(n, (i) => ({
      ref: { kind: 'viewpoint', viewpointId: `v${i}` } as const,
      document: { id: `v${i}`, description: '', enabled: true },
    }));
    const writes = [{ enabled: false }, { description: 'New' }].flatMap((body) =>
      before.map(({ ref: { viewpointId } }) => createViewpointUpdateWrite({ viewpointId }, body)),
    );
    return new OperationProgress({
      operation: { connectionId: 'c', cause: 'apply', subject: { name: '', within: [] }, writes },
      before,
      states: writes.map((_write, i) => (i < n ? { state: 'done', path: '', ms: 0 } : { state: 'waiting' })),
      getWriteKind: () => viewpointKinds['viewpoints.update'],
    });
  },
};

/** Starts the checks of the writes, until the first request, and does what follows the response. */
function checkRepeatedWrites(progress: OperationProgress): void {
  const client = {
    viewpoints: { get: () => Promise.reject(new Error('Offline')) },
  } as unknown as PlatformClient;
  const { operation, before } = progress;
  for (const [i, { ref, document }] of before.entries()) {
    const index = before.length + i;
    const write = operation.writes[index];
    if (write !== undefined) {
      const verifyOutcome = () => verifyWrite(index, write, client, progress);
      checkTarget(index, progress, { verifyOutcome, isOutdated: false }).catch(() => undefined);
      isAsUpdated(index, write, { ref, document }, progress);
    }
  }
}

/** The text of a lock file with this many users that no file may name. */
const lockTexts: Readonly<Record<string, (size: number) => string>> = {
  'unnamed users': (n) =>
    formatLock({
      ...emptyLock,
      numberedReferences: createList(n, (i) => ({ number: i + 1, type: 'user' as const, id: `u${i}` })),
    }),
};

function combine<Input>(
  operations: Readonly<Record<string, (input: Input, size: number) => unknown>>,
  inputs: Readonly<Record<string, (size: number) => Input>>,
): [string, StepCase][] {
  return Object.entries(operations).flatMap(([operation, run]) =>
    Object.entries(inputs).map(([inputName, createInput]): [string, StepCase] => [
      `${operation}: ${inputName}`,
      (size) => {
        const input = createInput(size);
        return () => run(input, size);
      },
    ]),
  );
}

const sqlOperationsOnTables = Object.fromEntries(
  Object.entries(sqlOperations).map(([operation, run]) => [
    operation,
    (text: string) => run(text, tableContext),
  ]),
);

/** The measured operations, by name: an input of this kind once made each of them slow. */
export const cases: Readonly<Record<string, StepCase>> = Object.fromEntries([
  ...combine(sqlOperationsOnTables, sqlTexts),
  ...combine(
    { format },
    {
      'unclosed comments': (n) => `SELECT 1 ${'/* '.repeat(n)}`,
      'unclosed names': (n) => `SELECT ${'[a\n'.repeat(n)}]`,
    },
  ),
  ...combine(ruleOperations, ruleLists),
  ...combine({ 'changed columns': (input) => findChangedColumns(...input) }, ruleChanges),
  ...combine({ 'read lock': (text: string) => parseLock(text, 'lock') }, lockTexts),
  ...combine({ 'difference for users in several groups': computeAccessDifference }, groupChanges),
  ...combine({ 'difference of links': computeAccessDifference }, linkChanges),
  ...combine({ 'audit and accept': auditAndAccept }, auditInputs),
  ...combine(jsonOperations, jsonTexts),
  ...combine(
    {
      'documents before a write': (input) => getDocumentsBefore(...input),
      'tables before each PATCH': ([, operation, { before, states }]) =>
        getTablesBefore({ operation, before, writeStates: states }, before),
    },
    tableWrites,
  ),
  ...combine({ 'rules to check': (input) => checkRemainingRules(...input) }, resumes),
  ...combine({ 'check of targets': checkRepeatedWrites }, repeatedWrites),
  ...combine({ 'merge lines': (texts) => mergeLines(...texts) }, mergeInputs),
  ...combine({ 'pair items': (lists) => pairItems(...lists) }, listChanges),
]);
