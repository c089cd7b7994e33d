import { describe, expect, test } from 'vitest';
import { type JsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { getText } from '../../../src/changes/model/jsonMembers.ts';
import { PlanNeededError } from '../../../src/changes/run/writeErrors.ts';
import { noBaseStorage } from '../../../src/documents/baseStorage.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import { ChangeFixture, connectionId, getFailure } from '../changes/run/support.ts';
import { expectDefined } from '../../support/expectations.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

/** Opens the first rule of the demo that lists values. */
async function openRule(fixture: ChangeFixture) {
  const { writer } = fixture.open();
  const documents = new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client: fixture.client }) },
    getWriter: () => Promise.resolve(writer),
    clock: fixture.sandbox.clock,
    editor: { isDirty: () => false },
    baseStorage: noBaseStorage,
    aliases: new RuleAliases({ read: () => undefined, write: () => undefined }),
  });
  const rules = (await fixture.read({ kind: 'rules', subject })) as readonly JsonObject[];
  const rule = expectDefined(
    rules.find(({ members, exclusionary }) => (members as readonly string[]).length > 1 && !exclusionary),
  );
  const resource = { kind: 'rule', subject, ruleId: getText(rule['_id']) } as const;
  const path = createDocumentPath({ connectionId, resource, name: 'A rule', within: [] });
  await documents.stat(path);
  const document = parseLossless(new TextDecoder().decode(await documents.read(path))) as JsonObject;
  const members = document['members'] as readonly string[];
  const save = (changes: JsonObject, approval?: ReturnType<typeof writer.approve>) =>
    documents.write(path, new TextEncoder().encode(stringify({ ...document, ...changes })), {
      isExplicit: true,
      reviewsGains: true,
      ...(approval === undefined ? {} : { intent: { approval } }),
    });
  return { writer, members, save };
}

describe('a save of a rule', () => {
  test('that gives access needs a review, and is sent once the plan is approved', async () => {
    using fixture = new ChangeFixture();
    const { writer, members, save } = await openRule(fixture);
    const ruleWithMoreValues = { members: [...members, 'One more'] };
    const error = await getFailure(save(ruleWithMoreValues));
    expect(error).toBeInstanceOf(PlanNeededError);
    expect(fixture.getWriteRequests()).toEqual([]);
    await save(ruleWithMoreValues, writer.approve((error as PlanNeededError).planHash));
    expect(fixture.getWriteRequests()).toHaveLength(1);
  });

  test('that only takes access is sent at once', async () => {
    using fixture = new ChangeFixture();
    const { members, save } = await openRule(fixture);
    await save({ members: members.slice(1) });
    expect(fixture.getWriteRequests()).toHaveLength(1);
  });

  test('needs a review if the tables that show who gains access cannot be read', async () => {
    using fixture = new ChangeFixture();
    const { members, save } = await openRule(fixture);
    fixture.sandbox.faults.set([
      { kind: 'status', status: 403, methods: ['GET'], pathPrefix: '/api/v2/datamodels/' },
    ]);
    expect(await getFailure(save({ members: members.slice(1) }))).toBeInstanceOf(PlanNeededError);
    expect(fixture.getWriteRequests()).toEqual([]);
  });
});
