import { describe, expect, test } from 'vitest';
import { changeManyRules, deleteRule } from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createDocumentHandler } from '../../../../src/documents/kinds/kinds.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getObjects, getText } from '../../../../src/changes/model/readJson.ts';
import { createLiveRuleReplacement } from '../../../../src/changes/rules/ruleWrites.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { Bench, connectionId, failure, operation } from '../run/support.ts';
import { apply } from './apply.ts';

const live = { kind: 'live', title: 'Support Desk' } as const;

type How = 'rule' | 'columnRules' | 'bulk';

/** A window that changes the rules of a live datamodel; tracks the values of one of them. */
class Desk {
  readonly bench: Bench;
  readonly #window: ReturnType<Bench['open']>;

  constructor(bench: Bench) {
    this.bench = bench;
    this.#window = bench.open();
  }

  async rules(): Promise<readonly JsonObject[]> {
    return getObjects(await this.bench.read({ kind: 'rules', subject: live }));
  }

  /** The values that the rules of Agents.Team list, except the one that lists none. */
  async shown(): Promise<readonly unknown[]> {
    return (await this.rules())
      .filter(({ column, members }) => column === 'Team' && Array.isArray(members) && members.length > 0)
      .map(({ members }) => members);
  }

  async team(): Promise<JsonObject> {
    const [rule = {}] = (await this.rules()).filter(
      ({ column, members }) => column === 'Team' && Array.isArray(members) && members.length > 0,
    );
    return rule;
  }

  async run(wanted: Operation): Promise<HistoryEntry> {
    await apply(this.#window.writer, wanted);
    return this.latest();
  }

  /** A save of the rule, alone or among the rules of its column, or a bulk change as the rule grid makes it. */
  async saves(member: string, how: How = 'rule'): Promise<HistoryEntry> {
    const rule = await this.team();
    const next: JsonObject = { ...rule, members: [member] };
    if (how === 'rule') {
      return this.run(operation(createLiveRuleReplacement(live, rule, next)));
    }
    if (how === 'bulk') {
      const { _id, ...added } = next;
      return this.run(
        changeManyRules({ connectionId, within: [] }, live, { adds: [added], deletes: [{ index: 0, rule }] }),
      );
    }
    const source = await this.rules();
    const before = source.filter(({ column }) => column === 'Team');
    const handler = createDocumentHandler({ kind: how, subject: live, table: 'Agents', column: 'Team' });
    const after = before.map((one) => (one === rule || one['_id'] === rule['_id'] ? next : one));
    return this.run(
      operation(handler.createWrites({ source, before, next: after, secret: () => undefined })),
    );
  }

  async deletes(): Promise<HistoryEntry> {
    return this.run(
      deleteRule({ connectionId, within: [] }, live, getText((await this.team())['_id']), 'It'),
    );
  }

  async latest(): Promise<HistoryEntry> {
    const [entry] = await this.#window.history.readEntries(connectionId);
    if (entry === undefined) {
      throw new Error('Nothing was written down');
    }
    return entry;
  }

  async undoesEntry(entry: HistoryEntry, how: 'planUndo' | 'planRestore'): Promise<void> {
    const { writer } = this.#window;
    const { operation: wanted, expect: expected, moved } = await writer[how](entry);
    if (wanted.writes.length > 0) {
      await apply(writer, wanted, { expect: expected, undoes: entry.id, moved });
    }
  }
}

describe.each(['rule', 'columnRules', 'bulk'] as const)('a live rule that is saved repeatedly: %s', (how) => {
  test('is restored to its state before any of the saves, and stands alone', async () => {
    using bench = new Bench();
    const desk = new Desk(bench);
    const all = (await desk.rules()).length;
    const [first, second, third] = [
      await desk.saves('One', how),
      await desk.saves('Two', how),
      await desk.saves('Three', how),
    ];
    await desk.undoesEntry(second, 'planRestore');
    expect(await desk.shown()).toEqual([['One']]);
    await desk.undoesEntry(first, 'planRestore');
    expect(await desk.shown()).toEqual([['First Line']]);
    await desk.undoesEntry(first, 'planRestore');
    await desk.undoesEntry(third, 'planRestore');
    expect(await desk.shown()).toEqual([['Two']]);
    await desk.undoesEntry(first, 'planRestore');
    expect(await desk.shown()).toEqual([['First Line']]);
    expect(await desk.rules()).toHaveLength(all);
  });

  test('an older save is not undone over a newer one without confirmation', async () => {
    using bench = new Bench();
    const desk = new Desk(bench);
    const first = await desk.saves('One', how);
    await desk.saves('Two', how);
    expect(await failure(desk.undoesEntry(first, 'planUndo'))).toMatchObject({ name: 'ConflictError' });
    expect(await desk.shown()).toEqual([['Two']]);
    await desk.undoesEntry(first, 'planRestore');
    expect(await desk.shown()).toEqual([['First Line']]);
  });

  test('the last two saves are undone one after the other', async () => {
    using bench = new Bench();
    const desk = new Desk(bench);
    const first = await desk.saves('One', how);
    const second = await desk.saves('Two', how);
    await desk.undoesEntry(second, 'planUndo');
    expect(await desk.shown()).toEqual([['One']]);
    await desk.undoesEntry(first, 'planUndo');
    expect(await desk.shown()).toEqual([['First Line']]);
  });

  test("is found when the server's response does not contain the created rule", async () => {
    using bench = new Bench();
    bench.mute = (line) => line.startsWith('POST');
    const desk = new Desk(bench);
    const first = await desk.saves('One', how);
    await desk.saves('Two', how);
    await desk.undoesEntry(first, 'planRestore');
    expect(await desk.shown()).toEqual([['First Line']]);
  });

  test('also after it was deleted and restored', async () => {
    using bench = new Bench();
    const desk = new Desk(bench);
    const deleted = await desk.deletes();
    await desk.undoesEntry(deleted, 'planUndo');
    expect(await desk.shown()).toEqual([['First Line']]);
    const saved = await desk.saves('One', how);
    await desk.undoesEntry(deleted, 'planRestore');
    expect(await desk.shown()).toEqual([['First Line']]);
    await desk.saves('Two', how);
    await desk.undoesEntry(saved, 'planRestore');
    expect(await desk.shown()).toEqual([['First Line']]);
  });
});

describe('a rule of an extract datamodel that a bulk change has replaced', () => {
  const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

  /** Two of it show that the server adds a second rule for the same parties and overwrites none. */
  const twice = {
    table: 'Stores',
    column: 'City',
    datatype: 'text',
    members: ['Twice'],
    shares: [{ type: 'user', party: 'somebody' }],
  };

  /** A rule is saved, then replaced by one or more others; the save is restored. */
  async function restored(bench: Bench, ...members: readonly string[]) {
    const { writer, history } = bench.open();
    const rules = async () => getObjects(await bench.read({ kind: 'rules', subject: retail }));
    if (members.length > 1) {
      await bench.client.extractRules.create(retail, [twice, twice]);
    }
    const before = await rules();
    const rule = before.find(({ members: all }) => Array.isArray(all) && all.length > 0) ?? {};
    const { _id, ...content } = rule;
    const ref = { kind: 'rule', subject: retail, ruleId: getText(_id) } as const;
    await writer.run(
      operation([
        {
          endpoint: 'extractRules.update',
          params: { ruleId: ref.ruleId },
          target: ref,
          body: { ...rule, members: ['One'] },
        },
      ]),
    );
    const [saved] = await history.readEntries(connectionId);
    const doomed = (await bench.read(ref)) as JsonObject;
    const adds = members.map((member) => ({ ...content, members: [member] }));
    const deletes = [{ index: 0, rule: doomed }];
    await apply(writer, changeManyRules({ connectionId, within: [] }, retail, { adds, deletes }));
    if (saved === undefined) {
      throw new Error('Nothing was written down');
    }
    const { operation: wanted, expect: expected, moved } = await writer.planRestore(saved);
    await apply(writer, wanted, { expect: expected, undoes: saved.id, moved });
    const isThere = (one: JsonObject): boolean =>
      one['column'] === rule['column'] && JSON.stringify(one['shares']) === JSON.stringify(rule['shares']);
    return { was: rule['members'], is: (await rules()).filter(isThere).map((one) => one['members']) };
  }

  test('is restored in place of the new one', async () => {
    using bench = new Bench();
    const { was, is } = await restored(bench, 'Two');
    expect(is).toEqual([was]);
  });

  test('is restored in place, over the one of the two that has its ID', async () => {
    using bench = new Bench();
    const { was, is } = await restored(bench, 'Two', 'Three');
    expect(is).toEqual([was, ['Three']]);
  });
});
