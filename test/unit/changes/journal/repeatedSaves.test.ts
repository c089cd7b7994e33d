import { describe, expect, test } from 'vitest';
import {
  createBulkRuleOperation,
  createRuleDeletionOperation,
} from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createDocumentHandler } from '../../../../src/documents/kinds/documentHandler.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { ChangeFixture, connectionId, getFailure, createOperation } from '../run/support.ts';
import { runApproved } from './runApproved.ts';
import { planRestore } from '../../../support/planRestore.ts';

const live = { kind: 'live', title: 'Support Desk' } as const;

type SaveKind = 'rule' | 'columnRules' | 'bulk';

/** A window that changes the rules of a live datamodel; tracks the values of one of them. */
class RuleEditor {
  readonly fixture: ChangeFixture;
  readonly #window: ReturnType<ChangeFixture['open']>;

  constructor(fixture: ChangeFixture) {
    this.fixture = fixture;
    this.#window = fixture.open();
  }

  async readRules(): Promise<readonly JsonObject[]> {
    return getObjects(await this.fixture.read({ kind: 'rules', subject: live }));
  }

  /** The values that the rules of Agents.Team list, except the one that lists none. */
  async getListedValues(): Promise<readonly unknown[]> {
    return (await this.readRules())
      .filter(({ column, members }) => column === 'Team' && Array.isArray(members) && members.length > 0)
      .map(({ members }) => members);
  }

  async getTeamRule(): Promise<JsonObject> {
    const [rule = {}] = (await this.readRules()).filter(
      ({ column, members }) => column === 'Team' && Array.isArray(members) && members.length > 0,
    );
    return rule;
  }

  async run(change: Operation): Promise<HistoryEntry> {
    await runApproved(this.#window.writer, change);
    return this.readLatestEntry();
  }

  /** A save of the rule, alone or among the rules of its column, or a bulk change as the rule grid makes it. */
  async save(member: string, kind: SaveKind = 'rule'): Promise<HistoryEntry> {
    const rule = await this.getTeamRule();
    const next: JsonObject = { ...rule, members: [member] };
    if (kind === 'rule') {
      return this.run(createOperation(createLiveRuleReplacementWrites(live, rule, next)));
    }
    if (kind === 'bulk') {
      const { _id, ...added } = next;
      return this.run(
        createBulkRuleOperation({ connectionId, within: [] }, live, {
          adds: [added],
          deletes: [{ index: 0, rule }],
        }),
      );
    }
    const source = await this.readRules();
    const before = source.filter(({ column }) => column === 'Team');
    const handler = createDocumentHandler({ kind, subject: live, table: 'Agents', column: 'Team' });
    const after = before.map((each) => (each === rule || each['_id'] === rule['_id'] ? next : each));
    return this.run(
      createOperation(
        handler.createWrites({ source, before, next: after, getSecretAnswer: () => undefined }),
      ),
    );
  }

  async delete(): Promise<HistoryEntry> {
    return this.run(
      createRuleDeletionOperation(
        { connectionId, within: [] },
        live,
        getText((await this.getTeamRule())['_id']),
        'It',
      ),
    );
  }

  async readLatestEntry(): Promise<HistoryEntry> {
    const [entry] = await this.#window.history.readEntries(connectionId);
    if (entry === undefined) {
      throw new Error('Nothing was recorded');
    }
    return entry;
  }

  async undo(entry: HistoryEntry, method: 'undo' | 'restore'): Promise<void> {
    const { writer } = this.#window;
    const undo = method === 'undo' ? writer.planUndo(entry) : planRestore(writer, entry);
    const { operation: wanted, expectedVersions: expected, restoredIds } = await undo;
    if (wanted.writes.length > 0) {
      await runApproved(writer, wanted, { expectedVersions: expected, undoneEntryId: entry.id, restoredIds });
    }
  }
}

describe.each(['rule', 'columnRules', 'bulk'] as const)(
  'a live rule that is saved repeatedly: %s',
  (saveKind) => {
    test('is restored to its state before any of the saves, without duplicates', async () => {
      using fixture = new ChangeFixture();
      const editor = new RuleEditor(fixture);
      const ruleCount = (await editor.readRules()).length;
      const [first, second, third] = [
        await editor.save('One', saveKind),
        await editor.save('Two', saveKind),
        await editor.save('Three', saveKind),
      ];
      await editor.undo(second, 'restore');
      expect(await editor.getListedValues()).toEqual([['One']]);
      await editor.undo(first, 'restore');
      expect(await editor.getListedValues()).toEqual([['First Line']]);
      await editor.undo(first, 'restore');
      await editor.undo(third, 'restore');
      expect(await editor.getListedValues()).toEqual([['Two']]);
      await editor.undo(first, 'restore');
      expect(await editor.getListedValues()).toEqual([['First Line']]);
      expect(await editor.readRules()).toHaveLength(ruleCount);
    });

    test('keeps its newer values if the undo of an older save is not confirmed', async () => {
      using fixture = new ChangeFixture();
      const editor = new RuleEditor(fixture);
      const first = await editor.save('One', saveKind);
      await editor.save('Two', saveKind);
      expect(await getFailure(editor.undo(first, 'undo'))).toMatchObject({ name: 'ConflictError' });
      expect(await editor.getListedValues()).toEqual([['Two']]);
      await editor.undo(first, 'restore');
      expect(await editor.getListedValues()).toEqual([['First Line']]);
    });

    test('gets its earlier values if the last two saves are undone one after the other', async () => {
      using fixture = new ChangeFixture();
      const editor = new RuleEditor(fixture);
      const first = await editor.save('One', saveKind);
      const second = await editor.save('Two', saveKind);
      await editor.undo(second, 'undo');
      expect(await editor.getListedValues()).toEqual([['One']]);
      await editor.undo(first, 'undo');
      expect(await editor.getListedValues()).toEqual([['First Line']]);
    });

    test("is restored even if the server's responses do not contain the created rules", async () => {
      using fixture = new ChangeFixture();
      fixture.hasEmptyResponse = (line) => line.startsWith('POST');
      const editor = new RuleEditor(fixture);
      const first = await editor.save('One', saveKind);
      await editor.save('Two', saveKind);
      await editor.undo(first, 'restore');
      expect(await editor.getListedValues()).toEqual([['First Line']]);
    });

    test('is restored even if it was deleted and restored in between', async () => {
      using fixture = new ChangeFixture();
      const editor = new RuleEditor(fixture);
      const deleted = await editor.delete();
      await editor.undo(deleted, 'undo');
      expect(await editor.getListedValues()).toEqual([['First Line']]);
      const saved = await editor.save('One', saveKind);
      await editor.undo(deleted, 'restore');
      expect(await editor.getListedValues()).toEqual([['First Line']]);
      await editor.save('Two', saveKind);
      await editor.undo(saved, 'restore');
      expect(await editor.getListedValues()).toEqual([['First Line']]);
    });
  },
);

describe('a rule of an extract datamodel that a bulk change has replaced', () => {
  const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

  /**
   * A rule that exists twice shows that the server adds a second rule for the same parties instead of overwriting the
   * first.
   */
  const duplicatedRule = {
    table: 'Stores',
    column: 'City',
    datatype: 'text',
    members: ['Twice'],
    shares: [{ type: 'user', party: 'somebody' }],
  };

  /** A rule is saved, then replaced by one or more others; the save is restored. */
  async function restoreReplacedRule(fixture: ChangeFixture, ...members: readonly string[]) {
    const { writer, history } = fixture.open();
    const readRules = async () => getObjects(await fixture.read({ kind: 'rules', subject: retail }));
    if (members.length > 1) {
      await fixture.client.extractRules.create(retail, [duplicatedRule, duplicatedRule]);
    }
    const before = await readRules();
    const rule = before.find(({ members: all }) => Array.isArray(all) && all.length > 0) ?? {};
    const { _id, ...content } = rule;
    const ref = { kind: 'rule', subject: retail, ruleId: getText(_id) } as const;
    await writer.run(
      createOperation([
        {
          endpoint: 'extractRules.update',
          params: { ruleId: ref.ruleId },
          target: ref,
          body: { ...rule, members: ['One'] },
        },
      ]),
    );
    const [saved] = await history.readEntries(connectionId);
    const ruleToReplace = (await fixture.read(ref)) as JsonObject;
    const adds = members.map((member) => ({ ...content, members: [member] }));
    const deletes = [{ index: 0, rule: ruleToReplace }];
    await runApproved(
      writer,
      createBulkRuleOperation({ connectionId, within: [] }, retail, { adds, deletes }),
    );
    if (saved === undefined) {
      throw new Error('Nothing was recorded');
    }
    const { operation: wanted, expectedVersions: expected, restoredIds } = await planRestore(writer, saved);
    await runApproved(writer, wanted, { expectedVersions: expected, undoneEntryId: saved.id, restoredIds });
    const hasSameParties = (each: JsonObject): boolean =>
      each['column'] === rule['column'] && JSON.stringify(each['shares']) === JSON.stringify(rule['shares']);
    return {
      before: rule['members'],
      after: (await readRules()).filter(hasSameParties).map((each) => each['members']),
    };
  }

  test('is restored in place of the new rule', async () => {
    using fixture = new ChangeFixture();
    const { before, after } = await restoreReplacedRule(fixture, 'Two');
    expect(after).toEqual([before]);
  });

  test('is restored in place of the new rule that has its ID, and leaves a second new rule alone', async () => {
    using fixture = new ChangeFixture();
    const { before, after } = await restoreReplacedRule(fixture, 'Two', 'Three');
    expect(after).toEqual([before, ['Three']]);
  });
});
