import { describe, expect, test } from 'vitest';
import { toCanonicalText } from '../../../src/base/canonicalJson.ts';
import { isServerManagedField } from '../../../src/contract/serverManagedFields.ts';
import type { DocumentRef } from '../../../src/documents/documentAddress.ts';
import { parseJsonText } from '../../../src/documents/jsonText.ts';
import { useSandbox } from '../client/sandboxFixture.ts';
import { people } from '../../../src/sandbox/seeds/people.ts';
import { sandboxProfile } from '../../support/profile.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import {
  getDemoDocuments,
  createDocuments,
  createMemoryStorage,
  openDocument,
  getPath,
  saveLikeEditor,
  openWindow,
} from './editorWindow.ts';
import { expectDefined } from '../../support/expectations.ts';

const fixture = useSandbox();

type Json = Record<string, unknown>;

/** The content of a text without server-managed fields. */
function getContent(text: string): string {
  const parsed = parseJsonText(text, { allowsComments: true });
  return 'value' in parsed ? toCanonicalText(parsed.value, isServerManagedField) : text;
}

/** For each kind of document, makes a change that breaks nothing. */
const changes: Readonly<
  Record<Exclude<DocumentRef['kind'], 'datamodel' | 'columnRules' | 'dataset'>, (text: string) => string>
> = {
  table: editJson((table: Json) => ({ ...table, description: 'All of them' })),
  tableExpression: (sql) => `${sql}\n-- looked at`,
  columnExpression: (sql) => `${sql} `,
  relation: editJson((relation: Json) => ({
    ...relation,
    columns: (relation['columns'] as unknown[]).toReversed(),
  })),
  rule: editJson((rule: Json) => ({ ...rule, members: ['North', 'West'], allMembers: null })),
  viewpoint: editJson((viewpoint: Json) => ({ ...viewpoint, description: 'Described again' })),
  customDataObject: editJson((object: Json) => ({ ...object, note: 'new' })),
};

function editJson(change: (value: Json) => Json): (text: string) => string {
  return (text) => JSON.stringify(change(JSON.parse(text) as Json), undefined, 4);
}

describe.each(Object.entries(changes))('%s', (kind, change) => {
  const getRef = async () => (await getDemoDocuments(fixture.client))[kind as DocumentRef['kind']];

  test('a save needs only a few requests, and does not change the text in the editor', async () => {
    const path = getPath(await getRef());
    const documents = createDocuments(fixture.client);
    const original = await openDocument(documents, path);
    const text = change(original);
    const before = fixture.countRequests();
    const isDifferent = await saveLikeEditor(documents, path, text);
    // After a save, rules are read back to check that they are the intended ones. SQL may add columns, so the
    // datamodel, whose title addresses its rules, and the rules are read, too: they are recorded for the undo.
    const maxRequests = kind === 'rule' ? 4 : kind === 'tableExpression' ? 5 : 3;
    expect(fixture.countRequests() - before).toBeLessThanOrEqual(maxRequests);
    const savedText = await openDocument(documents, path);
    // The server adds timestamps to a rule; all other documents stay exactly as they were saved.
    expect([isDifferent, savedText === text], savedText).toEqual(
      kind === 'rule' ? [true, false] : [false, true],
    );
    expect(getContent(await openDocument(createDocuments(fixture.client), path))).toBe(getContent(savedText));
    expect(getContent(savedText)).not.toBe(getContent(original));
  });

  test('equivalent content is not sent', async () => {
    const path = getPath(await getRef());
    const documents = createDocuments(fixture.client);
    const text = await openDocument(documents, path);
    const before = fixture.countRequests();
    const reformatted = kind.endsWith('Expression') ? text : JSON.stringify(JSON.parse(text));
    await saveLikeEditor(documents, path, reformatted);
    expect(fixture.countRequests() - before).toBe(1);
    expect(await openDocument(documents, path)).toBe(reformatted);
  });
});

test('the datamodel cannot be saved', async () => {
  const path = getPath((await getDemoDocuments(fixture.client)).datamodel);
  const documents = createDocuments(fixture.client);
  const text = await openDocument(documents, path);
  await expect(saveLikeEditor(documents, path, text)).rejects.toMatchObject({ code: 'read-only' });
});

test('a table and its SQL are one resource: saving one changes the other', async () => {
  const ref = (await getDemoDocuments(fixture.client)).tableExpression;
  const [sql, json] = [getPath(ref), getPath({ ...ref, kind: 'table' })];
  const documents = createDocuments(fixture.client);
  const before = await documents.stat(json);
  const text = await openDocument(documents, sql);
  await saveLikeEditor(documents, sql, `${text}\n-- twice`);
  expect((await documents.stat(json)).mtime).toBeGreaterThan(before.mtime);
  expect(await openDocument(documents, json)).toContain('-- twice');
});

test('columns created by a save get their oids in the document, so that they are created only once', async () => {
  const ref = (await getDemoDocuments(fixture.client)).table;
  const path = getPath(ref);
  const documents = createDocuments(fixture.client);
  const table = JSON.parse(await openDocument(documents, path)) as { columns: Json[] };
  const text = JSON.stringify({
    ...table,
    columns: [...table.columns, { id: 'fresh', name: 'Fresh', type: 18 }],
  });
  expect(await saveLikeEditor(documents, path, text)).toBe(true);
  const after = JSON.parse(await openDocument(documents, path)) as { columns: Json[] };
  expect(after.columns.at(-1)).toMatchObject({ name: 'Fresh', oid: expect.any(String) });
  expect(await saveLikeEditor(documents, path, JSON.stringify(after))).toBe(false);
  expect(
    (JSON.parse(await openDocument(createDocuments(fixture.client), path)) as { columns: Json[] }).columns,
  ).toHaveLength(table.columns.length + 1);
});

describe('a rule set', () => {
  test('is saved with the fewest writes: one per changed rule, with the rules read in between', async () => {
    const ref = (await getDemoDocuments(fixture.client)).columnRules;
    const path = getPath(ref);
    const documents = createDocuments(fixture.client);
    const rules = JSON.parse(await openDocument(documents, path)) as Json[];
    const firstRule = expectDefined(rules[0]);
    const added = {
      table: firstRule['table'],
      column: firstRule['column'],
      datatype: 'text',
      members: ['A'],
      allMembers: null,
      shares: [{ party: 'somebody', type: 'user' }],
    };
    const next = [
      { ...firstRule, members: ['B'], allMembers: null, exclusionary: false },
      ...rules.slice(1),
      added,
    ];
    const before = fixture.countRequests();
    expect(await saveLikeEditor(documents, path, JSON.stringify(next))).toBe(true);
    expect(fixture.countRequests() - before).toBeLessThanOrEqual(6);
    const after = JSON.parse(await openDocument(documents, path)) as Json[];
    expect(after).toHaveLength(rules.length + 1);
    expect(after[0]).toMatchObject({ _id: firstRule['_id'], members: ['B'] });
    expect(after.at(-1)).toMatchObject({ _id: expect.any(String), members: ['A'] });
    expect(await openDocument(createDocuments(fixture.client), path)).toBe(
      await openDocument(documents, path),
    );
  });
});

describe('a live rule', () => {
  const subject = { kind: 'live', title: 'Support Desk' } as const;
  const findLiveRule = async (): Promise<Extract<DocumentRef, { kind: 'rule' }>> => {
    const { value: rules } = await fixture.client.liveRules.list({ title: subject.title });
    const rule = expectDefined(rules.find(({ members }) => (members ?? []).length > 0));
    return { kind: 'rule', subject, ruleId: expectDefined(rule._id ?? undefined) };
  };

  test('is replaced in at most six requests, and its document stays open', async () => {
    const ref = await findLiveRule();
    const path = getPath(ref);
    const aliases = new RuleAliases(createMemoryStorage());
    const { documents } = openWindow(fixture.client, { aliases });
    const rule = JSON.parse(await openDocument(documents, path)) as Json;
    const { value: rules } = await fixture.client.liveRules.list({ title: subject.title });
    const before = fixture.countRequests();
    const next = { ...rule, members: [...(rule['members'] as string[]), 'Another'] };
    expect(await saveLikeEditor(documents, path, JSON.stringify(next))).toBe(true);
    expect(fixture.countRequests() - before).toBeLessThanOrEqual(6);
    const after = JSON.parse(await openDocument(documents, path)) as Json;
    expect(after).toMatchObject({ members: next.members });
    // On a server that overwrites rules for the same parties, the rule keeps its ID.
    expect(after['_id'] === rule['_id']).toBe(sandboxProfile === 'contract');
    // The replaced rule is gone.
    expect((await fixture.client.liveRules.list({ title: subject.title })).value).toHaveLength(rules.length);
    // The document can be saved again and read after a restart, although the tab still has the address with the
    // original rule ID.
    await saveLikeEditor(documents, path, JSON.stringify({ ...after, members: rule['members'] }));
    const restarted = openWindow(fixture.client, { aliases }).documents;
    expect(JSON.parse(await openDocument(restarted, path))).toMatchObject({ members: rule['members'] });
  });

  test('with excluded values is sent unchanged, and may be refused by the server', async () => {
    const path = getPath(await findLiveRule());
    const { documents } = openWindow(fixture.client);
    const rule = JSON.parse(await openDocument(documents, path)) as Json;
    const { value: before } = await fixture.client.liveRules.list({ title: subject.title });
    const saved = saveLikeEditor(documents, path, JSON.stringify({ ...rule, exclusionary: true }));
    if (sandboxProfile === 'contract') {
      await saved;
      expect(JSON.parse(await openDocument(documents, path))).toMatchObject({ exclusionary: true });
      await saveLikeEditor(documents, path, JSON.stringify({ ...rule, exclusionary: false }));
    } else {
      await expect(saved).rejects.toMatchObject({
        status: 400,
        serverMessage: expect.stringContaining('exclusionary'),
      });
    }
    const { value: after } = await fixture.client.liveRules.list({ title: subject.title });
    expect(after.map(({ members }) => members)).toEqual(before.map(({ members }) => members));
  });

  test('in a rule set is replaced, and a new one beside it is added, in few requests', async () => {
    const { ruleId } = await findLiveRule();
    const { value: all } = await fixture.client.liveRules.list({ title: subject.title });
    const { table, column } = expectDefined(all.find(({ _id }) => _id === ruleId));
    const path = getPath({ kind: 'columnRules', subject, table, column });
    const { documents } = openWindow(fixture.client);
    const rules = JSON.parse(await openDocument(documents, path)) as Json[];
    const changed = rules.map((rule) =>
      rule['_id'] === ruleId ? { ...rule, members: [...(rule['members'] as string[]), 'Y'] } : rule,
    );
    const { _id: _oldId, ...rest } = expectDefined(changed.find((rule) => rule['_id'] === ruleId));
    const before = fixture.countRequests();
    await saveLikeEditor(
      documents,
      path,
      JSON.stringify([
        ...changed,
        { ...rest, members: ['Z'], shares: [{ type: 'user', partyId: people.amara._id }] },
      ]),
    );
    expect(fixture.countRequests() - before).toBeLessThanOrEqual(9);
    const after = JSON.parse(await openDocument(documents, path)) as Json[];
    expect(after).toHaveLength(rules.length + 1);
    const serverRules = JSON.parse(await openDocument(openWindow(fixture.client).documents, path)) as Json[];
    const sortContents = (some: readonly Json[]) =>
      some.map((rule) => getContent(JSON.stringify(rule))).sort();
    expect(sortContents(serverRules)).toEqual(sortContents(after));
  });
});
